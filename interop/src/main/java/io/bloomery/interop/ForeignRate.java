package io.bloomery.interop;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The false-positive rate of a foreign filter, with the interval in which it lies, and what the
 * other system takes it for.
 *
 * <p>Most systems compute the positions of a key from two hashes, each position from the last by
 * the same step, and their rate as if positions were independent. In a small table they are not:
 * the step of one key in m is a multiple of the number of bits m, so that all its positions are
 * one, and keys share the positions of others in a row. A filter of Guava for one key at 1e-7 has a
 * rate of 1e-2. Such a rate is measured, by keys drawn at random with a fixed seed.
 */
public final class ForeignRate {

  private static final int MOST_DRAWN = 1 << 22;
  private static final int SOME_DRAWN = 1 << 20;
  private static final int ENOUGH_HITS = 1_000;

  /** Fewer tell less than the formula does. */
  private static final int FEWEST_HITS = 25;

  /** A share of the rate that makes no difference. */
  private static final double NEGLIGIBLE = 0.02;

  private static final long SEED = 0x5eed;
  private static final double DEVIATIONS = 2.576; // 99 %

  // For new filters.
  private static final int MOST_FILLED = 1 << 12;
  private static final int MOST_KEYS = 1 << 20;

  private final double rate;
  private final double lowest;
  private final double highest;
  private final double ifIndependent;

  private ForeignRate(double rate, double lowest, double highest, double ifIndependent) {
    this.rate = rate;
    this.lowest = lowest;
    this.highest = highest;
    this.ifIndependent = ifIndependent;
  }

  /** Returns the rate of a table. */
  static ForeignRate of(ForeignTable table) {
    double independent = table.rate();
    double excess = table.excess(table.keys(), (double) table.setBits() / table.bits());
    if (!isMeasured(independent, excess)) {
      return new ForeignRate(independent, independent, independent + excess, independent);
    }
    Draws draws = new Draws();
    while (draws.hits < ENOUGH_HITS
        && draws.count < (draws.hits < FEWEST_HITS ? MOST_DRAWN : SOME_DRAWN)) {
      draws.draw(table);
    }
    return draws.rate(independent, excess);
  }

  /**
   * Returns the rate to expect of a table once it has a number of keys: the mean over fillings with
   * drawn keys.
   */
  static ForeignRate expected(Supplier<ForeignTable> empty, long keys) {
    ForeignTable table = empty.get();
    double fill = -Math.expm1(-(double) table.probes * keys / table.bits());
    double excess = table.excess((double) keys, fill);
    if (keys > MOST_KEYS) {
      double independent = Math.pow(fill, table.probes);
      return new ForeignRate(independent, independent, independent + excess, independent);
    }
    int fillings = (int) Math.max(1, Math.min(MOST_FILLED, (1 << 16) / keys));
    double independent = 0;
    Draws draws = new Draws();
    for (int i = 0; i < fillings; i++, table = empty.get()) {
      for (long key = 0; key < keys; key++) {
        table.put(draws.next());
      }
      independent += table.rate() / fillings;
      if (isMeasured(independent, excess)) {
        for (int drawn = 0; drawn < SOME_DRAWN / fillings; drawn++) {
          draws.draw(table);
        }
      }
    }
    return draws.rate(independent, excess);
  }

  /** Returns whether draws tell more than the formula does. */
  private static boolean isMeasured(double independent, double excess) {
    return independent > 0
        && excess > NEGLIGIBLE * independent
        && independent + excess > 1.0 / MOST_DRAWN;
  }

  /** Returns the rate, or the best estimate of it. */
  public double rate() {
    return rate;
  }

  /** Returns the lower end of the interval that contains the rate with a probability of 99 %. */
  public double lowest() {
    return lowest;
  }

  /** Returns the upper end of the interval that contains the rate with a probability of 99 %. */
  public double highest() {
    return highest;
  }

  /**
   * Returns the rate of such a table if the positions of a key were independent: what most systems
   * state themselves. It is far too low for small tables and low rates.
   */
  public double ifIndependent() {
    return ifIndependent;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.3g (%.3g to %.3g; %.3g if positions were independent)",
        rate,
        lowest,
        highest,
        ifIndependent);
  }

  /** Draws keys, and counts those that are found. */
  private static final class Draws {

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Item item = new Item();
    private long hits;
    private long count;

    Item next() {
      item.clear();
      item.addLittleEndian(random.nextLong());
      return item;
    }

    void draw(ForeignTable table) {
      hits += table.visit(next(), false) ? 1 : 0;
      count++;
    }

    ForeignRate rate(double independent, double excess) {
      if (count == 0) {
        return new ForeignRate(independent, independent, independent + excess, independent);
      }
      double measured = (double) hits / count;
      double square = DEVIATIONS * DEVIATIONS / count;
      double middle = measured + square / 2;
      double half = Math.sqrt(square * (measured * (1 - measured) + square / 4));
      double lowest = (middle - half) / (1 + square);
      double highest = (middle + half) / (1 + square);
      return hits >= FEWEST_HITS
          ? new ForeignRate(measured, lowest, highest, independent)
          : new ForeignRate(
              Math.max(measured, independent),
              Math.min(lowest, independent),
              Math.max(independent, Math.min(highest, independent + excess)),
              independent);
    }
  }
}
