package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;

/**
 * Operations on small filters, repeated so often that a counter of one byte would overflow, or from
 * {@link Tier#FULL} on one of two bytes.
 */
final class ManyTimes {

  private static final int FEW = 20;
  private static final int BEYOND_A_BYTE = 300;
  private static final int BEYOND_TWO_BYTES = 66_000;

  private static final int KEYS = 10;
  private static final int COUNT = 60;
  private static final int COUNTED = 100;
  private static final double RATE = 0.01;

  private final Subject subject;
  private final Hashes hashes;
  private final int times;

  ManyTimes(RuleContext context, String purpose) {
    this.subject = context.subject();
    this.hashes = context.hashes(purpose + "/many-times");
    this.times = context.tier().choose(FEW, BEYOND_A_BYTE, BEYOND_TWO_BYTES, BEYOND_TWO_BYTES);
  }

  private Filter create(ThreadMode mode) {
    return subject.create(KEYS, RATE, mode);
  }

  void checkClear() {
    for (ThreadMode mode : ThreadMode.values()) {
      Filter filter = create(mode);
      byte[] fresh = Subject.write(filter);
      for (int i = 1; i <= times; i++) {
        int time = i;
        long hash = hashes.next();
        assertTrue(filter.put(hash), () -> "the first put after clear number " + (time - 1));
        filter.clear();
        assertFalse(filter.mightContain(hash), () -> "a hash found after clear number " + time);
        assertEquals(0, filter.stats().setBits(), () -> "bits set after clear number " + time);
      }
      assertArrayEquals(fresh, Subject.write(filter), "bytes after as many clears as these");
    }
  }

  void checkCopy() {
    for (ThreadMode mode : ThreadMode.values()) {
      Filter filter = create(mode);
      long[] put = hashes.next(KEYS);
      Subject.put(filter, put);
      byte[] before = Subject.write(filter);
      Filter copyOfCopies = filter;
      for (int i = 1; i <= times; i++) {
        int time = i;
        Filter copied = copyOfCopies;
        copyOfCopies = copied.copy();
        if (copied != filter) {
          copied.clear(); // which the copy does not notice
        }
        long hash = put[i % put.length];
        assertTrue(copyOfCopies.mightContain(hash), () -> hash + " in the copy made as " + time);
        assertTrue(filter.copy().mightContain(hash), () -> hash + " in copy number " + time);
      }
      assertArrayEquals(before, Subject.write(copyOfCopies), "a copy of a copy and so on");
    }
  }

  /**
   * Checks a copy made when some counts are high, and others no longer are: storage of high counts
   * that one side frees must not be given to the other while in use.
   */
  void checkCopyOfHighCounts() {
    for (ThreadMode mode : ThreadMode.values()) {
      RemovableFilter filter = (RemovableFilter) subject.create(20 * COUNTED, RATE, mode);
      Filter expected = filter.copy();
      long[] first = hashes.next(COUNTED / 2);
      long[] second = hashes.next(COUNTED / 2);
      putOften(expected, first);
      putOften(expected, second);
      putOften(filter, first);
      putOften(filter, second);
      removeOften(filter, first);
      Filter copy = filter.copy();
      removeOften(filter, second);
      putOften(copy, first);
      assertArrayEquals(
          Subject.write(expected), Subject.write(copy), "bytes of a copy with high counts");
      putOften(filter, second);
      putOften(filter, first);
      assertArrayEquals(
          Subject.write(expected), Subject.write(filter), "bytes of a copied filter likewise");
    }
  }

  private static void putOften(Filter filter, long... hashes) {
    for (long hash : hashes) {
      for (int i = 0; i < COUNT; i++) {
        filter.put(hash);
      }
    }
  }

  private static void removeOften(RemovableFilter filter, long... hashes) {
    for (long hash : hashes) {
      for (int i = 0; i < COUNT; i++) {
        filter.remove(hash);
      }
    }
  }

  /** Alternates between queries whose result may be cached and others. */
  void checkQuestions() {
    for (ThreadMode mode : ThreadMode.values()) {
      Filter filter = create(mode);
      long[] put = hashes.next(KEYS / 2);
      Subject.put(filter, put);
      byte[] before = Subject.write(filter);
      long setBits = filter.stats().setBits();
      int[] hits = new int[put.length];
      for (int i = 1; i <= times; i++) {
        int time = i;
        long hash = put[i % put.length];
        assertTrue(filter.mightContain(hash), () -> hash + ", asked for as question " + time);
        assertEquals(
            put.length, filter.select(put, 0, put.length, hits), () -> "batch query " + time);
        assertEquals(setBits, filter.stats().setBits(), () -> "bits set, asked time " + time);
        if (i <= BEYOND_A_BYTE) {
          assertArrayEquals(before, Subject.write(filter), () -> "bytes written time " + time);
        }
      }
    }
  }

  void checkReading() {
    Filter filter = create(ThreadMode.SHARED);
    for (int i = 1; i <= Math.min(times, BEYOND_A_BYTE); i++) {
      int time = i;
      long hash = hashes.next();
      if (i <= KEYS) {
        filter.put(hash);
      }
      byte[] written = Subject.write(filter);
      filter = subject.read(written, Subject.modeOf(i));
      assertArrayEquals(written, Subject.write(filter), () -> "bytes read and written: " + time);
    }
  }

  void checkMerge() {
    for (ThreadMode mode : ThreadMode.values()) {
      MergeableFilter into = (MergeableFilter) create(mode);
      MergeableFilter from = (MergeableFilter) create(mode);
      for (int i = 1; i <= times; i++) {
        int time = i;
        long hash = hashes.next();
        from.put(hash);
        try {
          into.putAll(from);
        } catch (FilterFullException e) {
          into.clear();
          into.putAll(from);
        }
        assertTrue(into.mightContain(hash), () -> hash + " is lost by merge number " + time);
        from.clear();
        if (time % KEYS == 0) {
          into.clear();
        }
      }
    }
  }

  /** Each of many filters takes a hash from the first one, and gives it back. */
  void checkMergeOfMany() {
    for (ThreadMode mode : ThreadMode.values()) {
      MergeableFilter first = (MergeableFilter) create(mode);
      long hash = hashes.next();
      first.put(hash);
      for (int i = 1; i <= times; i++) {
        int number = i;
        MergeableFilter made = (MergeableFilter) create(mode);
        made.putAll(first);
        assertTrue(made.mightContain(hash), () -> hash + " in filter number " + number);
        first.clear();
        first.putAll(made);
        assertTrue(first.mightContain(hash), () -> hash + ", given by filter number " + number);
      }
    }
  }
}
