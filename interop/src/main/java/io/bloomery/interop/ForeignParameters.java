package io.bloomery.interop;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The parameters of a new foreign filter: the number of keys and a rate, from which the peer
 * computes its table, or the table itself.
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
   * Returns parameters for the table that the peer would create for a number of keys at a rate.
   *
   * @throws IllegalArgumentException if the number of keys is below 1, or the rate is not between 0
   *     and 1
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
   * Returns parameters for a table with a number of bits and hash functions. Formats with a length
   * in words round the bits up.
   *
   * @throws IllegalArgumentException if one of the numbers is below 1
   */
  public static ForeignParameters table(long bits, int probes) {
    if (bits < 1 || probes < 1) {
      throw new IllegalArgumentException(
          "bits and hash functions must be at least 1, but were " + bits + " and " + probes);
    }
    // The keys and rate for which such a table is optimal, for headers with these numbers.
    long keys = Math.max(1, (long) (bits * Math.log(2) / probes));
    return new ForeignParameters(
        keys, Math.pow(0.5, probes), bits, probes, OptionalLong.empty(), 2);
  }

  /**
   * Sets the seed, for formats that store one: spark-v2 and valkey-bloom, with default 0, and
   * datasketches.
   */
  public ForeignParameters seed(long seed) {
    return new ForeignParameters(keys, rate, bits, probes, OptionalLong.of(seed), expansion);
  }

  /**
   * Sets the growth factor of the next filter of RedisBloom and valkey-bloom, 2 by default; with 0
   * it never grows.
   */
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

  /** Returns the requested number of hash functions, or the one that the peer computes. */
  int probes(long computed, int limit) {
    long chosen = hasBits() ? probes : computed;
    if (chosen > limit) {
      throw new IllegalArgumentException(
          "hash functions must be at most " + limit + ", but would be " + chosen);
    }
    return (int) chosen;
  }

  /** Rejects any number of hash functions but the only one that the peer supports. */
  void requireProbes(int only) {
    if (probes != only) {
      throw new IllegalArgumentException(
          "hash functions must be " + only + " there, but were " + probes);
    }
  }

  /**
   * Returns an empty table with the requested number of bits, or the one that the peer computes.
   */
  long[] table(double computed) {
    return table(computed, ForeignTable.MAX_BITS);
  }

  /** Returns such a table, with a limit of the peer for the number of bits. */
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
