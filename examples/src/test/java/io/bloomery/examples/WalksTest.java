package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Looks for the files and methods that {@code docs/walks.md} names. */
class WalksTest {

  private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");

  private static final Pattern LINK = Pattern.compile("\\[`(\\w+)(?:\\.\\w+)?`]\\(([^)]+)\\)");
  private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

  private static String page() throws IOException {
    return Files.readString(DOCS.resolve("walks.md"));
  }

  /** Returns the sources that the page links to, by the names of their classes. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (MatchResult link : LINK.matcher(page()).results().toList()) {
      Path file = DOCS.resolve(link.group(2));
      assertTrue(Files.isRegularFile(file), "walks.md links to " + link.group(2));
      assertEquals(link.group(1) + ".java", file.getFileName().toString());
      sources.put(link.group(1), Files.readString(file));
    }
    return sources;
  }

  @Test
  void everyMethodStandsInTheFileThatIsLinked() throws IOException {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    List<MatchResult> methods = METHOD.matcher(page()).results().toList();
    assertTrue(methods.size() >= 25, "methods found: " + methods.size());
    for (MatchResult method : methods) {
      String source = sources.getOrDefault(method.group(1), "");
      // A declaration, with a type before it; a call has a dot, a bracket or an operator there.
      if (!Pattern.compile("[\\w>\\]] " + method.group(2) + "\\(").matcher(source).find()) {
        missing.add(method.group());
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyWalkHasFiveSteps() throws IOException {
    String[] walks = page().split("\n## ", -1);
    assertEquals(5, walks.length - 1);
    for (int i = 1; i < walks.length; i++) {
      assertEquals(
          5, Pattern.compile("(?m)^\\d\\. ").matcher(walks[i]).results().count(), walks[i]);
    }
  }
}
