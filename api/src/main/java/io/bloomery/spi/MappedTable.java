package io.bloomery.spi;

import io.bloomery.filter.PayloadInput;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.Optional;

/**
 * A fixed number of bits that lie in a mapped file, as {@link BitTable#write} wrote them. Any
 * number of threads may read them; nobody can write.
 *
 * <p>Until a bit is asked for, it costs neither memory nor time. {@link #word} and {@link #get}
 * check nothing but the end of a file's last part, so that an index beyond the table throws
 * IndexOutOfBoundsException.
 */
public final class MappedTable {

  private final LongBuffer[] segments;
  private final int shift;
  private final int mask;
  private final long bits;

  /**
   * Takes the next words of a filter's content as a table of the layout's bits.
   *
   * @throws io.bloomery.filter.FilterFormatException if there are fewer words left
   */
  public static MappedTable map(TableLayout layout, PayloadInput in) throws IOException {
    return map(layout.bits(), in);
  }

  /**
   * Takes the next words of a filter's content as a table of so many bits.
   *
   * @param bits a multiple of 64, at least 64
   * @throws IllegalArgumentException if it is not
   * @throws io.bloomery.filter.FilterFormatException if there are fewer words left
   */
  public static MappedTable map(long bits, PayloadInput in) throws IOException {
    if (bits < Long.SIZE || bits % Long.SIZE != 0) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 64, at least 64, but was " + bits);
    }
    return new MappedTable(in.mapLongs(bits / Long.SIZE));
  }

  // All but the last of the same length, a power of two.
  private MappedTable(LongBuffer[] segments) {
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
   * Returns all words in one buffer that cannot be written to, for loops whose speed matters; empty
   * if they do not fit into one: beyond a GiB.
   */
  public Optional<LongBuffer> buffer() {
    return segments.length == 1 ? Optional.of(segments[0]) : Optional.empty();
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
