package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.List;
import java.util.SplittableRandom;

/** Taking back what was put, and counting it. */
final class RemovalRules extends Topic {

  /** How often hashes are put: around the highest values of counters of two to eight bits. */
  private static final List<Integer> COUNTS =
      List.of(1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 255, 300);

  RemovalRules(RuleContext context) {
    super(context);
  }

  private RemovableFilter removable(long keys, double rate) {
    return (RemovableFilter) subject().create(keys, rate);
  }

  /** Puts each hash of an exact multiset as often as it is in there. */
  private static void putAll(Filter filter, LongIntHashMap counts) {
    for (LongIntCursor hash : counts) {
      for (int i = 0; i < hash.value; i++) {
        filter.put(hash.key);
      }
    }
  }

  /**
   * Removes every hash in turn until nothing is left of an exact multiset, and looks after each
   * turn for all that must still be there.
   */
  private static void checkDrain(byte[] empty, RemovableFilter filter, LongIntHashMap counts) {
    LongIntHashMap left = new LongIntHashMap(counts);
    while (!left.isEmpty()) {
      for (LongIntCursor hash : new LongIntHashMap(left)) {
        assertTrue(filter.remove(hash.key), () -> "remove of " + hash.key + " from " + filter);
        left.addTo(hash.key, -1);
      }
      left.removeAll((hash, count) -> count == 0);
      for (LongIntCursor hash : left) {
        assertTrue(
            filter.mightContain(hash.key),
            () -> "hash " + hash.key + " is missed, but " + hash.value + " puts are left");
      }
    }
    assertArrayEquals(empty, Subject.write(filter), () -> "all was removed from " + filter);
  }

  void removeUndoesPut() {
    for (int size : new int[] {1, 100, 1_000}) {
      RemovableFilter filter = removable(size, 0.01);
      byte[] empty = Subject.write(filter);
      LongIntHashMap counts = new LongIntHashMap();
      for (long hash : hashes("r50/" + size, Math.max(size, COUNTS.size()))) {
        counts.put(hash, COUNTS.get(counts.size() % COUNTS.size()));
      }
      putAll(filter, counts);
      checkDrain(empty, filter, counts);
    }
    checkManyPuts(100_000);
  }

  private void checkManyPuts(int puts) {
    RemovableFilter filter = removable(100, 0.01);
    byte[] empty = Subject.write(filter);
    LongIntHashMap others = new LongIntHashMap();
    for (long hash : hashes("r50/others", 50)) {
      others.put(hash, 1);
    }
    long many = hashes("r50/many", 1)[0];
    putAll(filter, others);
    for (int i = 0; i < puts; i++) {
      filter.put(many);
    }
    for (int i = 0; i < puts; i++) {
      assertTrue(filter.remove(many), "remove of a hash put " + puts + " times");
    }
    checkDrain(empty, filter, others);
  }

  void removeReturnsFalseExactlyIfTheHashIsAbsent() {
    for (int size : new int[] {1, 100, 10_000}) {
      RemovableFilter filter = removable(size, 0.1);
      Hashes hashes = hashes("r51/" + size);
      checkAbsent(filter, hashes.next(100));
      Subject.put(filter, hashes.next(size));
      checkAbsent(filter, hashes.next(2_000));
      // A hash that was never put, but is found, cannot be told from one that was.
      for (long hash : hashes.next(200)) {
        RemovableFilter copy = (RemovableFilter) filter.copy();
        assertEquals(
            filter.mightContain(hash),
            copy.remove(hash),
            () -> "remove of " + hash + ", never put");
      }
    }
  }

  private static void checkAbsent(RemovableFilter filter, long[] hashes) {
    byte[] before = Subject.write(filter);
    for (long hash : hashes) {
      if (!filter.mightContain(hash)) {
        assertFalse(filter.remove(hash), () -> "remove of " + hash + ", absent from " + filter);
      }
    }
    assertArrayEquals(before, Subject.write(filter), () -> "absent hashes removed from " + filter);
  }

  void aCountIsNeverTooLow() {
    int size = 10_000;
    RemovableFilter filter = removable(size, 0.01);
    Hashes hashes = hashes("r52");
    LongIntHashMap counts = new LongIntHashMap();
    for (long hash : hashes.next(size)) {
      counts.put(hash, 1 + counts.size() % 4);
    }
    putAll(filter, counts);
    long tooHigh = 0;
    for (LongIntCursor hash : counts) {
      long count = filter.approximateCount(hash.key);
      assertTrue(
          count >= hash.value, () -> count + " counted of " + hash.value + " puts in " + filter);
      tooHigh += count > hash.value ? 1 : 0;
    }
    int often = 40_000;
    long repeated = hashes.next();
    for (int i = 0; i < often; i++) {
      filter.put(repeated);
    }
    long counted = filter.approximateCount(repeated);
    assertTrue(counted >= often, () -> counted + " counted of " + often + " puts in " + filter);
    // A count is too high if other hashes cover every bit of this one, as for a false positive.
    FilterPlan plan = subject().plan(size, 0.01);
    RateSample sample =
        new RateSample("counts too high", size, 1, plan.probes(), plan.sizeInBits(), size, tooHigh);
    verdict().notAbove(RateBound.of(plan, sample), sample);
    for (long hash : hashes.next(size)) {
      assertEquals(
          filter.mightContain(hash),
          filter.approximateCount(hash) > 0,
          () -> "is " + hash + " counted? It was never put");
    }
  }

