package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whether differences of files are described by where they are and what stands there. */
class SameBytesTest {

  private final Filter filter =
      new StandardProvider().create(FilterSpec.of(100, 0.01), ThreadMode.SHARED);

  private static String message(byte[] expected, byte[] actual) {
    return assertThrows(
            AssertionError.class,
            () -> SameBytes.assertArrayEquals(expected, actual, "two filters"))
        .getMessage();
  }

  @Test
  void aHashMoreShowsAsBitsOfAWordOfThePayload() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 50; i++) {
      filter.clear();
      byte[] before = Subject.write(filter);
      filter.put(random.nextLong());
      long[] words = Payload.of(filter).words();
      int at = 0;
      while (words[at] == 0) {
        at++;
      }
      int inFile =
          headerLength(before)
              + at * Long.BYTES
              + Long.numberOfTrailingZeros(words[at]) / Byte.SIZE;
      assertEquals(
          String.format(
              Locale.ROOT,
              "two filters: byte %,d of the file, in word %,d of %,d is %016x instead of"
                  + " 0000000000000000; %,d words differ, %,d bits are set that should not be, and 0"
                  + " are not that should be",
              inFile,
              at,
              words.length,
              words[at],
              Arrays.stream(words).filter(word -> word != 0).count(),
              filter.stats().setBits()),
          message(before, Subject.write(filter)));
      String fewer = message(Subject.write(filter), before);
      assertTrue(fewer.contains(", 0 bits are set that should not be, and "), fewer);
    }
  }

  private static int headerLength(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
  }

  @Test
  void aFieldAndAChecksumAreNamed() {
    byte[] file = Subject.write(filter);
    String[] fields = {
      "magic",
      "version",
      "header length",
      "payload length",
      "expected keys",
      "rate",
      "variant",
      "header checksum",
      "checksums of the payload"
    };
    int header = headerLength(file);
    int end = header + (int) filter.payloadSize();
    int[] offsets = {1, 8, 10, 17, 24, 39, 41, header - 4, end};
    for (int i = 0; i < fields.length; i++) {
      byte[] changed = file.clone();
      changed[offsets[i]] ^= 1;
      String message = message(file, changed);
      assertTrue(message.contains("byte " + offsets[i] + ", of " + fields[i]), message);
    }
  }

  @Test
  void anotherLengthAndOtherBytesAreNoFile() {
    assertEquals(
        "two filters: expected 3 bytes, but there are 2", message(new byte[3], new byte[2]));
    assertEquals(
        "two filters: byte 1, of all, is 07 instead of 00",
        message(new byte[2], new byte[] {0, 7}));
  }
}
