package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Finds what was to be written later, in all sources and pages: numbers, words, work. */
class PlaceholderTest {

  // The brackets keep this line from finding itself.
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\b([X]X|[Y]Y)(\\s|&nbsp;)?%|\\b(T[B]D|T[O]DO|F[I]XME)\\b|[?]{3}");

  private static List<String> placeholders(Path file, List<String> lines) {
    return IntStream.range(0, lines.size())
        .filter(i -> PLACEHOLDER.matcher(lines.get(i)).find())
        .mapToObj(i -> file + ":" + (i + 1) + ": " + lines.get(i).strip())
        .toList();
  }

  @Test
  void nothingIsLeftToBeWrittenLater() throws IOException {
    List<Path> files = SourceFiles.ending(".java", ".md");
    assertTrue(files.size() > 300, () -> "files found: " + files.size());
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      found.addAll(placeholders(SourceFiles.ROOT.relativize(file), Files.readAllLines(file)));
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void placeholdersAreFoundAndOrdinaryTextIsNot() {
    List<String> lines =
        List.of(
            "too low by " + "X".repeat(2) + " % at n = 1",
            "and " + "Y".repeat(2) + "% more",
            "// " + "TO" + "DO: say why",
            "// " + "FIX" + "ME",
            "a rate of " + "?".repeat(3) + " bits",
            "the limit is " + "TB" + "D.",
            "9 % at n = 10, and XXH3; is it? What?? mastodon; a ? b : c");
    assertEquals(6, placeholders(Path.of("sample"), lines).size());
  }
}
