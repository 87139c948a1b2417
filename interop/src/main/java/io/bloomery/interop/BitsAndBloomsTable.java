package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.filter.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The filter of Go's bits-and-blooms: two numbers, then a bit set with its own length, in binary or
 * JSON form.
 */
final class BitsAndBloomsTable extends ForeignTable {

  private static final Pattern NUMBER = Pattern.compile("\"([mk])\"\\s*:\\s*(\\d{1,19})\\s*[,}]");
  private static final Pattern SET = Pattern.compile("\"b\"\\s*:\\s*\"([A-Za-z0-9_=-]*+)\"");
  private static final Pattern JSON =
      Pattern.compile(
          "\\s*\\{\\s*(\"[mkb]\"\\s*:\\s*(\\d+|\"[^\"]*+\")\\s*,\\s*){2}\"[mkb]\"\\s*:\\s*(\\d+|\"[^\"]*+\")\\s*\\}");
  private static final int MAX_JSON = 1 << 30;

  private final long bits;
  private long length;

  private BitsAndBloomsTable(long bits, int probes, long length, long[] words) {
    super(words, probes);
    this.bits = bits;
    this.length = length;
  }

  static BitsAndBloomsTable read(ByteOrder order, ForeignInput in) throws IOException {
    long bits = in.i64(BIG_ENDIAN);
    long probes = in.i64(BIG_ENDIAN);
    check(bits, 0, probes, 8, in);
    return read(order, bits, probes, in);
  }

  private static void check(long bits, long bitsAt, long probes, long probesAt, ForeignInput in)
      throws FilterFormatException {
    in.require(bits >= 1, bitsAt, "bits must be 1 to 2^63 - 1", bits);
    in.require(
        probes >= 1 && probes <= MAX_PROBES, probesAt, "hash functions must be 1 to 255", probes);
  }

  private static BitsAndBloomsTable read(ByteOrder order, long bits, long probes, ForeignInput in)
      throws IOException {
    long at = in.offset();
    long length = in.i64(order);
    in.require(
        length >= 1 && length <= MAX_BITS, at, "bits of the set must be 1 to " + MAX_BITS, length);
    long[] words = in.words((length + 63) / 64, order, at);
    long beyond = length % 64 == 0 ? 0 : words[words.length - 1] >>> length;
    in.require(beyond == 0, in.offset() - 8, "bits behind the set must be 0", beyond);
    return new BitsAndBloomsTable(bits, (int) probes, length, words);
  }

  static BitsAndBloomsTable readJson(ForeignInput in) throws IOException {
    String text = in.text('}', MAX_JSON);
    if (!JSON.matcher(text).matches()) {
      throw in.refusal(0, "must be an object of JSON with m, k and b, once each");
    }
    long bits = -1;
    long probes = -1;
    for (Matcher number = NUMBER.matcher(text); number.find(); ) {
      try {
        long value = Long.parseLong(number.group(2));
        bits = number.group(1).equals("m") ? value : bits;
        probes = number.group(1).equals("k") ? value : probes;
      } catch (NumberFormatException e) {
        throw in.refusal(number.start(), "numbers must be below 2^63, but is " + number.group(2));
      }
    }
    Matcher set = SET.matcher(text);
    if (!set.find()) {
      throw in.refusal(0, "b must be a text of base64 in the alphabet for URLs");
    }
    byte[] decoded;
    try {
      decoded = Base64.getUrlDecoder().decode(set.group(1));
    } catch (IllegalArgumentException e) {
      throw in.refusal(set.start(1), "b must be base64: " + e.getMessage());
    }
    check(bits, 0, probes, 0, in);
    ForeignInput bytes = in.decoded(new ByteArrayInputStream(decoded), set.start(1));
    BitsAndBloomsTable table = read(BIG_ENDIAN, bits, probes, bytes);
    if (bytes.next() >= 0) {
      throw in.refusal(set.end(1), "b must end with its last word");
    }
    return table;
  }

  static BitsAndBloomsTable create(ForeignParameters asked) {
    double wanted = Math.ceil(bitsFor(asked.keys(), asked.rate()));
    long bits = asked.hasBits() ? asked.bits() : (long) wanted;
    long probes = (long) Math.max(1, Math.ceil(Math.log(2) * bits / asked.keys()));
    return new BitsAndBloomsTable(
        bits, asked.probes(probes, MAX_PROBES), bits, table((double) bits));
  }

  @Override
  boolean visit(Item item, boolean put) {
    Hashes.murmur128AndOne(item);
    long h2 = item.h1;
    long h3 = item.h2;
    Hashes.murmur128(item);
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      // The multipliers are h2, h3, h3, h2, and so on.
      long step = (i + 1 & 2) == 0 ? h2 : h3;
      long at = Long.remainderUnsigned(((i & 1) == 0 ? item.h1 : item.h2) + i * step, bits);
      if (at >= length) {
        if (!put) {
          return false; // bits after the end of the set are clear
        }
        lengthen(at);
      }
      all &= bit(words, at, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  boolean put(Item item) {
    if (bits > MAX_BITS) {
      throw new IllegalStateException(
          "a filter must have at most " + MAX_BITS + " bits to be put into, but has " + bits);
    }
    return super.put(item);
  }

  // As the peer's set grows.
  private void lengthen(long at) {
    words = Arrays.copyOf(words, Math.max(words.length, (int) (at / 64 + 1)));
    length = at + 1;
  }

  @Override
  String layout() {
    return say("%d hash functions, %d bits", probes, bits);
  }

  @Override
  void putAll(ForeignTable other) {
    long last = ((BitsAndBloomsTable) other).length - 1;
    if (last >= length) {
      lengthen(last);
    }
    super.putAll(other);
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.BITS_AND_BLOOMS_JSON) {
      byte[] set =
          ForeignOutput.written(
              bytes -> {
                bytes.i64(length, BIG_ENDIAN);
                bytes.words(words, BIG_ENDIAN);
              });
      String text = Base64.getUrlEncoder().encodeToString(set);
      out.bytes(
          ("{\"m\":" + bits + ",\"k\":" + probes + ",\"b\":\"" + text + "\"}")
              .getBytes(StandardCharsets.US_ASCII));
      return;
    }
    ByteOrder order =
        format == ForeignFormat.BITS_AND_BLOOMS_LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
    out.i64(bits, BIG_ENDIAN);
    out.i64(probes, BIG_ENDIAN);
    out.i64(length, order);
    out.words(words, order);
  }

  @Override
  long bits() {
    return bits;
  }

  @Override
  String words() {
    return say("%s, a set of %d", layout(), length);
  }

  @Override
  ForeignTable copy() {
    return new BitsAndBloomsTable(bits, probes, length, words.clone());
  }
}
