package io.bloomery.spi;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Sizing;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The layout of a filter that keeps its bits in one table, and the formulas of a Bloom filter whose
 * k hash functions may pick any of its m bits.
 *
 * <p>Formulas are computed with {@link StrictMath}: the same question has the same answer on every
 * JVM. Rates are those of hashes that behave as random.
 *
 * @param bits the number of bits m, a multiple of 64, at most {@link BitTable#MAX_BITS}
 * @param probes the number of probes k, from 1 to {@value #MAX_PROBES}
 */
public record TableLayout(long bits, int probes) {

  /**
   * The largest number of probes of a query; enough for the lowest rate that 64-bit hashes allow.
   */
  public static final int MAX_PROBES = 64;

  private static final String BITS = "bits";
  private static final String PROBES = "probes";

  /**
   * Checks both values.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TableLayout {
    Sizing.words(bits);
    if (probes < 1 || probes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "probes must be from 1 to " + MAX_PROBES + ", but was " + probes);
    }
  }

  /**
   * Finds the smallest table, in whole words, whose rate at {@code spec.expectedKeys()} is at most
   * {@code spec.falsePositiveRate()}, collisions of 64-bit hashes included; among equally small
   * ones that with the fewest probes.
   *
   * @throws IllegalArgumentException if that is more than {@link BitTable#MAX_BITS}
   */
  public static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    long minWords = Long.MAX_VALUE;
    int probes = 0;
    for (int k = 1; k <= MAX_PROBES; k++) {
      long words = Sizing.wordsNeeded(keys, rate, k);
      if (words < minWords) {
        minWords = words;
        probes = k;
      }
    }
    if (minWords > BitTable.MAX_BITS / Long.SIZE) {
      throw tooLarge(spec, minWords * (double) Long.SIZE);
    }
    return new TableLayout(minWords * Long.SIZE, probes);
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

  /**
   * Returns the rate after n different keys whose hashes do not collide: {@code (1 - (1 -
   * k/m)^n)^k}, which is exact for k separate slices and an upper bound for one table. Source:
   * Almeida, Baquero, Preguica, Hutchison, 2007, doi.org/10.1016/j.ipl.2006.10.007.
   */
  public double falsePositiveRate(long keys) {
    return Sizing.rate(keys, bits, probes);
  }

  /**
   * Measures a table of which so many bits are set, where every key set k bits.
   *
   * @param spec what its filter was made for
   */
  public FilterStats stats(FilterSpec spec, long setBits) {
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(StrictMath.pow((double) setBits / bits, probes))
        .approximateKeys(
            setBits == bits
                ? OptionalLong.empty()
                : OptionalLong.of(Sizing.approximateKeys(setBits, bits, probes)))
        .build();
  }

  /** Returns both numbers by name, as {@link io.bloomery.filter.Filter#layout} gives them. */
  public FilterLayout toLayout() {
    return FilterLayout.of(BITS, bits).with(PROBES, probes);
  }

  /**
   * Makes a layout of two such numbers.
   *
   * @throws IllegalArgumentException if there are others, one is missing, or one is out of range
   */
  public static TableLayout of(FilterLayout numbers) {
    if (!numbers.toMap().keySet().equals(Set.of(BITS, PROBES))) {
      throw new IllegalArgumentException(
          "layout must have bits and probes, but has " + numbers.toMap().keySet());
    }
    long probes = numbers.get(PROBES);
    return new TableLayout(
        numbers.get(BITS), (int) Math.max(0, Math.min(probes, Integer.MAX_VALUE)));
  }
}
