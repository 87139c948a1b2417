package io.bloomery.spi;

import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import java.util.Locale;
import java.util.OptionalLong;

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

  private Sizing() {}

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
   * of the 2^32 values that all words share: being fuller, they raise the rate by XX % of itself at
   * 1 GiB and by YY % at most in the largest tables, and that is counted.
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
   * @see FilterSpec#lowestRate
   */
  public static double collisionRate(long keys) {
    return keys * 0x1p-64;
  }

  /**
   * Finds the smallest table, in whole words, whose rate at {@code spec.expectedKeys()} is at most
   * {@code spec.falsePositiveRate()}, hash collisions included; among equally small ones that with
   * the fewest probes.
   *
   * @throws IllegalArgumentException if that is more than {@link BitTable#MAX_BITS}
   */
  public static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - collisionRate(keys);
    long fewestWords = Long.MAX_VALUE;
    int probes = 0;
    for (int k = 1; k <= TableLayout.MAX_PROBES; k++) {
      long words = wordsNeeded(keys, rate, k);
      if (words < fewestWords) {
        fewestWords = words;
        probes = k;
      }
    }
    if (fewestWords > BitTable.MAX_BITS / Long.SIZE) {
      throw tooLarge(spec, fewestWords * (double) Long.SIZE);
    }
    return new TableLayout(fewestWords * Long.SIZE, probes);
  }

  /** Returns an exception about a spec that needs more bits than one table has, to be thrown. */
  public static IllegalArgumentException tooLarge(FilterSpec spec, double bits) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%d keys at a rate of %s must fit into one table of %d bits, but need %.0f;"
                + " ask for fewer keys or a higher rate, or spread the keys over several filters",
            spec.expectedKeys(),
            spec.falsePositiveRate(),
            BitTable.MAX_BITS,
            bits));
  }

  // The rate solved for m, then checked, since rounding can leave it short by a word.
  private static long wordsNeeded(long keys, double rate, int probes) {
    double fill = StrictMath.pow(rate, 1.0 / probes);
    double bits = probes / -StrictMath.expm1(StrictMath.log1p(-fill) / keys);
    long words = (long) StrictMath.ceil(bits / Long.SIZE);
    while (words < Long.MAX_VALUE / Long.SIZE && rate(keys, words * Long.SIZE, probes) > rate) {
      words++;
    }
    return words;
  }

  /** Measures one table into which every key set k bits. */
  public static FilterStats stats(BitTable table, int probes) {
    return stats(table.sizeInBits(), table.countSetBits(), probes);
  }

  /** Measures one table by how many of its bits are set, where every key set k bits. */
  public static FilterStats stats(long bits, long set, int probes) {
    return new FilterStats(
        bits,
        set,
        StrictMath.pow((double) set / bits, probes),
        set == bits ? OptionalLong.empty() : OptionalLong.of(approximateKeys(set, bits, probes)));
  }

  private static long approximateKeys(long set, long bits, int probes) {
    double perProbe = StrictMath.log1p(-1.0 / bits);
    return StrictMath.round(StrictMath.log1p(-(double) set / bits) / (probes * perProbe));
  }
}
