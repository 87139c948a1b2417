package io.bloomery.spi;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Sizing;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * The layout of a filter that keeps its bits in one table: m bits, k probes, and whatever further
 * numbers the variant has; and the formulas of a Bloom filter whose k hash functions may pick any
 * of the m bits.
 *
 * <pre>{@code
 * TableLayout.ofBits(9_600).withProbes(7)
 * TableLayout.ofBits(9_728).withProbes(7).with("block-bits", 512)
 * }</pre>
 *
 * <p>Formulas are computed with {@link StrictMath}: the same question has the same answer on every
 * JVM. Rates are those of hashes that behave as random.
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
  private final FilterLayout numbers; // these two and all others

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
   * Makes a layout of so many bits with one probe and no further numbers.
   *
   * @param bits a multiple of 64, at most {@link BitTable#MAX_BITS}
   * @throws IllegalArgumentException if it is not
   */
  public static TableLayout ofBits(long bits) {
    return new TableLayout(FilterLayout.of(BITS, bits).with(PROBES, 1));
  }

  /**
   * Returns the same layout with another number of probes.
   *
   * @param probes from 1 to {@value #MAX_PROBES}
   * @throws IllegalArgumentException if it is out of range
   */
  public TableLayout withProbes(int probes) {
    return with(PROBES, probes);
  }

  /**
   * Returns the same layout with one number more, or another in its place. A provider names those
   * it has beside {@code bits} and {@code probes} in {@link TableProvider#furtherNumbers}.
   *
   * @throws IllegalArgumentException if the name is not one, or the number is that of bits or of
   *     probes and out of range
   */
  public TableLayout with(String name, long number) {
    return new TableLayout(numbers.with(name, number));
  }

  /**
   * Makes a layout of numbers by name.
   *
   * @param further the names that there must be beside {@code bits} and {@code probes}
   * @throws IllegalArgumentException if there are others, one is missing, or bits or probes are out
   *     of range
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

  /** Makes a layout of bits and probes, and no other number. */
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
   * @throws IllegalArgumentException if there is none of this name; the message has those there are
   */
  public long get(String name) {
    return numbers.get(name);
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
      } else if (words > minWords) {
        // Once more probes need more bits, still more of them do, too.
        break;
      }
    }
    if (minWords > BitTable.MAX_BITS / Long.SIZE) {
      throw tooLarge(spec, minWords * (double) Long.SIZE);
    }
    return ofBits(minWords * Long.SIZE).withProbes(probes);
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

  /** Returns all numbers by name, as {@link io.bloomery.filter.Filter#layout} gives them. */
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

  /** Returns the numbers as {@code {bits=64, probes=1}}. */
  @Override
  public String toString() {
    return numbers.toString();
  }
}
