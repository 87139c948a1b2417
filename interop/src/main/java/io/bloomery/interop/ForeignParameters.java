package io.bloomery.interop;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What a new foreign filter is made for: keys and a rate, from which the peer computes its table,
 * or the table itself.
 */
public final class ForeignParameters {

  private final long keys;
  private final double rate;
  private final long bits;
  private final int probes;
  private final OptionalLong seed;
  private final int expansion;

  private ForeignParameters(
      long keys, double rate, long bits, int probes, OptionalLong seed, int expansion) {
    this.keys = keys;
    this.rate = rate;
    this.bits = bits;
    this.probes = probes;
    this.seed = seed;
    this.expansion = expansion;
  }

  /**
   * Asks for the table that the peer would make for so many keys at a rate.
   *
   * @throws IllegalArgumentException if there is no key, or the rate is not between 0 and 1
   */
  public static ForeignParameters expect(long keys, double rate) {
    if (keys < 1 || !(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "keys must be at least 1 and the rate between 0 and 1 (exclusive), but were "
              + keys
              + " and "
              + rate);
    }
    return new ForeignParameters(keys, rate, 0, 0, OptionalLong.empty(), 2);
  }

  /**
   * Asks for a table of so many bits and hash functions. Formats that count in words round the bits
   * up.
   *
   * @throws IllegalArgumentException if one of them is below 1
   */
  public static ForeignParameters table(long bits, int probes) {
    if (bits < 1 || probes < 1) {
      throw new IllegalArgumentException(
          "bits and hash functions must be at least 1, but were " + bits + " and " + probes);
    }
    // What such a table is best for, for headers that name keys and a rate.
    long keys = Math.max(1, (long) (bits * Math.log(2) / probes));
    return new ForeignParameters(
        keys, Math.pow(0.5, probes), bits, probes, OptionalLong.empty(), 2);
  }

  /** Sets the seed of formats that keep one: spark-v2, whose own is 0, and datasketches. */
  public ForeignParameters seed(long seed) {
    return new ForeignParameters(keys, rate, bits, probes, OptionalLong.of(seed), expansion);
  }

  /** Sets how many times larger RedisBloom's next filter is, 2 unless said; 0: it never grows. */
  public ForeignParameters expansion(int expansion) {
    if (expansion < 0) {
      throw new IllegalArgumentException("expansion must be at least 0, but was " + expansion);
    }
    return new ForeignParameters(keys, rate, bits, probes, seed, expansion);
  }

  long keys() {
    return keys;
  }

  double rate() {
    return rate;
  }

  boolean hasBits() {
    return bits > 0;
  }

  long bits() {
    return bits;
  }

  long seedOr(long usual) {
    return seed.orElse(usual);
  }

  int expansion() {
    return expansion;
  }

  /** Returns the hash functions asked for, or those that the peer computes. */
  int probes(long computed, int limit) {
    long chosen = hasBits() ? probes : computed;
    if (chosen > limit) {
      throw new IllegalArgumentException(
          "hash functions must be at most " + limit + ", but would be " + chosen);
    }
    return (int) chosen;
  }

  /** Refuses a table of other hash functions than the only number that the peer has. */
  void requireProbes(int only) {
    if (probes != only) {
      throw new IllegalArgumentException(
          "hash functions must be " + only + " there, but were " + probes);
    }
  }

  /** Returns an empty table of the bits asked for, or of those that the peer computes. */
  long[] table(double computed) {
    return table(computed, ForeignTable.MAX_BITS);
  }

  /** Returns such a table, of no more bits than a limit of the peer's. */
  long[] table(double computed, long limit) {
    double wanted = hasBits() ? (double) bits : computed;
    if (wanted > limit) {
      throw new IllegalArgumentException(
          "a table must have at most "
              + limit
              + " bits there, but would have "
              + (long) wanted
              + "; ask for fewer keys or a higher rate");
    }
    return ForeignTable.table(wanted);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignParameters that
        && that.keys == keys
        && Double.compare(that.rate, rate) == 0
        && that.bits == bits
        && that.probes == probes
        && that.seed.equals(seed)
        && that.expansion == expansion;
  }

  @Override
  public int hashCode() {
    return Objects.hash(keys, rate, bits, probes, seed, expansion);
  }
}
