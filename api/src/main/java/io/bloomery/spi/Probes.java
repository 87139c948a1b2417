package io.bloomery.spi;

/**
 * The mapping of the probes of a hash to positions in a table.
 *
 * <p>A key's first probe is its hash; {@link #next} makes each further one and {@link #position}
 * maps a probe into the table:
 *
 * <pre>{@code
 * Probes table = Probes.within(bits);
 * long probe = hash;
 * for (int i = 0; i < probes; i++) {
 *   long bit = table.position(probe);
 *   probe = Probes.next(probe);
 * }
 * }</pre>
 *
 * <p>An instance is a single number: keep it in a field, or create it where it is used.
 *
 * <p>All 64 bits of the hash contribute to every probe but the first, so that two keys share their
 * positions only by chance. Double hashing, where the i-th position is {@code a + i b}, lacks this
 * property: in small tables its false-positive probability is many times the guaranteed one. These
 * numbers are part of the file format.
 */
public final class Probes {

  // Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5: the high bits of the sequence are
  // well distributed in every number of dimensions that matters here. Nothing is added, so that a
  // loop of known length multiplies the hash by powers of this, and no probe depends on the
  // previous one.
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  private static final long MAX_SIZE = (1L << 62) - 1;

  private final long twiceSize;

  private Probes(long twiceSize) {
    this.twiceSize = twiceSize;
  }

  /**
   * Returns the mapping of probes to positions from 0 to {@code size}, exclusive.
   *
   * @param size from 1 to 2^62 - 1
   * @throws IllegalArgumentException if it is not
   */
  public static Probes within(long size) {
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException("size must be from 1 to 2^62 - 1, but was " + size);
    }
    return new Probes(2 * size);
  }

  /** Returns the probe that follows {@code probe}. */
  public static long next(long probe) {
    return probe * MULTIPLIER;
  }

  /** Maps a probe uniformly to a position: {@code floor((probe >>> 1) * size / 2^63)}. */
  public long position(long probe) {
    // Half the probe times twice the size: a signed product suffices and needs no correction.
    return Math.multiplyHigh(probe >>> 1, twiceSize);
  }
}
