package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looks for the tests that SECURITY.md names: each promise there has one that shows it. */
class SecurityPageTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  // A line of a table whose last column is not empty.
  private static final Pattern PROMISE =
      Pattern.compile("(?m)^\\| (?!Promise|---)(.*) \\| (.*) \\|$");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

  private static Path source(String test) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.endsWith(test + ".java"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("SECURITY.md names " + test));
    }
  }

  @Test
  void everyPromiseNamesATestThatExists() throws IOException {
    List<MatchResult> promises =
        PROMISE.matcher(Files.readString(ROOT.resolve("SECURITY.md"))).results().toList();
    assertTrue(promises.size() >= 12, "promises found: " + promises.size());
    List<String> missing = new ArrayList<>();
    for (MatchResult promise : promises) {
      List<MatchResult> tests = TEST.matcher(promise.group(2)).results().toList();
      if (tests.isEmpty()) {
        missing.add("no test: " + promise.group(1));
      }
      for (MatchResult test : tests) {
        String source = Files.readString(source(test.group(1)));
        if (test.group(2) != null && !source.contains(" " + test.group(2) + "(")) {
          missing.add(test.group());
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void thePageIsLinkedFromWherePeopleLook() throws IOException {
    for (String page : List.of("README.md", "CONTRIBUTING.md")) {
      assertTrue(Files.readString(ROOT.resolve(page)).contains("(SECURITY.md)"), page);
    }
  }
}
