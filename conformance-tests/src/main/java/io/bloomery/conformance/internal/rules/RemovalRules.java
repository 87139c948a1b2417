package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Pattern;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The rules on removal and counts. */
public final class RemovalRules extends RuleGroup {

  /** Numbers of puts of a hash: around the highest values of counters of two to eight bits. */
  private static final List<Integer> COUNTS =
      List.of(1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 255, 300);

  /** Filters that are drained, which takes a query of each hash for each put. */
  private static final Domain COUNTED =
      Domain.everyFilter()
          .keys(1, 100_000)
          .draws(10)
          .maxPut(300)
          .each(drawn -> drawn.withTimes(Math.min(drawn.times(), 100)));

  /** Filters in which each expected hash is put once. */
  private static final Domain ONCE =
      Domain.everyFilter()
          .uniform()
          .keys(5_000, 50_000)
          .rates(1e-4, 0.3)
          .draws(4)
          .edges(List.of(Case.of(20_000, 0.01)))
          .each(drawn -> drawn.withTimes(1).withPut((int) drawn.keys()));

  /** Filters of 700 counters and more, which a few hashes share with nothing else. */
  private static final Domain ALMOST_EMPTY =
      Domain.everyFilter()
          .keys(300, 300_000)
          .rates(FilterSpec.lowestRate(1), 0.3)
          .uniform()
          .draws(24)
          .each(drawn -> drawn.withPut(0));

  /**
   * The number of hashes put into an almost empty filter. The counts of all of them are too high
   * only if each coincides with another: among 700 counters with one for each hash, with a
   * probability of 1e-13.
   */
  private static final int FEW = 12;

  private static final int MAX_TIMES_OF_FEW = 400;

  /** The number of hashes that are put often, and below it the maximum number of puts of each. */
  private static final int OFTEN_PUT = 40;

  private static final int MAX_OFTEN = 1_000;
  private static final int MAX_BATCH = 5_000;

  /** The number of hashes from which on a fraction of them is judged. */
  private static final int MANY = 1_000;

