package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * Holds the lists of files to touch, in CONTRIBUTING.md and of a version in FORMAT.md, to what was
 * added before.
 */
class ContributingPageTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final Pattern EXAMPLE = Pattern.compile("As `([^`]+)` stands in them:");
  private static final Pattern HEADING = Pattern.compile("(?m)^##+ ");
  private static final Pattern FILE = Pattern.compile("(?m)^- `([^`]+)`");

  @TestFactory
  List<DynamicTest> everyListIsTrueOfWhatWasAddedBefore() {
    List<String> lists =
        Stream.of("CONTRIBUTING.md", "docs/FORMAT.md")
            .flatMap(page -> HEADING.splitAsStream(text(page)))
            .filter(section -> EXAMPLE.matcher(section).find())
            .toList();
    assertEquals(
        List.of("A variant", "A rule", "A command", "A new version"),
        lists.stream().map(list -> list.lines().findFirst().orElseThrow()).toList());
    return lists.stream()
        .map(list -> DynamicTest.dynamicTest(list.lines().findFirst().orElseThrow(), check(list)))
        .toList();
  }

  private static String text(String page) {
    try {
      return Files.readString(ROOT.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Executable check(String list) {
    return () -> {
      Matcher example = EXAMPLE.matcher(list);
      assertTrue(example.find(), "no example: " + list);
      String word = example.group(1).toLowerCase(Locale.ROOT);
      List<MatchResult> files = FILE.matcher(list).results().toList();
      assertTrue(files.size() >= 4, list);
      for (MatchResult file : files) {
        String content = Files.readString(ROOT.resolve(file.group(1)));
        assertTrue(content.toLowerCase(Locale.ROOT).contains(word), word + " in " + file.group(1));
      }
    };
  }
}
