package io.bloomery.conformance.internal.cases;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases whose tables have a number of words that was asked for. Tables are copied, cleared and
 * written in parts, and what goes wrong at the end of a part needs a table that ends there: sizes
 * that are drawn hardly ever do.
 */
public final class TableEdges {

  private static final long MAX_KEYS = 1_000_000;

  private TableEdges() {}

  /**
   * Returns, for each number of words at each rate that is offered, the smallest filter that has at
   * least as many, and the next smaller one, with up to so many hashes put.
   */
  public static List<Case> around(Offer offer, int maxPut, long[] words, double... rates) {
    List<Case> edges = new ArrayList<>();
    for (double rate : rates) {
      for (long number : words) {
        long keys = minKeys(offer, number * Long.SIZE, rate);
        if (keys > 1) {
          edges.add(Case.of(keys, rate).withPut((int) Math.min(keys, maxPut)));
          edges.add(Case.of(keys - 1, rate).withPut((int) Math.min(keys, maxPut)));
        }
      }
    }
    return edges;
  }

  /** Returns the fewest keys for which a filter has so many bits, or nothing above one if none. */
  private static long minKeys(Offer offer, long bits, double rate) {
    long fewer = 0;
    long enough = MAX_KEYS;
    if (!has(offer, enough, rate, bits)) {
      return 0;
    }
    while (enough - fewer > 1) {
      long middle = fewer + (enough - fewer) / 2;
      if (has(offer, middle, rate, bits)) {
        enough = middle;
      } else {
        fewer = middle;
      }
    }
    return enough;
  }

  private static boolean has(Offer offer, long keys, double rate, long bits) {
    return offer.plan(keys, rate).filter(plan -> plan.sizeInBits() >= bits).isPresent();
  }
}
