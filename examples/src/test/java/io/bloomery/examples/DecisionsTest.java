package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares links to {@code docs/decisions.md} with its entries. */
class DecisionsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static final Pattern HEADING = Pattern.compile("(?m)^###? (.+)$");
  private static final Pattern DATED = Pattern.compile("\n\n\\*20\\d\\d-\\d\\d-\\d\\d\\.\\* \\S");
  private static final Pattern LINK = Pattern.compile("decisions\\.md#([\\w-]+)");

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/decisions.md"));
  }

  private static List<String> headings() throws IOException {
    return HEADING.matcher(page()).results().map(heading -> heading.group(1)).toList();
  }

  /** Returns the anchor that renderers of Markdown give a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
  }

  @Test
  void noTwoEntriesHaveOneAnchor() throws IOException {
    Set<String> anchors = new HashSet<>();
    List<String> again = headings().stream().filter(h -> !anchors.add(anchor(h))).toList();
    assertEquals(List.of(), again);
    assertTrue(anchors.size() > 100, () -> "entries found: " + anchors.size());
  }

  @Test
  void everyEntryBeginsWithItsDate() throws IOException {
    List<String> undated = new ArrayList<>();
    for (String entry : page().split("\n### ", -1)) {
      int end = entry.indexOf('\n');
      if (!entry.startsWith("# ")
          && !DATED.matcher(entry).region(end, entry.length()).lookingAt()) {
        undated.add(entry.substring(0, end));
      }
    }
    assertEquals(List.of(), undated);
  }

  @Test
  void everyLinkFromCodeAndPagesLeadsToAnEntry() throws IOException {
    Set<String> anchors = new HashSet<>();
    headings().forEach(heading -> anchors.add(anchor(heading)));
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path file : sources()) {
      for (MatchResult link : LINK.matcher(Files.readString(file)).results().toList()) {
        links++;
        if (!anchors.contains(link.group(1))) {
          broken.add(ROOT.relativize(file) + " links to " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links > 100, "links found: " + links);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().matches(".*(\\.java|\\.md|\\.properties|pom\\.xml)"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList();
    }
  }
}
