package io.bloomery.spi;

import io.bloomery.MappedPayload;
import java.io.IOException;
import java.nio.LongBuffer;

/**
 * A fixed number of bits that lie in a mapped file, as {@link BitTable#write} wrote them. Any
 * number of threads may read them.
 */
public final class MappedTable {

  private final LongBuffer[] segments;
  private final int shift;
  private final int mask;
  private final long bits;

  private MappedTable(LongBuffer[] segments, long bits) {
    this.segments = segments;
    this.bits = bits;
    // With one segment all of an index stands below the shift.
    int words = segments.length == 1 ? 1 << 31 : segments[0].limit();
    this.shift = Integer.numberOfTrailingZeros(words);
    this.mask = words - 1;
  }

  /**
   * Maps the next {@code bits} bits of a payload.
   *
   * @param bits a multiple of 64, at most {@link BitTable#MAX_BITS}
   */
  public static MappedTable map(long bits, MappedPayload in) throws IOException {
    return new MappedTable(in.mapLongs(BitTable.checkSize(bits)), bits);
  }

  /** Returns the number of bits. */
  public long sizeInBits() {
    return bits;
  }

  /**
   * Returns all words, for loops whose speed matters, or null if they do not fit into one buffer:
   * beyond a GiB.
   */
  public LongBuffer words() {
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
