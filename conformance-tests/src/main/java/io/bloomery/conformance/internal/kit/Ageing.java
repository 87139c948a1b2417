package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.Arrays;

/** Calls that change nothing in the end, more often than counters of one or two bytes count. */
final class Ageing {

  private static final int FEW = 300;
  private static final int MANY = 70_000;
  private static final int MOST = 1 << 20;

  /** Clearing these allocates anew, which takes longer. */
  private static final int OF_COSTLY = 500;

  /** The bytes that all calls of a kind may read or write together. */
  private static final long MAX_BYTES = 1L << 26;

  private final Filter filter;

  Ageing(Filter filter) {
    this.filter = filter;
  }

  private int affordable(int times) {
    return (int) Math.min(times, MAX_BYTES / (Long.SIZE + filter.payloadSize()));
  }

  void ask(long hash) {
    long[] batch = {hash};
    int[] hits = new int[1];
    boolean isThere = filter.mightContain(hash);
    for (int i = 0; i < MANY; i++) {
      assertTrue(isThere == filter.mightContain(hash), "the same answer as the first time");
      filter.select(batch, 0, 1, hits);
    }
    for (int i = affordable(FEW); i > 0; i--) {
      filter.stats();
    }
  }

  /** Puts a hash that is there: singly, in batches, and often in one batch. */
  void putAgain(long hash) {
    long[] run = new long[MANY];
    Arrays.fill(run, hash);
    if (filter instanceof RemovableFilter removable) {
      int times = 0;
      while (times < MANY && Subject.isTaken(filter, hash)) {
        times++;
      }
      assertTrue(removable.approximateCount(hash) > times, "a count that is not too low");
      removable.removeAll(run, 0, times);
      return;
    }
    for (int i = 0; i < MOST; i++) {
      assertFalse(filter.put(hash), "a put of what is there");
    }
    for (int i = 0; i < MANY; i++) {
      filter.putAll(run, 0, 1);
    }
    filter.putAll(run, 0, MANY);
  }

  /** Copies and writes, merges nothing into it, and at last clears it. */
  void clear() {
    boolean isCostly = filter instanceof RemovableFilter || filter.stats().grows();
    Filter nothing = filter.copy();
    nothing.clear();
    for (int i = affordable(FEW); i > 0; i--) {
      filter.copy();
      Payload.of(filter);
      if (filter instanceof MergeableFilter into) {
        into.putAll(nothing);
      }
    }
    for (int i = affordable(isCostly ? OF_COSTLY : MANY); i > 0; i--) {
      filter.clear();
    }
    filter.clear();
  }
}
