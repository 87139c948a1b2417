package io.bloomery.conformance.internal.cases;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases whose tables have given numbers of words. Tables are copied, cleared and written in parts,
 * and a fault at the end of a part is detected only with a table that ends there, which drawn sizes
 * hardly ever do.
 */
public final class TableEdges {

  private static final long MAX_KEYS = 1_000_000;

  private TableEdges() {}

  /**
   * Returns, for each number of words at each offered rate, the smallest filter that has at least
   * as many words, and the next smaller one, with at most {@code maxPut} hashes put.
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

  /**
   * Returns the minimum number of keys for which a filter has this many bits, or 0 if there is
   * none.
   */
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
