package io.bloomery.spi;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.internal.Sizing;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;

/**
 * The layout of a filter with a single bit array, or table: m bits, k probes, and further numbers
 * of the variant; with the formulas of a Bloom filter whose k hash functions may select any of the
 * m bits.
 *
 * <pre>{@code
 * TableLayout.ofBits(9_600).withProbes(7)
 * TableLayout.ofBits(9_728).withProbes(7).with("block-bits", 512)
 * }</pre>
 *
 * <p>Formulas are computed with {@link StrictMath}, so that results are equal on every JVM. Rates
 * hold for hashes that behave as random.
 */
public final class TableLayout {

  /**
   * The largest number of probes of a query; enough for the lowest rate that 64-bit hashes allow.
   */
  public static final int MAX_PROBES = 64;

  private static final String BITS = "bits";
  private static final String PROBES = "probes";

  private final long bits;
  private final int probes;
  private final FilterLayout numbers; // bits and probes included

  private TableLayout(FilterLayout numbers) {
    this.bits = numbers.get(BITS);
    Sizing.words(bits);
    long probes = numbers.get(PROBES);
    if (probes < 1 || probes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "probes must be from 1 to " + MAX_PROBES + ", but was " + probes);
    }
    this.probes = (int) probes;
    this.numbers = numbers;
  }

  /**
   * Returns a layout with one probe and no further numbers.
   *
   * @param bits a multiple of 64, at most {@link BitTable#MAX_BITS}
   * @throws IllegalArgumentException if {@code bits} is out of range or not a multiple of 64
   */
  public static TableLayout ofBits(long bits) {
    return new TableLayout(FilterLayout.of(BITS, bits).with(PROBES, 1));
  }

  /**
   * Returns a copy of this layout with another number of probes.
   *
   * @param probes from 1 to {@value #MAX_PROBES}
   * @throws IllegalArgumentException if {@code probes} is out of range
   */
  public TableLayout withProbes(int probes) {
    return with(PROBES, probes);
  }

  /**
   * Returns a copy of this layout with a number added or replaced. A provider must list its numbers
   * other than {@code bits} and {@code probes} in {@link TableProvider#furtherNumbers}.
   *
   * @throws IllegalArgumentException if the name is not a valid name of a number, or {@code bits}
   *     or {@code probes} would be out of range
   */
  public TableLayout with(String name, long number) {
    return new TableLayout(numbers.with(name, number));
  }

  /**
   * Returns the layout of named numbers.
   *
   * @param further the names required besides {@code bits} and {@code probes}
   * @throws IllegalArgumentException if a name is missing or unknown, or bits or probes are out of
   *     range
   */
  public static TableLayout of(FilterLayout numbers, Set<String> further) {
    Set<String> names = new TreeSet<>(further);
    names.add(BITS);
    names.add(PROBES);
    if (!numbers.toMap().keySet().equals(names)) {
      throw new IllegalArgumentException(
          "layout must have " + names + ", but has " + numbers.toMap().keySet());
    }
    return new TableLayout(numbers);
  }

  /** Returns the layout of numbers that are {@code bits} and {@code probes} only. */
  public static TableLayout of(FilterLayout numbers) {
    return of(numbers, Set.of());
  }

  /** Returns the number of bits m. */
  public long bits() {
    return bits;
  }

  /** Returns the number of probes k. */
  public int probes() {
    return probes;
  }

  /**
   * Returns a number by its name.
   *
   * @throws IllegalArgumentException if the layout has no number of this name; the message has all
   *     names
   */
  public long get(String name) {
    return numbers.get(name);
  }

  /**
   * Returns the layout of the smallest table, in whole words, whose false-positive probability at
   * {@code spec.expectedKeys()} is at most {@code spec.falsePositiveRate()}, collisions of 64-bit
   * hashes included; among equally small tables, that with the fewest probes.
   *
   * @throws IllegalArgumentException if the table would have more bits than {@link
   *     BitTable#MAX_BITS}
   */
  public static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    long minWords = Long.MAX_VALUE;
    int probes = 0;
    // No table has fewer words than one.
    for (int k = 1; k <= MAX_PROBES && minWords > 1; k++) {
      long words = Sizing.wordsNeeded(keys, rate, k);
      if (words < minWords) {
        minWords = words;
        probes = k;
      } else if (words > minWords) {
        // The bits needed have a single minimum over k.
        break;
      }
    }
    if (minWords > BitTable.MAX_BITS / Long.SIZE) {
      throw tooLarge(spec, minWords * (double) Long.SIZE);
    }
    return ofBits(minWords * Long.SIZE).withProbes(probes);
  }

  /**
   * Returns an exception, to be thrown by the caller, about a spec that needs more bits than a
   * table can have.
   */
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
   * Returns the false-positive probability after insertion of n distinct keys whose hashes do not
   * collide: {@code (1 - (1 - k/m)^n)^k}, which is exact for k separate slices and an upper bound
   * for one table. Source: Almeida, Baquero, Preguica, Hutchison, 2007,
   * doi.org/10.1016/j.ipl.2006.10.007.
   */
  public double falsePositiveRate(long keys) {
    return Sizing.rate(keys, bits, probes);
  }

  /**
   * Returns the statistics of a table, from the number of its set bits; every key is assumed to
   * have set k bits.
   *
   * @param spec the specification that the filter was created for
   */
  public FilterStats stats(FilterSpec spec, long setBits) {
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(StrictMath.pow((double) setBits / bits, probes))
        .approximateKeys(
            setBits == bits
                ? OptionalLong.empty()
                : OptionalLong.of(StrictMath.round(Sizing.keys(setBits, bits, probes))))
        .build();
  }

  /**
   * Returns the estimator of the number of keys by which {@link #stats} estimates it, for variants
   * whose probes are uniform over the whole table.
   */
  public KeyEstimator estimator() {
    return new KeyEstimator() {
      @Override
      public OptionalDouble keys(LongUnaryOperator words) {
        long setBits = 0;
        for (long i = 0; i < bits / Long.SIZE; i++) {
          setBits += Long.bitCount(words.applyAsLong(i));
        }
        return setBits == bits
            ? OptionalDouble.empty()
            : OptionalDouble.of(Sizing.keys(setBits, bits, probes));
      }

      @Override
      public double variance(double keys) {
        return Sizing.variance(keys, (double) bits, probes);
      }
    };
  }

  /** Returns all numbers by name, as {@link io.bloomery.filter.Filter#layout} does. */
  public FilterLayout toLayout() {
    return numbers;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableLayout layout && layout.numbers.equals(numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }

  /** Returns the numbers by name, {@code {bits=64, probes=1}} for example. */
  @Override
  public String toString() {
    return numbers.toString();
  }
}
