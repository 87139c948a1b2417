package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterProvider;
import io.bloomery.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Computes the test vectors of docs/FORMAT.md again. */
class FormatPageTest {

  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("../docs/FORMAT.md"));
  }

  private static List<MatchResult> find(String pattern) {
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(page);
    return matcher.results().collect(Collectors.toList());
  }

  @Test
  void hashesAreThoseOfTheKeys() {
    List<MatchResult> rows =
        find("^\\| (.+) \\| `((?:xxh3-64|splitmix64)/[^`]+)` \\| `([0-9a-f]{16})` \\|$");
    assertEquals(12, rows.size());
    for (MatchResult row : rows) {
      assertEquals(row.group(3), HexFormat.of().toHexDigits(hash(row.group(1), row.group(2))));
    }
  }

  private static long hash(String key, String id) {
    String text = key.replace("`", "");
    return switch (id) {
      case "xxh3-64/utf8" -> KeyHasher.utf8().hash(text(text));
      case "xxh3-64/utf8/seed=-42" -> KeyHasher.utf8(-42).hash(text);
      case "splitmix64/i64" -> KeyHasher.longs().hash(Long.parseLong(text));
      case "xxh3-64/i64/seed=7" -> KeyHasher.longs(7).hash(Long.parseLong(text));
      case "xxh3-64/uuid" -> KeyHasher.uuids().hash(UUID.fromString(text));
      default -> throw new AssertionError("no such id here: " + id);
    };
  }

  private static String text(String words) {
    if (words.equals("empty text")) {
      return "";
    }
    Matcher times = Pattern.compile("(\\d+) times (.+)").matcher(words);
    return times.matches() ? times.group(2).repeat(Integer.parseInt(times.group(1))) : words;
  }

  @Test
  void positionsAreThoseOfTheVariants() {
    long hash = KeyHasher.utf8().hash("abc");
    List<MatchResult> rows = find("^\\| `([a-z-]+)` \\| (\\d+) \\| (\\d+) \\| ([0-9, ]+) \\|$");
    assertEquals(6, rows.size());
    for (MatchResult row : rows) {
      FilterProvider known = Bloomery.installed().provider(row.group(1));
      long[] positions =
          known
              .positions(hash, Long.parseLong(row.group(2)), Integer.parseInt(row.group(3)))
              .orElseThrow();
      assertEquals(
          row.group(4),
          LongStream.of(positions).mapToObj(Long::toString).collect(Collectors.joining(", ")),
          row.group(1));
    }
  }

  @Test
  void theExampleIsWhatIsWritten() throws IOException {
    BloomFilter<String> filter = Bloomery.strings().variant("standard").expect(5).fpp(0.1).create();
    filter.put("abc");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    String dump =
        find("^[0-9a-f]{4} ((?: [0-9a-f]{2}){16})").stream()
            .map(row -> row.group(1).replace(" ", ""))
            .collect(Collectors.joining());
    assertEquals(HexFormat.of().formatHex(out.toByteArray()), dump);
  }
}
