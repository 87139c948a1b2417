package io.bloomery.guard;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A sample of the different keys that the source does not have, and how many of them the filter let
 * through: its false-positive rate, measured.
 *
 * <p>Each key counts once, however often it is asked for, and it is a matter of its hash alone
 * whether it is in the sample. Counting questions would not do: of a key that the filter lets
 * through only the first reaches the source, of one that it keeps back each is seen, so that the
 * rate would fall with every repetition.
 */
final class AbsentKeySample {

  private static final int MAX_KEYS = 1 << 14;
  private static final int MIN_SLOTS = 1 << 10;
  private static final long FALSE_POSITIVE = 1;
  private static final long EMPTY = 0;
  // Odd, so that no two hashes become one, and such that the highest bits, by which a key is in the
  // sample, depend on all of the hash: those that decide where the filter looks must not be the
  // same for all of them.
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  // Keys are in the sample if their product is at most this, as a number without sign.
  private volatile long limit = -1L;
  private volatile AtomicLongArray slots = new AtomicLongArray(MIN_SLOTS);
  private int keys;
  private int falsePositives;

  /** Counts a key that the filter kept back. */
  void keptBack(long hash) {
    long key = hash * MULTIPLIER;
    // Nearly every question ends here; so this is all that is compiled into it.
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, 0);
    }
  }

  /** Counts a key that the filter let through and the source does not have. */
  void letThrough(long hash) {
    long key = hash * MULTIPLIER;
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, FALSE_POSITIVE);
    }
  }

  /** Returns what was measured. */
  synchronized MeasuredRate rate() {
    return new MeasuredRate(keys, falsePositives);
  }

  private void add(long product, long verdict) {
    // Bit 0 is kept for the verdict, bit 1 makes a key differ from an empty slot.
    long key = (product | 2) & ~FALSE_POSITIVE;
    if (!isIn(slots, key)) {
      insert(key, verdict);
    }
  }

  // Asked without the lock: what another thread is just adding is found by the one who has it.
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

  /** Returns where a key stands, or the empty slot where it would. */
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
