package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/**
 * Assertions on arrays that say what differs: where in a file or its content, what stands there,
 * and how much else differs.
 */
public final class SameBytes {

  private static final byte[] MAGIC = "BLOOMERY".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_LENGTH_AT = 10;
  private static final int PAYLOAD_LENGTH_AT = 16;

  /** The fields at the start of a file, by their offsets: docs/FORMAT.md. */
  private static final Map<Integer, String> FIELDS =
      Map.of(
          0,
          "magic",
          8,
          "version",
          HEADER_LENGTH_AT,
          "header length",
          PAYLOAD_LENGTH_AT,
          "payload length",
          24,
          "expected keys",
          32,
          "rate",
          40,
          "variant, hash id, layout and attributes");

  private SameBytes() {}

  /** Compares files, or other bytes. */
  public static void assertArrayEquals(byte[] expected, byte[] actual, String what) {
    assertArrayEquals(expected, actual, () -> what);
  }

  /** Compares files, or other bytes. */
  public static void assertArrayEquals(byte[] expected, byte[] actual, Supplier<String> what) {
    int at = Arrays.mismatch(expected, actual);
    if (at < 0) {
      return;
    }
    if (at >= Math.min(expected.length, actual.length)) {
      fail(
          String.format(
              Locale.ROOT,
              "%s: expected %,d bytes, but there are %,d",
              what.get(),
              expected.length,
              actual.length));
    }
    Map.Entry<Integer, String> part = parts(expected).floorEntry(at);
    if (part.getValue().equals("payload")) {
      int from = part.getKey();
      String where = String.format(Locale.ROOT, "byte %,d of the file, in ", at);
      checkWords(words(expected, from), words(actual, from), () -> what.get() + ": " + where);
    }
    fail(
        String.format(
            Locale.ROOT,
            "%s: byte %,d, of %s, is %02x instead of %02x",
            what.get(),
            at,
            part.getValue(),
            actual[at],
            expected[at]));
  }

  /** Compares words of content, or hashes. */
  public static void assertArrayEquals(long[] expected, long[] actual, String what) {
    assertArrayEquals(expected, actual, () -> what);
  }

  /** Compares words of content, or hashes. */
  public static void assertArrayEquals(long[] expected, long[] actual, Supplier<String> what) {
    checkWords(expected, actual, () -> what.get() + ": ");
  }

  /** Compares indices. */
  public static void assertArrayEquals(int[] expected, int[] actual, String what) {
    Assertions.assertArrayEquals(expected, actual, what);
  }

  private static void checkWords(long[] expected, long[] actual, Supplier<String> what) {
    int at = Arrays.mismatch(expected, actual);
    int length = Math.min(expected.length, actual.length);
    if (at < 0) {
      return;
    }
    if (at >= length) {
      fail(what.get() + actual.length + " words instead of " + expected.length);
    }
    int different = 0;
    int more = 0;
    int fewer = 0;
    for (int i = at; i < length; i++) {
      different += expected[i] == actual[i] ? 0 : 1;
      more += Long.bitCount(actual[i] & ~expected[i]);
      fewer += Long.bitCount(expected[i] & ~actual[i]);
    }
    fail(
        String.format(
            Locale.ROOT,
            "%sword %,d of %,d is %016x instead of %016x; %,d words differ, %,d bits are set that"
                + " should not be, and %,d are not that should be",
            what.get(),
            at,
            length,
            actual[at],
            expected[at],
            different,
            more,
            fewer));
  }

  /** Returns the parts of a file by where they begin; other bytes have one part. */
  private static NavigableMap<Integer, String> parts(byte[] file) {
    boolean isFile =
        file.length >= 64 && Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    if (!isFile) {
      return new TreeMap<>(Map.of(0, "all"));
    }
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int header = Short.toUnsignedInt(in.getShort(HEADER_LENGTH_AT));
    NavigableMap<Integer, String> parts = new TreeMap<>(FIELDS);
    parts.put(header - Integer.BYTES, "header checksum");
    parts.put(header, "payload");
    parts.put((int) (header + in.getLong(PAYLOAD_LENGTH_AT)), "checksums of the payload");
    return parts;
  }

  private static long[] words(byte[] file, int from) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long[] words = new long[(int) in.getLong(PAYLOAD_LENGTH_AT) / Long.BYTES];
    in.position(from).slice().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }
}