  void everyPutCounts() {
    for (int size : new int[] {100, 10_000}) {
      RemovableFilter filter = removable(size, 0.1);
      byte[] empty = Subject.write(filter);
      LongIntHashMap counts = new LongIntHashMap();
      for (long hash : hashes("r53/" + size, 100)) {
        filter.put(hash);
        for (int i = 0; i < 3; i++) {
          assertFalse(filter.put(hash), () -> "put of " + hash + ", which is there");
        }
        counts.put(hash, 4);
      }
      checkDrain(empty, filter, counts);

      long[] batch = new long[700];
      long[] hashes = hashes("r53/batch", 70);
      for (int i = 0; i < batch.length; i++) {
        batch[i] = hashes[i % hashes.length];
        counts.put(batch[i], batch.length / hashes.length);
      }
      counts.removeAll((hash, count) -> count == 4);
      filter.putAll(batch, 0, batch.length);
      assertEquals(0, filter.putAll(batch, 0, batch.length), "new hashes in a batch put again");
      for (long hash : batch) {
        filter.remove(hash);
      }
      checkDrain(empty, filter, counts);
    }
  }

  void countsLiveOnInFilesAndCopies() {
    for (int size : new int[] {1, 100}) {
      RemovableFilter filter = removable(size, 0.01);
      byte[] empty = Subject.write(filter);
      LongIntHashMap counts = new LongIntHashMap();
      for (long hash : hashes("r54/" + size, 2 * COUNTS.size())) {
        counts.put(hash, COUNTS.get(counts.size() % COUNTS.size()));
      }
      putAll(filter, counts);
      byte[] bytes = Subject.write(filter);
      checkDrain(empty, (RemovableFilter) filter.copy(), counts);
      checkDrain(empty, (RemovableFilter) subject().read(bytes), counts);
      assertArrayEquals(bytes, Subject.write(filter), "bytes after all was removed from a copy");
      checkDrain(empty, filter, counts);
    }
  }

  void aMergeAddsCounts() {
    for (int size : new int[] {2, 100}) {
      byte[] empty = Subject.write(subject().create(size, 0.01));
      RemovableFilter one = removable(size, 0.01);
      RemovableFilter other = removable(size, 0.01);
      LongIntHashMap sums = new LongIntHashMap();
      Hashes hashes = hashes("r55/" + size);
      for (int here : new int[] {0, 1, 4, 15, 255}) {
        for (int there : new int[] {0, 1, 2, 8, 300}) {
          LongIntHashMap counts = new LongIntHashMap();
          long hash = hashes.next();
          counts.put(hash, here);
          putAll(one, counts);
          counts.put(hash, there);
          putAll(other, counts);
          if (here + there > 0) {
            sums.put(hash, here + there);
          }
        }
      }
      checkDrain(empty, merged(one, other), sums);
      checkDrain(empty, merged(other, one), sums);
    }
  }

  private static RemovableFilter merged(Filter into, Filter from) {
    Filter merged = into.copy();
    ((MergeableFilter) merged).putAll(from);
    return (RemovableFilter) merged;
  }

  void removeAllDoesWhatSingleRemovesDo() {
    SplittableRandom random = new SplittableRandom(seed("r79"));
    int cases = tier().choose(300, 3_000, 30_000);
    for (int i = 0; i < cases; i++) {
      ThreadMode mode = Subject.modeOf(i);
      // Short batches first, then those beyond any block that a batch may be cut into.
      checkRemoveAll(mode, 1 + random.nextInt(i < cases / 2 ? 130 : 1_000), random);
    }
    evidence().note(cases + " batches");
  }

  private void checkRemoveAll(ThreadMode mode, int size, SplittableRandom random) {
    RemovableFilter filter = (RemovableFilter) subject().create(size, 0.01, mode);
    long[] put = random.longs(size).toArray();
    for (long hash : put) {
      for (int times = random.nextInt(4); times > 0; times--) {
        filter.put(hash);
      }
    }
    // Some are asked for more often than they were put, some were never put.
    long[] batch = random.longs(random.nextInt(2 * size + 1)).toArray();
    for (int i = 0; i < batch.length; i++) {
      batch[i] = random.nextInt(4) > 0 ? put[random.nextInt(size)] : batch[i];
    }
    int from = random.nextInt(batch.length + 1);
    int to = from + random.nextInt(batch.length + 1 - from);
    RemovableFilter singly = (RemovableFilter) filter.copy();
    int expected = 0;
    for (int i = from; i < to; i++) {
      expected += singly.remove(batch[i]) ? 1 : 0;
    }
    long[] given = batch.clone();
    String range = from + " to " + to + " of " + batch.length;
    assertEquals(expected, filter.removeAll(given, from, to), () -> "how many removed, " + range);
    assertArrayEquals(batch, given, "the caller's array");
    assertArrayEquals(
        Subject.write(singly), Subject.write(filter), () -> "bytes after removing " + range);
    checkBadRanges(filter, batch);
  }

  private static void checkBadRanges(RemovableFilter filter, long[] hashes) {
    byte[] before = Subject.write(filter);
    int length = hashes.length;
    assertEquals(0, filter.removeAll(hashes, length, length), "removed from an empty range");
    int[][] ranges = {
      {-1, length},
      {0, length + 1},
      {length, length + 1},
      {length + 1, length + 1},
      {1, 0},
      {0, -1},
      {0, Integer.MAX_VALUE},
      {Integer.MIN_VALUE, 0}
    };
    for (int[] range : ranges) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.removeAll(hashes, range[0], range[1]),
          () -> "removeAll from " + range[0] + " to " + range[1] + " of " + length);
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after bad ranges were refused");
  }
}
