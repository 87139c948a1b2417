package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        find(
            "^\\| (.+) \\| `((?:xxh3-64|splitmix64|siphash-2-4)/[^`]+)` \\| `([0-9a-f]{16})` \\|$");
    assertEquals(28, rows.size());
    for (MatchResult row : rows) {
      String id = row.group(2);
      assertEquals(row.group(3), HexFormat.of().toHexDigits(hash(row.group(1), id)), id);
    }
  }

  @Test
  void keysAreThoseOfTheirForms() {
    List<MatchResult> rows =
        find("^\\| `((?:trim|ignore-case|upper-case|hex|base64)[^`]*)` \\| `(.+)` \\| `(.+)` \\|$");
    assertEquals(8, rows.size());
    for (MatchResult row : rows) {
      byte[] key = KeyForm.parse(row.group(1)).apply(bytes(row.group(2)));
      assertArrayEquals(bytes(row.group(3)), key, row.group());
    }
  }

  /** Returns the bytes of a text, or those that are written one by one. */
  private static byte[] bytes(String cell) {
    return cell.matches("[0-9a-f]{2}( [0-9a-f]{2})*")
        ? HexFormat.ofDelimiter(" ").parseHex(cell)
        : cell.getBytes(StandardCharsets.UTF_8);
  }

  private static long hash(String key, String id) {
    String text = key.replace("`", "");
    KeyHasher<String> textAndNumber =
        KeyHasher.fields(KeyHasher.strings().compose(pair -> field(pair, 1)), numbers());
    KeyHasher<String> nested =
        KeyHasher.fields(
            textAndNumber.compose(pair -> field(pair, 1)),
            KeyHasher.uuids().compose(pair -> UUID.fromString(field(pair, 2))));
    return switch (id) {
      case "xxh3-64/(utf8,i64)" -> textAndNumber.hash(text);
      case "xxh3-64/(utf8,i64)/seed=-42" -> textAndNumber.withSeed(-42).hash(text);
      case "xxh3-64/(utf8,utf8)" ->
          KeyHasher.<String>fields(
                  KeyHasher.strings().compose(pair -> text(field(pair, 1))),
                  KeyHasher.strings().compose(pair -> text(field(pair, 2))))
              .hash(text);
      case "xxh3-64/((utf8,i64),uuid)" -> nested.hash(text);
      case "siphash-2-4/utf8/secret=623d6bcfb9bf928b" ->
          KeyHasher.strings().secret(secret(32)).hash(text(text));
      case "siphash-2-4/utf8/secret=71c9365de0febe6b" ->
          KeyHasher.strings().secret(secret(100)).hash(text);
      case "siphash-2-4/i64/secret=623d6bcfb9bf928b" ->
          KeyHasher.longs().secret(secret(32)).hash(Long.parseLong(text));
      case "siphash-2-4/uuid/secret=623d6bcfb9bf928b" ->
          KeyHasher.uuids().secret(secret(32)).hash(UUID.fromString(text));
      case "siphash-2-4/(utf8,i64)/secret=623d6bcfb9bf928b" ->
          textAndNumber.secret(secret(32)).hash(text);
      case "siphash-2-4/((utf8,i64),uuid)/secret=623d6bcfb9bf928b" ->
          nested.secret(secret(32)).hash(text);
      case "xxh3-64/utf8" -> KeyHasher.strings().hash(text(text));
      case "xxh3-64/utf8/seed=-42" -> KeyHasher.strings().withSeed(-42).hash(text);
      case "splitmix64/i64" -> KeyHasher.longs().hash(Long.parseLong(text));
      case "xxh3-64/i64/seed=7" -> KeyHasher.longs().withSeed(7).hash(Long.parseLong(text));
      case "xxh3-64/uuid" -> KeyHasher.uuids().hash(UUID.fromString(text));
      default -> throw new AssertionError("no such id here: " + id);
    };
  }

  private static KeyHasher<String> numbers() {
    return KeyHasher.longs().compose(pair -> Long.valueOf(field(pair, 2)));
  }

  /** Returns the first or second of what stands in parentheses, such as {@code ((abc, 1), 2)}. */
  private static String field(String pair, int number) {
    Matcher fields = Pattern.compile("\\((.*), (.*)\\)").matcher(pair);
    assertTrue(fields.matches(), pair);
    return fields.group(number);
  }

  private static byte[] secret(int length) {
    byte[] secret = new byte[length];
    for (int i = 0; i < length; i++) {
      secret[i] = (byte) i;
    }
    return secret;
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
    long hash = KeyHasher.strings().hash("abc");
    List<MatchResult> rows = find("^\\| `([a-z-]+)` \\| (\\d+) \\| (\\d+) \\| ([0-9, ]+) \\|$");
    assertEquals(8, rows.size());
    for (MatchResult row : rows) {
      FilterProvider known = Bloomery.installed().providers().get(row.group(1));
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
    BloomFilter<String> filter = Bloomery.strings().expect(5).variant("standard").fpp(0.1).create();
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
