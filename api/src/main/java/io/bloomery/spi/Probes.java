package io.bloomery.spi;

/**
 * The positions that a hash stands for in a table.
 *
 * <p>A key's first probe is its hash; {@link #next} makes each further one and {@link #position}
 * maps a probe into a table:
 *
 * <pre>{@code
 * long probe = hash;
 * for (int i = 0; i < probes; i++) {
 *   long bit = Probes.position(probe, bits);
 *   probe = Probes.next(probe);
 * }
 * }</pre>
 *
 * <p>All 64 bits of the hash take part in every probe but the first, so that two keys share their
 * positions only by chance. Double hashing, where the i-th position is {@code a + i b}, lacks that:
 * in small tables its rate is many times the promised one. These numbers are part of the file
 * format.
 */
public final class Probes {

  // Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5: high bits of the sequence are spread
  // well in every number of dimensions that matters here. Nothing is added, so that a loop whose
  // length is known multiplies the hash by a power of this and no probe waits for the one before.
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  private Probes() {}

  /** Returns the probe that follows {@code probe}. */
  public static long next(long probe) {
    return probe * MULTIPLIER;
  }

  /**
   * Maps a probe evenly to a position in [0, size): {@code floor((probe >>> 1) * size / 2^63)}.
   *
   * @param size less than 2^62
   */
  public static long position(long probe, long size) {
    // Half the probe times twice the size: a signed product serves, and needs no correction.
    return Math.multiplyHigh(probe >>> 1, size << 1);
  }
}
