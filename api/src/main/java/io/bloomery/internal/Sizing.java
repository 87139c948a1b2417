package io.bloomery.internal;

/**
 * The formulas of a Bloom filter whose k probes fall anywhere in one table.
 *
 * <p>n is the number of keys, m of bits, k of probes, p the false-positive rate. Rates are those of
 * hashes that behave as random. All of it is computed with {@link StrictMath}: the same question
 * has the same answer on every JVM.
 */
public final class Sizing {

  // Up to here, rates are the same to the fifth digit whether words come equally often or not.
  private static final long EVEN_WORDS = 1L << 24;

  /** The largest number of bits of one table: 2^31 - 8 words of 64. */
  public static final long MAX_BITS = ((1L << 31) - 8) * Long.SIZE;

  private Sizing() {}

  /**
   * Checks a false-positive rate that is asked for.
   *
   * @throws IllegalArgumentException if it is not between 0 and 1
   */
  public static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "rate must be between 0 and 1 (exclusive), but was "
              + rate
              + (rate >= 1 && rate < 100 ? "; for " + rate + " % write " + rate / 100 : ""));
    }
  }

  /**
   * Returns the number of words of a table, if it can have so many bits.
   *
   * @throws IllegalArgumentException if it cannot
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
   * <p>That is exact for k separate slices of m/k bits, and an upper bound for one table, where
   * probes of one key may coincide; the usual {@code (1 - e^(-kn/m))^k} is a lower bound, by half
   * at n = 1 and by 9 % at n = 10. Source: Almeida, Baquero, Preguica, Hutchison, 2007,
   * doi.org/10.1016/j.ipl.2006.10.007; Bose et al., 2008, doi.org/10.1016/j.ipl.2008.05.018.
   */
  public static double rate(long keys, long bits, int probes) {
    double fill = -StrictMath.expm1(keys * StrictMath.log1p(-(double) probes / bits));
    return StrictMath.pow(fill, probes);
  }

  /**
   * Returns the share of set bits in a table after n keys, whose probes {@link WordProbes} picks; a
   * power of it is the rate. In tables above 128 MiB some words come more often than others, by one
   * of the 2^32 values that all words share: being fuller, they raise the rate by 0.1 % of itself
   * at 1 GiB and by up to 14 % in the largest tables, and that is counted.
   *
   * @param perKey how many probes of a key fall into these words
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
   * Returns how much the rate of any filter rises because hashes have only 64 bits: n/2^64.
   *
   * @see io.bloomery.filter.FilterSpec#lowestRate
   */
  public static double collisionRate(long keys) {
    return keys * 0x1p-64;
  }

  /**
   * Returns the fewest words of a table whose rate after n keys is at most {@code rate}, hash
   * collisions left out: the formula of {@link #rate} solved for m.
   */
  public static long wordsNeeded(long keys, double rate, int probes) {
    double fill = StrictMath.pow(rate, 1.0 / probes);
    double bits = probes / -StrictMath.expm1(StrictMath.log1p(-fill) / keys);
    long words = (long) StrictMath.ceil(bits / Long.SIZE);
    // Rounding can leave it short by a word.
    while (words < Long.MAX_VALUE / Long.SIZE && rate(keys, words * Long.SIZE, probes) > rate) {
      words++;
    }
    return words;
  }

  /**
   * Estimates how many different keys have set so many bits of a table, fewer than all. Source:
   * Swamidass and Baldi, 2007, doi.org/10.1021/ci600358f.
   */
  public static long approximateKeys(long setBits, long bits, int probes) {
    double perProbe = StrictMath.log1p(-1.0 / bits);
    return StrictMath.round(StrictMath.log1p(-(double) setBits / bits) / (probes * perProbe));
  }
}
