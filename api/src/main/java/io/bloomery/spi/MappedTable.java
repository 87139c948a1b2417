package io.bloomery.spi;

import io.bloomery.filter.PayloadInput;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.Optional;

/**
 * A read-only, thread-safe bit array in a memory-mapped file, as written by {@link BitTable#write}.
 *
 * <p>Bits cost neither memory nor time until they are read. {@link #word} and {@link #get} check
 * only the end of the last segment of the file, so that an index beyond the table throws
 * IndexOutOfBoundsException.
 */
public final class MappedTable {
  // decisions.md#buffers-of-longs-one-loop-for-one-buffer-and-one-for-several

  private final LongBuffer[] segments;
  private final int shift;
  private final int mask;
  private final long bits;

  /**
   * Maps the next words of a filter's content as a table of the layout's bits.
   *
   * @throws io.bloomery.filter.FilterFormatException if fewer words are left
   */
  public static MappedTable map(TableLayout layout, PayloadInput in) throws IOException {
    return map(layout.bits(), in);
  }

  /**
   * Maps the next words of a filter's content as a table of {@code bits} bits.
   *
   * @param bits a multiple of 64, at least 64
   * @throws IllegalArgumentException if it is not
   * @throws io.bloomery.filter.FilterFormatException if fewer words are left
   */
  public static MappedTable map(long bits, PayloadInput in) throws IOException {
    if (bits < Long.SIZE || bits % Long.SIZE != 0) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 64, at least 64, but was " + bits);
    }
    return new MappedTable(in.mapLongs(bits / Long.SIZE));
  }

  // All segments but the last have the same length, a power of two.
  MappedTable(LongBuffer[] segments) {
    this.segments = segments;
    long words = 0;
    for (LongBuffer segment : segments) {
      words += segment.limit();
    }
    this.bits = words * Long.SIZE;
    // With one segment, the whole index is below the shift.
    int length = segments.length == 1 ? 1 << 31 : segments[0].limit();
    this.shift = Integer.numberOfTrailingZeros(length);
    this.mask = length - 1;
  }

  /** Returns the number of bits. */
  public long sizeInBits() {
    return bits;
  }

  /**
   * Returns all words as one read-only buffer, for performance-critical loops; empty if they do not
   * fit into one buffer, beyond a GiB.
   */
  public Optional<LongBuffer> buffer() {
    return segments.length == 1 ? Optional.of(segments[0]) : Optional.empty();
  }

  /**
   * Reads many words, whose cache misses overlap.
   *
   * @param indices their indices, of which the first {@code size} are used
   * @param words receives them, from index 0 on
   * @throws IndexOutOfBoundsException if one is not that of a word, or an array has fewer than
   *     {@code size} elements; some words may have been read then
   */
  public void words(int[] indices, int size, long[] words) {
    if (segments.length == 1) {
      LongBuffer buffer = segments[0];
      for (int i = 0; i < size; i++) {
        words[i] = buffer.get(indices[i]);
      }
    } else {
      for (int i = 0; i < size; i++) {
        words[i] = word(indices[i]);
      }
    }
  }

  /** Returns whether a bit is set. */
  public boolean get(long bit) {
    return (word(bit >>> 6) >>> bit & 1) != 0;
  }

  /** Returns the word of an index: bit i is bit {@code i % 64} of word {@code i / 64}. */
  public long word(long index) {
    return segments[(int) (index >>> shift)].get((int) index & mask);
  }

  /** Counts the bits that are set. */
  public long countSetBits() {
    long count = 0;
    for (LongBuffer segment : segments) {
      for (int i = 0; i < segment.limit(); i++) {
        count += Long.bitCount(segment.get(i));
      }
    }
    return count;
  }
}