  private static final long[] EXTREMES = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};

  /** A number of doublings that exceeds 32 bits. */
  private static final int DOUBLINGS = 34;

  public RemovalRules(RuleContext context) {
    super(context);
  }

  /**
   * Removes every hash in turn until an exact multiset is empty, and after each turn queries
   * everything that must still be present.
   */
  private static void checkDrain(byte[] empty, RemovableFilter filter, LongIntHashMap counts) {
    LongIntHashMap left = new LongIntHashMap(counts);
    while (!left.isEmpty()) {
      for (LongIntCursor hash : new LongIntHashMap(left)) {
        assertTrue(
            filter.remove(hash.key),
            () -> "remove of " + hash.key + " from " + Subject.text(filter));
        left.addTo(hash.key, -1);
      }
      left.removeAll((hash, count) -> count == 0);
      for (LongIntCursor hash : left) {
        assertTrue(
            filter.mightContain(hash.key),
            () -> "hash " + hash.key + " is missed, but " + hash.value + " puts are left");
      }
    }
    assertArrayEquals(
        empty, Subject.write(filter), () -> "all was removed from " + Subject.text(filter));
  }

  public void removeUndoesPut() {
    forAll(COUNTED.edges(new long[] {1, 100, 1_000}, 0.01), this::checkRemoved);
    checkManyPuts(Case.of(100, 0.01), tier().choose(2_000, 200_000, 200_000, 200_000));
    forAll(
        Domain.everyFilter().keys(10, 10_000).rates(1e-6, 0.5).draws(1).maxPut(50),
        drawn -> checkManyPuts(drawn, drawn.times() * 50));
  }

  /** Drains a filter in which each hash was put several times, a random number or around limits. */
  private void checkRemoved(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter filter = (RemovableFilter) filled.filter();
    LongIntHashMap counts = countsOf(filled);
    putMore(filter, counts, filled, counts());
    checkDrain(Subject.write(filled.empty()), filter, counts);
  }

  /** Returns numbers of puts; each put costs a query of every hash that is still contained. */
  private List<Integer> counts() {
    return tier().isAtLeast(Tier.QUICK) ? COUNTS : COUNTS.subList(0, 9);
  }

  /** Returns the number of puts of each hash in the filter of a case. */
  private static LongIntHashMap countsOf(FilledFilter filled) {
    LongIntHashMap counts = new LongIntHashMap();
    long[] hashes = filled.hashes();
    for (int i = 0; i < hashes.length; i++) {
      counts.put(hashes[i], filled.times(i));
    }
    return counts;
  }

  /** Puts some hashes additional times, of which some are present and some are absent. */
  private static void putMore(
      Filter filter, LongIntHashMap counts, FilledFilter filled, List<Integer> times) {
    Hashes others = filled.others();
    int next = 0;
    long[] known = filled.hashes();
    for (int more : times) {
      long hash = next % 2 == 0 && next < known.length ? known[next] : others.next();
      next++;
      for (int i = 0; i < more && Subject.isTaken(filter, hash); i++) {
        counts.addTo(hash, 1);
      }
    }
  }

  private void checkManyPuts(Case drawn, int puts) {
    FilledFilter filled = new FilledFilter(subject(), drawn.withTimes(1));
    RemovableFilter filter = (RemovableFilter) filled.filter();
    long many = filled.others().next();
    int put = 0;
    long[] batch = new long[1_000];
    Arrays.fill(batch, many);
    while (put < puts) {
      // Alternately one by one and in batches, until there is no room: counts may have a limit.
      for (int i = 0; i < batch.length; i++) {
        if (!Subject.isTaken(filter, many)) {
          puts = put;
          break;
        }
        put++;
      }
      if (put < puts) {
        try {
          filter.putAll(batch, 0, batch.length);
          put += batch.length;
        } catch (FilterFullException e) {
          return; // only the message has the number added
        }
      }
    }
    long counted = filter.approximateCount(many);
    int atLeast = put;
    assertTrue(counted >= atLeast, () -> counted + " counted of " + atLeast + " puts");
    for (int left = put; left > 0; ) {
      if (left % 2_000 == 0) {
        assertEquals(1_000, filter.removeAll(batch, 0, batch.length), "removed of a batch");
        left -= batch.length;
      }
      for (int i = 0; i < batch.length && left > 0; i++) {
        assertTrue(filter.remove(many), "remove of a hash put often");
        left--;
      }
    }
    checkDrain(Subject.write(filled.empty()), filter, countsOf(filled));
  }

  public void removeReturnsFalseExactlyIfTheHashIsAbsent() {
    forAll(
        Domain.everyFilter()
            .keys(1, 100_000)
            .maxPut(5_000)
            .draws(8)
            .edges(new long[] {1, 100, 10_000, 1 << 18}, 0.1),
        this::checkAnswers);
  }

  private void checkAnswers(Case drawn) {
    RemovableFilter empty =
        (RemovableFilter) new FilledFilter(subject(), drawn.withPut(0)).filter();
    FilledFilter filled =
        new FilledFilter(subject(), drawn.withPut((int) Math.min(drawn.put(), drawn.keys())));
    RemovableFilter filter = (RemovableFilter) filled.filter();
    Hashes hashes = filled.others();
    checkAbsent(empty, hashes.next(100));
    checkAbsent(empty, EXTREMES);
    checkAbsent(filter, hashes.next(2_000));
    // A hash that was never put, but is found, cannot be distinguished from one that was.
    RemovableFilter copy = (RemovableFilter) filter.copy();
    for (long hash : hashes.next(200)) {
      assertEquals(
          copy.mightContain(hash), copy.remove(hash), () -> "remove of " + hash + ", never put");
    }
    // A hash that was put once can be removed once and is then absent, unless other hashes cover
    // it.
    int half = filled.hashes().length / 2;
    for (int i = 1; i < Math.min(half, 1_000); i++) {
      long hash = filled.hashes()[i];
      assertTrue(filter.remove(hash), () -> "remove of " + hash + " from " + Subject.text(filter));
    }
    checkAbsent(filter, Arrays.copyOf(filled.hashes(), Math.min(half, 1_000)));
  }

  private static void checkAbsent(RemovableFilter filter, long[] hashes) {
    byte[] before = Subject.write(filter);
    long[] absent = new long[hashes.length];
    int count = 0;
    for (long hash : hashes) {
      if (!filter.mightContain(hash)) {
        assertFalse(
            filter.remove(hash),
            () -> "remove of " + hash + ", absent from " + Subject.text(filter));
        absent[count++] = hash;
      }
    }
    assertEquals(0, filter.removeAll(absent, 0, count), () -> "absent ones removed in a batch");
    assertArrayEquals(
        before, Subject.write(filter), () -> "absent hashes removed from " + Subject.text(filter));
  }

  public void aCountIsNeverTooLow() {
    checkCountsAlone();
    forAll(ALMOST_EMPTY, this::checkCountsOfFew);
    checkCounts(Case.of(10_000, 0.01).withTimes(40_000));
    forAll(Domain.everyFilter().keys(1, 300_000).maxPut(5_000).draws(8), this::checkCounts);
    // High counts may be stored in another form than counts of one.
    forAll(ONCE, this::checkCountsOfOne);
  }

  private void checkCountsOfOne(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = filled.hashes();
    checkTooHigh(drawn, (RemovableFilter) filled.filter(), countsOf(filled), hashes, hashes.length);
  }

  /** Checks each count of a hash that shares nothing with any other. */
  private void checkCountsAlone() {
    RemovableFilter filter = (RemovableFilter) subject().create(1_000, 0.01);
    long hash = hashes("r52/alone").next();
    for (int times = 1; times <= MAX_OFTEN && Subject.isTaken(filter, hash); times++) {
      assertEquals(times, filter.approximateCount(hash), "count of the only hash there is");
    }
  }

  /** Checks counts of a few hashes, at least one of which coincides with no other. */
  private void checkCountsOfFew(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter filter = (RemovableFilter) filled.filter();
    int times = 1 + Math.floorMod(drawn.times(), tier().some(MAX_TIMES_OF_FEW));
    long[] hashes = filled.others().next(FEW);
    for (long hash : hashes) {
      for (int i = 0; i < times; i++) {
        if (!Subject.isTaken(filter, hash)) {
          return; // counts may have a limit
        }
      }
    }
    long[] counts = Arrays.stream(hashes).map(filter::approximateCount).sorted().toArray();
    assertEquals(
        times,
        counts[0],
        () -> "the lowest count of " + FEW + " hashes in " + Subject.text(filter));
  }

  private void checkCounts(Case drawn) {
    FilledFilter filled =
        new FilledFilter(subject(), drawn.withPut((int) Math.min(drawn.put(), drawn.keys())));
    RemovableFilter filter = (RemovableFilter) filled.filter();
    LongIntHashMap counts = countsOf(filled);
    long[] hashes = filled.hashes();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (int i = 0; i < hashes.length; i++) {
      // Some of them are put often.
      int more = i < OFTEN_PUT ? (int) Math.pow(MAX_OFTEN, random.nextDouble()) : i % 4;
      for (; more > 0 && Subject.isTaken(filter, hashes[i]); more--) {
        counts.addTo(hashes[i], 1);
      }
    }
    // A count is too high if other hashes cover every bit of this one, as for a false positive.
    if (drawn.pattern() == Pattern.UNIFORM && hashes.length >= MANY) {
      checkTooHigh(drawn, filter, counts, hashes, hashes.length);
      checkTooHigh(drawn, filter, counts, hashes, OFTEN_PUT);
    }
    for (LongIntCursor hash : counts) {
      long count = filter.approximateCount(hash.key);
      assertTrue(
          count >= hash.value,
          () -> count + " counted of " + hash.value + " puts in " + Subject.text(filter));
    }
    for (long hash : filled.others().next(Math.max(1_000, hashes.length))) {
      assertEquals(
          filter.mightContain(hash),
          filter.approximateCount(hash) > 0,
          () -> "is " + hash + " counted? It was never put");
    }
  }

  /** Judges the number of the first hashes of a case whose count is too high. */
  private void checkTooHigh(
      Case drawn, RemovableFilter filter, LongIntHashMap counts, long[] hashes, int first) {
    FilterPlan plan = subject().provider().plan(drawn.spec());
    long tooHigh =
        Arrays.stream(hashes, 0, first)
            .filter(hash -> filter.approximateCount(hash) > counts.get(hash))
            .count();
    RateSample sample =
        new RateSample(
            "counts too high of " + first + " in " + drawn,
            hashes.length,
            1,
            plan.probes(),
            plan.sizeInBits(),
            first,
            tooHigh);
    verdict().notAbove(Math.min(1, RateBound.of(plan, sample)), sample);
  }

  public void everyPutCounts() {
    forAll(COUNTED.edges(new long[] {100, 10_000}, 0.1), this::checkEveryPut);
  }

  private void checkEveryPut(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter filter = (RemovableFilter) filled.filter();
    LongIntHashMap counts = countsOf(filled);
    for (long hash : filled.others().next(100)) {
      for (int i = 0; i < 4 && Subject.isTaken(filter, hash); i++) {
        counts.addTo(hash, 1);
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " was put");
      }
    }
    for (LongIntCursor hash : new LongIntHashMap(counts)) {
      if (counts.size() < 500) {
        assertPutAgain(filter, hash.key, counts);
      }
    }
    // A batch in which hashes recur soon, and again after many others.
    int length = Math.max(70, Math.min(drawn.length(), MAX_BATCH));
    long[] some = new Hashes(drawn.seed() + 3).next(70);
    long[] batch = new long[drawn.from() + length];
    for (int i = 0; i < length; i++) {
      batch[drawn.from() + i] = some[i % some.length];
    }
    try {
      filter.putAll(batch, drawn.from(), batch.length);
    } catch (FilterFullException e) {
      return; // only the message has the number added
    }
    for (int i = 0; i < length; i++) {
      counts.addTo(batch[drawn.from() + i], 1);
    }
    try {
      assertEquals(
          0, filter.putAll(batch, drawn.from(), batch.length), "new hashes in a batch put again");
    } catch (FilterFullException e) {
      return;
    }
    for (int i = drawn.from(); i < batch.length; i++) {
      filter.remove(batch[i]);
    }
    checkDrain(Subject.write(filled.empty()), filter, counts);
  }

  private static void assertPutAgain(Filter filter, long hash, LongIntHashMap counts) {
    try {
      assertFalse(filter.put(hash), () -> "put of " + hash + ", which is there");
      counts.addTo(hash, 1);
    } catch (FilterFullException e) {
      // The filter has a limit and accepts no more.
    }
  }

  public void countsLiveOnInFilesAndCopies() {
    forAll(COUNTED.edges(new long[] {1, 100}, 0.01), this::checkCarriedCounts);
  }

  private void checkCarriedCounts(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter filter = (RemovableFilter) filled.filter();
    byte[] empty = Subject.write(filled.empty());
    LongIntHashMap counts = countsOf(filled);
    putMore(filter, counts, filled, counts());
    byte[] bytes = Subject.write(filter);
    checkDrain(empty, (RemovableFilter) filter.copy(), counts);
    RemovableFilter read = (RemovableFilter) subject().read(bytes, drawn.otherMode());
    checkDrain(empty, (RemovableFilter) read.copy(), counts);
    // The filter that was read is changed, and then serialised again as well.
    LongIntHashMap changed = new LongIntHashMap(counts);
    putMore(read, changed, filled, List.of(3, 20, 300));
    checkDrain(empty, (RemovableFilter) subject().read(Subject.write(read)), changed);
    checkDrain(empty, read, changed);
    assertArrayEquals(bytes, Subject.write(filter), "bytes after all was removed from a copy");
    checkDrain(empty, filter, counts);
  }

  public void aMergeAddsCounts() {
    forAll(COUNTED.edges(new long[] {2, 100}, 0.01), this::checkMergedCounts);
    forAll(
        Domain.everyFilter().draws(4).maxPut(50).edges(new long[] {100}, 0.01), this::checkDoubled);
  }

  /** Merges a filter with its own copy repeatedly, for counts that no one would reach by puts. */
  private void checkDoubled(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter filter = (RemovableFilter) filled.filter();
    long[] hashes = filled.hashes();
    try {
      for (int times = 1; times <= DOUBLINGS; times++) {
        filter = merged(filter, times % 2 == 0 ? filter : subject().read(Subject.write(filter)));
        long least = 1L << times;
        for (long hash : hashes) {
          long count = filter.approximateCount(hash);
          assertTrue(
              count >= least, () -> count + " counted of " + least + " puts, merged from copies");
        }
      }
    } catch (FilterFullException e) {
      evidence().note("a merge was refused for want of room");
    }
    for (long hash : hashes) {
      assertTrue(filter.remove(hash), "remove of what was put often");
      assertTrue(filter.mightContain(hash), "a query for what is left of it");
    }
  }

  /** Merges counts around limits, and those of filters with a history, in either direction. */
  private void checkMergedCounts(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    RemovableFilter one = (RemovableFilter) filled.filter();
    long[] known = filled.hashes();
    long[] some = Arrays.copyOf(known, known.length / 3);
    RemovableFilter other = (RemovableFilter) filled.partner(some, 0);
    LongIntHashMap ones = countsOf(filled);
    LongIntHashMap others = new LongIntHashMap();
    for (long hash : some) {
      others.addTo(hash, 1);
    }
    SplittableRandom random = new SplittableRandom(drawn.seed());
    Hashes hashes = filled.others();
    for (int here : new int[] {0, 1, 4, 15, 255, random.nextInt(700)}) {
      for (int there : new int[] {0, 1, 2, 8, 300, random.nextInt(700)}) {
        // All pairs would be half of what the smallest tier calls.
        if (!tier().isAtLeast(Tier.QUICK) && random.nextInt(3) > 0) {
          continue;
        }
        long hash = hashes.next();
        if (!isTaken(one, hash, here, ones) || !isTaken(other, hash, there, others)) {
          return; // a full filter rejects the merge, as another rule checks
        }
      }
    }
    LongIntHashMap sums = new LongIntHashMap(ones);
    for (LongIntCursor hash : others) {
      sums.addTo(hash.key, hash.value);
    }
    byte[] empty = Subject.write(filled.empty());
    try {
      checkDrain(empty, merged(one, other), sums);
      checkDrain(empty, merged(other, one), sums);
      RemovableFilter read =
          (RemovableFilter) subject().read(Subject.write(one), drawn.otherMode());
      checkDrain(empty, merged(read, subject().read(Subject.write(other))), sums);
    } catch (FilterFullException e) {
      evidence().note("a merge was refused for want of room");
    }
    checkDrain(empty, one, ones);
    checkDrain(empty, other, others);
  }

  private static boolean isTaken(Filter filter, long hash, int times, LongIntHashMap counts) {
    for (int i = 0; i < times; i++) {
      if (!Subject.isTaken(filter, hash)) {
        return false;
      }
      counts.addTo(hash, 1);
    }
    return true;
  }

  private static RemovableFilter merged(Filter into, Filter from) {
    Filter merged = into.copy();
    ((MergeableFilter) merged).putAll(from);
    return (RemovableFilter) merged;
  }

  public void removeAllDoesWhatSingleRemovesDo() {
    SplittableRandom random = new SplittableRandom(seed("r79"));
    int cases = tier().choose(200, 2_000, 6_000);
    for (int i = 0; i < cases; i++) {
      // Short batches first, then those longer than any block into which a batch may be divided.
      int size = 1 + random.nextInt(i < cases / 2 ? 130 : 1_000);
      Case drawn = Case.of(size, 0.01).withMode(Subject.modeOf(i)).withSeed(random.nextLong());
      RemovableFilter filter = (RemovableFilter) subject().create(size, 0.01, drawn.mode());
      int length = random.nextInt(2 * size + 1);
      int from = random.nextInt(length + 1);
      int to = from + random.nextInt(length + 1 - from);
      if (i % 3 == 0) {
        // The end of the array, after as many whole parts of a power of two as there are.
        int part = 1 << random.nextInt(10);
        from = (length - from) % part;
        length -= (length - from) % part;
        to = length;
      }
      checkRemoveAll(filter, random.longs(size).toArray(), length, from, to, random);
    }
    evidence().note(cases + " batches");
    forAll(
        Domain.everyFilter()
            .keys(1, 100_000)
            .maxPut(2_000)
            .draws(10)
            .smallDraws(16)
            .edges(
                List.of(
                    Case.of(100, 0.01).withBatch(1, 1_025),
                    Case.of(1_000, 0.01).withBatch(3_000, 2_049),
                    Case.of(10_000, 0.01).withPut(2_000).withBatch(77, MAX_BATCH))),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn);
          RemovableFilter filter = (RemovableFilter) filled.filter();
          long[] put = filled.hashes().length == 0 ? new long[1] : filled.hashes();
          int to = drawn.from() + Math.min(drawn.length(), MAX_BATCH);
          int length = to + (int) (drawn.seed() & 3);
          SplittableRandom some = new SplittableRandom(drawn.seed());
          checkRemoveAll(filter, put, length, drawn.from(), to, some);
          int late = drawn.from() + 1;
          int end = late + MAX_BATCH / 4 + some.nextInt(MAX_BATCH / 2);
          checkRemoveAll(filter, put, end, late, end, some);
        });
  }

  private static void checkRemoveAll(
      RemovableFilter filter, long[] put, int length, int from, int to, SplittableRandom random) {
    for (long hash : put) {
      for (int times = random.nextInt(4); times > 0; times--) {
        Subject.put(filter, hash);
      }
    }
    // Some are removed more often than they were put, some were never put.
    long[] batch = random.longs(length).toArray();
    for (int i = 0; i < batch.length; i++) {
      batch[i] = random.nextInt(4) > 0 ? put[random.nextInt(put.length)] : batch[i];
    }
    // Both ends of a range are easily omitted, so they are always present.
    for (int end = from; end < to; end += Math.max(1, to - 1 - from)) {
      batch[end] = random.nextLong();
      Subject.put(filter, batch[end]);
    }
    RemovableFilter singly = (RemovableFilter) filter.copy();
    int expected = 0;
    for (int i = from; i < to; i++) {
      expected += singly.remove(batch[i]) ? 1 : 0;
    }
    long[] filled = batch.clone();
    String range = from + " to " + to + " of " + batch.length;
    assertEquals(expected, filter.removeAll(filled, from, to), () -> "how many removed, " + range);
    assertArrayEquals(batch, filled, "the caller's array");
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
