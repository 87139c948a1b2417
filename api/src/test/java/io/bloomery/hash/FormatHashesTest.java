package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.internal.HashId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Computes the hashes of docs/FORMAT.md again, each by a hasher made from its id. */
class FormatHashesTest {

  private static final Map<String, Integer> SECRETS =
      Map.of("623d6bcfb9bf928b", 32, "71c9365de0febe6b", 100);

  private static byte[] secret(int length) {
    byte[] secret = new byte[length];
    for (int i = 0; i < length; i++) {
      secret[i] = (byte) i;
    }
    return secret;
  }

  /** Splits what is in parentheses by the commas that are in no further ones. */
  private static List<String> fields(String list) {
    List<String> fields = new ArrayList<>();
    int depth = 0;
    int from = 1;
    for (int i = 0; i < list.length(); i++) {
      depth += list.charAt(i) == '(' ? 1 : list.charAt(i) == ')' ? -1 : 0;
      if (depth == 0 || (depth == 1 && list.charAt(i) == ',')) {
        fields.add(list.substring(from, i).trim());
        from = i + 1;
      }
    }
    return fields;
  }

  private static String text(String words) {
    Matcher times = Pattern.compile("(\\d+) times (.+)").matcher(words);
    return times.matches()
        ? times.group(2).repeat(Integer.parseInt(times.group(1)))
        : words.equals("empty text") ? "" : words;
  }

  private static KeyHasher<String> hasher(String encoding) {
    return switch (encoding) {
      case "utf8" -> KeyHasher.strings().compose(FormatHashesTest::text);
      case "i64" -> KeyHasher.longs().compose(Long::valueOf);
      case "uuid" -> KeyHasher.uuids().compose(UUID::fromString);
      default -> KeyHasher.fields(hashersOfFields(encoding));
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type arguments
  private static KeyHasher<String>[] hashersOfFields(String encoding) {
    List<String> encodings = fields(encoding);
    KeyHasher[] hashers = new KeyHasher[encodings.size()];
    for (int i = 0; i < hashers.length; i++) {
      int index = i;
      hashers[i] = hasher(encodings.get(i)).<String>compose(list -> fields(list).get(index));
    }
    return hashers;
  }

  @Test
  void hashesAreThoseOfTheKeys() throws IOException {
    String page = Files.readString(Path.of("../docs/FORMAT.md"));
    Pattern row =
        Pattern.compile(
            "^\\| (.+) \\| `([a-z0-9-]+/([^/`]+)(?:/(seed|secret)=([^`]+))?)` \\| `([0-9a-f]{16})` \\|$",
            Pattern.MULTILINE);
    int rows = 0;
    for (MatchResult each : row.matcher(page).results().toList()) {
      String keyed = String.valueOf(each.group(4));
      KeyHasher<String> hasher =
          switch (keyed) {
            case "seed" -> hasher(each.group(3)).withSeed(Long.parseLong(each.group(5)));
            case "secret" -> hasher(each.group(3)).secret(secret(SECRETS.get(each.group(5))));
            default -> hasher(each.group(3));
          };
      assertEquals(each.group(2), hasher.id());
      long hash = hasher.hash(each.group(1).replace("`", ""));
      assertEquals(each.group(6), HexFormat.of().toHexDigits(hash), each.group());
      rows++;
    }
    assertEquals(28, rows);
  }

  @Test
  void oneMoreZeroMakesAnotherFingerprint() throws IOException {
    byte[] longer = Arrays.copyOf(secret(32), 33);
    String id = KeyHasher.strings().secret(longer).id();
    String said =
        "with one more `00` behind them the fingerprint is `" + HashId.parse(id).fingerprint();
    assertTrue(Files.readString(Path.of("../docs/FORMAT.md")).contains(said), said);
  }

  @Test
  void seedsAreWrittenInTheOneFormOfThePage() {
    for (long seed : new long[] {0, 7, -7, -42, Long.MIN_VALUE, Long.MAX_VALUE}) {
      String id = KeyHasher.strings().withSeed(seed).id();
      assertTrue(id.matches("xxh3-64/utf8/seed=(0|-?[1-9][0-9]{0,18})"), id);
    }
  }
}
