package io.bloomery.guard;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A sample of the distinct keys that the source does not have, with the number that passed the
 * filter, to measure its false-positive rate.
 *
 * <p>Each key counts once, however often it is queried, and membership in the sample depends on its
 * hash only. Counting queries would be biased: of a false positive only the first query reaches the
 * source, but of a rejected key every query is counted, so that the rate would fall with each
 * repetition.
 */
final class AbsentKeySample {

  private static final int MAX_KEYS = 1 << 14;
  private static final int MIN_SLOTS = 1 << 10;
  private static final long FALSE_POSITIVE = 1;
  private static final long EMPTY = 0;
  // Odd, so that the product is a bijection, and such that its highest bits, which select the
  // sample, depend on the whole hash: keys of the sample must not have the same filter positions.
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  // The sample has the keys whose product is at most this, unsigned.
  private volatile long limit = -1L;
  private volatile AtomicLongArray slots = new AtomicLongArray(MIN_SLOTS);
  private int keys;
  private int falsePositives;

  /** Counts a key that the filter rejected. */
  void keptBack(long hash) {
    long key = hash * MULTIPLIER;
    // Kept small so that it is inlined: nearly every query ends here.
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, 0);
    }
  }

  /** Counts a false positive: a key that passed the filter and that the source does not have. */
  void letThrough(long hash) {
    long key = hash * MULTIPLIER;
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, FALSE_POSITIVE);
    }
  }

  /** Returns the measured rate. */
  synchronized MeasuredRate rate() {
    return new MeasuredRate(keys, falsePositives);
  }

  private void add(long product, long verdict) {
    // Bit 0 stores whether the key passed, bit 1 distinguishes a key from an empty slot.
    long key = (product | 2) & ~FALSE_POSITIVE;
    if (!isIn(slots, key)) {
      insert(key, verdict);
    }
  }

  // Without the lock: a key that is just being added is found again under the lock.
  private static boolean isIn(AtomicLongArray slots, long key) {
    return slots.getOpaque(slotOf(slots, key)) != EMPTY;
  }

  private synchronized void insert(long key, long verdict) {
    if (Long.compareUnsigned(key, limit) > 0 || isIn(slots, key)) {
      return;
    }
    slots.setOpaque(slotOf(slots, key), key | verdict);
    keys++;
    falsePositives += (int) verdict;
    if (keys == MAX_KEYS) {
      limit >>>= 1;
      rehash(slots.length());
    } else if (keys > slots.length() / 2) {
      rehash(2 * slots.length());
    }
  }

  private void rehash(int size) {
    AtomicLongArray before = slots;
    AtomicLongArray after = new AtomicLongArray(size);
    keys = 0;
    falsePositives = 0;
    for (int i = 0; i < before.length(); i++) {
      long entry = before.getOpaque(i);
      if (entry != EMPTY && Long.compareUnsigned(entry & ~FALSE_POSITIVE, limit) <= 0) {
        after.setOpaque(slotOf(after, entry), entry);
        keys++;
        falsePositives += (int) (entry & FALSE_POSITIVE);
      }
    }
    slots = after;
  }

  /** Returns the slot of a key, or the empty slot for it. */
  private static int slotOf(AtomicLongArray slots, long key) {
    int mask = slots.length() - 1;
    int slot = (int) (key >>> 24) & mask;
    while (true) {
      long entry = slots.getOpaque(slot);
      if (entry == EMPTY || entry >>> 1 == key >>> 1) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }
}
