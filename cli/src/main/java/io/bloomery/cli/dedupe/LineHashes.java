package io.bloomery.cli.dedupe;

import io.bloomery.cli.input.LineBatch;
import java.util.Arrays;

/** The hashes of some lines of a batch; with a set of objects, a run takes a tenth more time. */
final class LineHashes {

  private static final int SLOTS = 4 * LineBatch.MAX_LINES; // at most a quarter has a hash

  private final long[] slots = new long[SLOTS]; // 0 if there is none
  private boolean hasZero;

  void clear() {
    Arrays.fill(slots, 0);
    hasZero = false;
  }

  /** Adds a hash, and returns whether it was absent. */
  boolean add(long hash) {
    if (hash == 0) {
      boolean isNew = !hasZero;
      hasZero = true;
      return isNew;
    }
    int slot = (int) hash & (SLOTS - 1);
    while (slots[slot] != 0) {
      if (slots[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    slots[slot] = hash;
    return true;
  }
}
