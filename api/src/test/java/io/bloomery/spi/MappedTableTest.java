package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedTableTest {

  private static final long[] WORDS = new SplittableRandom(14).longs(21).toArray();

  /** Content that is mapped in segments of so many words. */
  private record Segments(int length) implements PayloadInput {
    @Override
    public long size() {
      return (long) WORDS.length * Long.BYTES;
    }

    @Override
    public long[] readLongs(long count) {
      throw new AssertionError("must be mapped, but was read");
    }

    @Override
    public LongBuffer[] mapLongs(long count) {
      LongBuffer[] segments = new LongBuffer[(int) (count + length - 1) / length];
      for (int i = 0; i < segments.length; i++) {
        int end = (int) Math.min(count, (i + 1L) * length);
        segments[i] = LongBuffer.wrap(Arrays.copyOfRange(WORDS, i * length, end));
      }
      return segments;
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, 0, reason);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 16, 32})
  void bitsAndWordsAreThoseOfTheFile(int segment) throws IOException {
    TableLayout layout = TableLayout.ofBits(64L * WORDS.length);
    MappedTable table = MappedTable.map(layout, new Segments(segment));
    assertEquals(layout.bits(), table.sizeInBits());
    assertEquals(Arrays.stream(WORDS).mapToInt(Long::bitCount).sum(), table.countSetBits());
    int[] indices = IntStream.range(0, WORDS.length).map(i -> WORDS.length - 1 - i).toArray();
    long[] read = new long[WORDS.length];
    table.words(indices, WORDS.length, read);
    table.words(indices, 0, read);
    for (int i = 0; i < WORDS.length; i++) {
      assertEquals(WORDS[i], table.word(i));
      assertEquals(WORDS[indices[i]], read[i]);
      for (int bit = 0; bit < Long.SIZE; bit++) {
        assertEquals((WORDS[i] >>> bit & 1) != 0, table.get(64L * i + bit));
      }
    }
  }

  @Test
  void oneBufferHasAllWordsOrThereIsNone() throws IOException {
    long bits = 64L * WORDS.length;
    assertEquals(
        LongBuffer.wrap(WORDS), MappedTable.map(bits, new Segments(32)).buffer().orElseThrow());
    assertFalse(MappedTable.map(bits, new Segments(16)).buffer().isPresent());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 32})
  void aBitBeyondTheTableThrows(int segment) throws IOException {
    MappedTable table = MappedTable.map(64L * WORDS.length, new Segments(segment));
    assertThrows(IndexOutOfBoundsException.class, () -> table.get(64L * WORDS.length));
    assertThrows(IndexOutOfBoundsException.class, () -> table.word(WORDS.length));
  }

  @ParameterizedTest
  @ValueSource(longs = {-64, 0, 63, 100})
  void partsOfWordsAreRefused(long bits) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> MappedTable.map(bits, new Segments(32)));
    assertTrue(refused.getMessage().contains("but was " + bits));
  }
}
