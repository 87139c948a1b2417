package io.bloomery.guard;

import java.util.Arrays;
import java.util.Optional;
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
  private static final long EMPTY = 0;
  // The lowest two bits of an entry. Of keys that were only asked about, the guard is told which
  // passed in vain only by callers that report them.
  private static final long KEPT_BACK = 1;
  private static final long ONLY_ASKED_ABOUT = 2;
  private static final long FALSE_POSITIVE = 3;
  // Odd, so that the product is a bijection, and such that its highest bits, which select the
  // sample, depend on the whole hash: keys of the sample must not have the same filter positions.
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  // The sample has the keys whose product is at most this, unsigned.
  private volatile long limit = -1L;
  private volatile AtomicLongArray slots = new AtomicLongArray(MIN_SLOTS);
  private final int[] counts = new int[(int) FALSE_POSITIVE + 1];
  private volatile boolean reported;
  private volatile boolean answered;
  private volatile boolean failed;

  /**
   * Counts a key that the filter rejected.
   *
   * @param asksSource whether the guard would have asked the source: otherwise it may never hear
   *     which of such keys pass in vain
   */
  void keptBack(long hash, boolean asksSource) {
    long key = hash * MULTIPLIER;
    // Kept small so that it is inlined: nearly every query ends here.
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, asksSource ? KEPT_BACK : ONLY_ASKED_ABOUT);
    }
  }

  /** Counts a false positive: a key that passed the filter and that the source does not have. */
  void letThrough(long hash) {
    long key = hash * MULTIPLIER;
    if (Long.compareUnsigned(key, limit) <= 0) {
      add(key, FALSE_POSITIVE);
    }
  }

  /** Counts a false positive that a caller reports. */
  void reported(long hash) {
    reported = true;
    letThrough(hash);
  }

  /** Records whether the source answered for a key that passed. */
  void asked(boolean hasAnswered) {
    if (hasAnswered && !answered) {
      answered = true;
    } else if (!hasAnswered && !failed) {
      failed = true;
    }
  }

  /**
   * Returns the measured rate, or empty if there is none: no keys, or only such as were asked about
   * by callers that report nothing, or a source that has never answered.
   */
  synchronized Optional<MeasuredRate> rate() {
    int falsePositives = counts[(int) FALSE_POSITIVE];
    int keys =
        falsePositives
            + (failed && !answered ? 0 : counts[(int) KEPT_BACK])
            + (reported ? counts[(int) ONLY_ASKED_ABOUT] : 0);
    return keys == 0 ? Optional.empty() : Optional.of(new MeasuredRate(keys, falsePositives));
  }

  private void add(long product, long kind) {
    if (isNews(slots, product & ~FALSE_POSITIVE, kind)) {
      insert(product & ~FALSE_POSITIVE, kind);
    }
  }

  // Also without the lock: a key that is just being added is found again under the lock.
  private static boolean isNews(AtomicLongArray slots, long key, long kind) {
    long entry = slots.getOpaque(slotOf(slots, key));
    return entry == EMPTY || (kind == KEPT_BACK && kindOf(entry) == ONLY_ASKED_ABOUT);
  }

  private static int kindOf(long entry) {
    return (int) (entry & FALSE_POSITIVE);
  }

  private synchronized void insert(long key, long kind) {
    if (Long.compareUnsigned(key, limit) > 0 || !isNews(slots, key, kind)) {
      return;
    }
    int slot = slotOf(slots, key);
    counts[kindOf(slots.getOpaque(slot))]--; // of no key, if it was empty
    slots.setOpaque(slot, key | kind);
    counts[(int) kind]++;
    int keys =
        counts[(int) KEPT_BACK] + counts[(int) ONLY_ASKED_ABOUT] + counts[(int) FALSE_POSITIVE];
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
    Arrays.fill(counts, 0);
    for (int i = 0; i < before.length(); i++) {
      long entry = before.getOpaque(i);
      if (entry != EMPTY && Long.compareUnsigned(entry & ~FALSE_POSITIVE, limit) <= 0) {
        after.setOpaque(slotOf(after, entry), entry);
        counts[kindOf(entry)]++;
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
      if (entry == EMPTY || entry >>> 2 == key >>> 2) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }
}
