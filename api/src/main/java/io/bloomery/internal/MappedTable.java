package io.bloomery.internal;

import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of bits that lie in a mapped file, as a {@code BitTable} wrote them. Any number of
 * threads may read them.
 */
public final class MappedTable {

  private final LongBuffer[] segments;
  private final int shift;
  private final int mask;
  private final long bits;

  /**
   * Makes a table over the words of a mapped file.
   *
   * @param segments all but the last of the same length, a power of two
   */
  public MappedTable(LongBuffer[] segments) {
    this.segments = segments;
    long words = 0;
    for (LongBuffer segment : segments) {
      words += segment.limit();
    }
    this.bits = words * Long.SIZE;
    // With one segment all of an index stands below the shift.
    int length = segments.length == 1 ? 1 << 31 : segments[0].limit();
    this.shift = Integer.numberOfTrailingZeros(length);
    this.mask = length - 1;
  }

  /** Returns the number of bits. */
  public long sizeInBits() {
    return bits;
  }

  /**
   * Returns all words, for loops whose speed matters, or null if they do not fit into one buffer:
   * beyond a GiB.
   */
  public @Nullable LongBuffer words() {
    return segments.length == 1 ? segments[0] : null;
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
