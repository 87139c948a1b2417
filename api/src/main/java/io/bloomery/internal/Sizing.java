package io.bloomery.internal;

import java.math.BigDecimal;

/**
 * The formulas of a Bloom filter whose k probes may be anywhere in one table.
 *
 * <p>n is the number of keys, m of bits, k of probes, p the false-positive rate. Rates hold for
 * hashes that behave as random. All formulas use {@link StrictMath}, so that results are equal on
 * every JVM.
 */
public final class Sizing {
  // decisions.md#the-rate-is-planned-by-1---1---kmnk
  // decisions.md#half-of-the-rate-at-most-goes-to-hash-collisions

  // Up to this size, treating words as equally frequent makes a fill too low by less than 10^-10 of
  // itself.
  private static final long EVEN_WORDS = 1L << 16;

  /** The largest number of bits of one table: 2^31 - 8 words of 64. */
  public static final long MAX_BITS = ((1L << 31) - 8) * Long.SIZE;

  private Sizing() {}

  /**
   * Checks a requested false-positive rate.
   *
   * @throws IllegalArgumentException if it is not between 0 and 1
   */
  public static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "rate must be between 0 and 1 (exclusive), but was "
              + rate
              + (rate >= 1 && rate < 100 ? "; for " + rate + " % write " + percent(rate) : ""));
    }
  }

  // In decimal: 1.1 / 100 is 0.011000000000000001 in binary.
  private static double percent(double rate) {
    return BigDecimal.valueOf(rate).movePointLeft(2).doubleValue();
  }

  /**
   * Returns the number of words of a table of {@code bits} bits.
   *
   * @throws IllegalArgumentException if a table cannot have this number of bits
   */
  public static int words(long bits) {
    if (bits < Long.SIZE || bits > MAX_BITS || bits % Long.SIZE != 0) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 64 from 64 to " + MAX_BITS + ", but was " + bits);
    }
    return (int) (bits / Long.SIZE);
  }

  /**
   * Returns the rate after n keys: {@code (1 - (1 - k/m)^n)^k}.
   *
   * <p>This is exact for k separate slices of m/k bits, and an upper bound for one table, where the
   * probes of a key may coincide; the usual {@code (1 - e^(-kn/m))^k} is a lower bound. {@code
   * docs/rates.md} derives both. Source: Almeida, Baquero, Preguica, Hutchison, 2007,
   * doi.org/10.1016/j.ipl.2006.10.007; Bose et al., 2008, doi.org/10.1016/j.ipl.2008.05.018.
   */
  public static double rate(long keys, long bits, int probes) {
    double fill = -StrictMath.expm1(keys * StrictMath.log1p(-(double) probes / bits));
    return StrictMath.pow(fill, probes);
  }

  /**
   * Returns the expected fraction of set bits in a table after n keys with probes selected by
   * {@link WordProbes}; its power is the rate. In large tables, some words are selected by one more
   * of the 2^32 values than others. These are fuller and raise the rate, at 128 MiB by 0.001 % of
   * itself, at 1 GiB by 0.1 % and in the largest tables by up to 14 %, which is taken into account.
   *
   * @param perKey the number of probes of a key in these words
   */
  public static double fill(long keys, long words, int perKey) {
    if (words <= EVEN_WORDS) {
      return -StrictMath.expm1(keys * StrictMath.log1p(-(double) perKey / (words * Long.SIZE)));
    }
    long values = WordProbes.VALUES / words;
    long withOneMore = WordProbes.VALUES % words;
    double share = (double) withOneMore / WordProbes.VALUES * (values + 1);
    return share * fillOfWord(keys, values + 1, perKey)
        + (1 - share) * fillOfWord(keys, values, perKey);
  }

  private static double fillOfWord(long keys, long values, int perKey) {
    double chance = (double) perKey * values / WordProbes.VALUES / Long.SIZE;
    return -StrictMath.expm1(keys * StrictMath.log1p(-chance));
  }

  /**
   * Returns the increase of the rate of any filter because hashes have only 64 bits: n/2^64.
   *
   * @see io.bloomery.filter.FilterSpec#lowestRate
   */
  public static double collisionRate(long keys) {
    return keys * 0x1p-64;
  }

  /**
   * Returns the minimum number of words of a table whose rate after n keys is at most {@code rate},
   * disregarding hash collisions: the formula of {@link #rate} solved for m.
   */
  public static long wordsNeeded(long keys, double rate, int probes) {
    double fill = StrictMath.pow(rate, 1.0 / probes);
    double bits = probes / -StrictMath.expm1(StrictMath.log1p(-fill) / keys);
    long words = (long) StrictMath.ceil(bits / Long.SIZE);
    // Rounding may make the result too small by a word.
    while (words < Long.MAX_VALUE / Long.SIZE && rate(keys, words * Long.SIZE, probes) > rate) {
      words++;
    }
    return words;
  }

  /**
   * Estimates the number of distinct keys in a table, given its number of set bits, which must be
   * less than all. Source: Swamidass and Baldi, 2007, doi.org/10.1021/ci600358f.
   */
  public static double keys(long setBits, long bits, int probes) {
    double perProbe = StrictMath.log1p(-1.0 / bits);
    return StrictMath.log1p(-(double) setBits / bits) / (probes * perProbe);
  }

  /**
   * Returns the variance of the estimate {@link #keys} for n keys: {@code m (e^c - 1 - c) / k^2}
   * where {@code c = kn/m}; derived in docs/overlap.md.
   */
  public static double variance(double keys, double bits, double probes) {
    double load = probes * keys / bits;
    // Below, the difference of e^c - 1 and c would be of rounding errors.
    double beyond = load < 1e-4 ? load * load / 2 : StrictMath.expm1(load) - load;
    return bits * beyond / (probes * probes);
  }
}
