package io.bloomery.conformance.internal.kit;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongCursor;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Partner;
import io.bloomery.conformance.statistics.Binomial;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A filter together with an exact multiset of its expected content. Hashes are denoted by small
 * numbers, so that a failing sequence is readable.
 */
public final class Model {

  /** The number of distinct numbered hashes; few, so that they recur. */
  public static final int HASHES = 16;

  /** The last of them. */
  private static final LongArrayList EXTREME =
      LongArrayList.from(0, -1, Long.MIN_VALUE, Long.MAX_VALUE);

  /** The range of indices at which batches begin in their arrays; half of them begin at 0. */
  private static final int MAX_FROM = 700;

  /** The probability that the bound on counts that are too high accuses a correct filter. */
  private static final double FALSE_ALARM = 1e-15;

  private static final int MAX_FLOOD = 1_000;
  private static final int FEW = 40;

  private final Subject subject;
  private final Case drawn;
  private final boolean isByOneThread;
  private final long[] hashes;
  private final Hashes others;
  private final SplittableRandom places;
  private final LongIntHashMap contained = new LongIntHashMap();
  private final LongArrayList present = new LongArrayList(); // the keys of contained, in any order
  private ThreadMode mode;
  private Filter filter;
  private boolean isInOrder = true; // the filter was given the hashes in the order of present

  /**
   * Creates a model with an empty filter of a case.
   *
   * @param isByOneThread whether one thread puts what two would
   */
  public Model(Subject subject, Case drawn, boolean isByOneThread) {
    this.subject = subject;
    this.drawn = drawn;
    this.isByOneThread = isByOneThread;
    this.hashes = new Hashes(drawn.seed()).next(HASHES);
    System.arraycopy(EXTREME.toArray(), 0, hashes, HASHES - EXTREME.size(), EXTREME.size());
    this.others = new Hashes(~drawn.seed());
    this.places = new SplittableRandom(drawn.seed());
    this.mode = drawn.mode();
    this.filter = empty();
  }

  private String name(long hash) {
    for (int number = 0; number < HASHES; number++) {
      if (hashes[number] == hash) {
        return Integer.toString(number);
      }
    }
    return "one without a number";
  }

  private Filter empty() {
    return subject.provider().create(drawn.spec(), drawn.mode());
  }

  public void put(int number) {
    boolean absent = !filter.mightContain(hashes[number]);
    try {
      assertEquals(absent, filter.put(hashes[number]), "put returns whether the hash was absent");
      contain(hashes[number]);
    } catch (FilterFullException e) {
      assertTrue(absent, () -> "there is always room for what is there: " + e);
    }
  }

  private void contain(long hash) {
    if (contained.addTo(hash, 1) == 1) {
      present.add(hash);
    }
  }

  public void putAll(List<Integer> numbers) {
    putAll(batch(numbers));
  }

  /** Puts thousands of hashes in one batch, all new. */
  public void putMany(int count) {
    putAll(others.next(few(count)));
  }

  /** Puts new hashes from two threads at once, one by one and in batches. */
  public void putInTwoThreads(int count) {
    if (mode != ThreadMode.SHARED || isByOneThread) {
      putMany(2 * few(count));
      return;
    }
    long[] mine = others.next(few(count));
    long[] theirs = others.next(mine.length);
    Filter alone = filter.copy();
    if (!areTaken(alone, mine) || !areTaken(alone, theirs)) {
      return;
    }
    isInOrder = false;
    Filter shared = filter;
    CompletableFuture<long[]> other =
        CompletableFuture.supplyAsync(() -> putHalves(shared, theirs), Model::start);
    containAll(putHalves(shared, mine));
    containAll(other.join());
  }

  private static boolean areTaken(Filter filter, long[] hashes) {
    return Arrays.stream(hashes).allMatch(hash -> Subject.isTaken(filter, hash));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "conformance-second-putter");
    thread.setDaemon(true);
    thread.start();
  }

  /** Puts hashes one by one, and the second half in a batch; returns those that were taken. */
  private static long[] putHalves(Filter filter, long[] hashes) {
    int half = hashes.length / 2;
    try {
      for (int i = 0; i < half; i++) {
        filter.put(hashes[i]);
      }
      filter.putAll(hashes, half, hashes.length);
      return hashes;
    } catch (FilterFullException e) {
      // Layers may be filled in another order than by one thread, for which there was room.
      return taken(filter, hashes);
    }
  }

  private void containAll(long[] hashes) {
    for (long hash : hashes) {
      contain(hash);
    }
  }

  private void putAll(long[] batch) {
    Filter singly = filter.copy();
    int expected = 0;
    for (long hash : batch) {
      boolean absent = !singly.mightContain(hash);
      if (!Subject.isTaken(singly, hash)) {
        return;
      }
      expected += absent ? 1 : 0;
    }
    Part part = part(batch);
    assertEquals(expected, filter.putAll(part.array, part.from, part.to), "how many were new");
    containAll(batch);
  }

  /** A batch as a part of an array; the elements beside it are absent hashes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(long[] array, int from, int to) {}

  private Part part(long[] batch) {
    int from = places.nextBoolean() ? 0 : places.nextInt(MAX_FROM);
    int to = from + batch.length;
    long[] array = others.next(to + places.nextInt(3));
    System.arraycopy(batch, 0, array, from, batch.length);
    return new Part(array, from, to);
  }

  /** Limits a number of hashes for which each later step makes as many calls. */
  private int few(int count) {
    return subject.singly(count, FEW);
  }

  private long[] batch(List<Integer> numbers) {
    return numbers.stream().mapToLong(number -> hashes[number]).toArray();
  }

  /** Puts five times the expected number of hashes, or some thousands, all new. */
  public void flood() {
    for (long hash : others.next((int) Math.min(few(MAX_FLOOD), 5 * drawn.keys()))) {
      if (!Subject.isTaken(filter, hash)) {
        return;
      }
      contain(hash);
    }
  }

  public void putOften(int number, int times) {
    for (int i = 0; i < times; i++) {
      put(number);
    }
  }

  /** Removes a hash that must be contained: the one at an index among all of them. */
  public void remove(int place) {
    if (!present.isEmpty()) {
      removePresent(present.get(place % present.size()));
    }
  }

  private void removePresent(long hash) {
    assertTrue(removable().remove(hash), () -> "remove of " + name(hash));
    takeOut(hash);
  }

  /** Removes some hashes in one batch, as often as they are contained. */
  public void removeAll(List<Integer> numbers) {
    LongIntHashMap left = new LongIntHashMap(contained);
    long[] batch =
        numbers.stream()
            .mapToLong(number -> hashes[number])
            .filter(hash -> left.getOrDefault(hash, 0) > 0 && left.addTo(hash, -1) >= 0)
            .toArray();
    Part part = part(batch);
    assertEquals(
        batch.length,
        removable().removeAll(part.array, part.from, part.to),
        "how many were removed");
    for (long hash : batch) {
      takeOut(hash);
    }
  }

  private void takeOut(long hash) {
    if (contained.addTo(hash, -1) == 0) {
      contained.remove(hash);
      present.removeFirst(hash);
    }
  }

  /** Removes a hash and puts another, after which there are as many as there were before. */
  public void replace(int place) {
    filter.stats();
    long hash = others.next();
    if (!present.isEmpty() && Subject.isTaken(filter, hash)) {
      contain(hash);
      removePresent(present.get(place % present.size()));
      measure();
    }
  }

  public void removeAbsent() {
    byte[] before = Subject.write(filter);
    for (long hash : others.next(2 * HASHES)) {
      if (!filter.mightContain(hash)) {
        assertFalse(removable().remove(hash), "remove of an absent hash");
        assertEquals(0, removable().approximateCount(hash), "count of an absent hash");
      }
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after removing absent hashes");
  }

  public void count() {
    int tooHigh = 0;
    for (LongIntCursor hash : contained) {
      long count = removable().approximateCount(hash.key);
      assertTrue(count >= hash.value, () -> count + " counted of " + name(hash.key));
      // All positions of an extreme hash may be the same, and be counted as often.
      tooHigh += count > hash.value && !EXTREME.contains(hash.key) ? 1 : 0;
    }
    // A count is too high if other hashes cover every bit of this one, as for a false positive.
    long most =
        Binomial.firstAbove(
            Math.min(1, 2 * filter.stats().falsePositiveRate()), contained.size(), FALSE_ALARM);
    assertTrue(tooHigh < most, tooHigh + " counts of " + contained.size() + " are too high");
  }

  private RemovableFilter removable() {
    return (RemovableFilter) filter;
  }

  /** Compares the final state with exact content, in every way that the filter supports. */
  public void checkAtEnd() {
    compareWithPuts();
    writeAndRead();
    map();
    if (filter instanceof RemovableFilter) {
      count();
      drain();
    }
  }

  /** Compares the bytes with those of a filter into which the same hashes are put one by one. */
  private void compareWithPuts() {
    // The bytes of others may depend on the order of puts, whether or not they grow.
    boolean isFree = filter instanceof MergeableFilter || filter instanceof RemovableFilter;
    if (isInOrder || isFree) {
      Filter given = subject.provider().create(drawn.spec(), drawn.otherMode());
      for (LongCursor hash : present) {
        for (int times = contained.get(hash.value); times > 0; times--) {
          if (!Subject.isTaken(given, hash.value)) {
            return; // it has a limit, and the order of puts may matter
          }
        }
      }
      assertArrayEquals(
          Subject.write(given),
          Subject.write(filter),
          "bytes of a filter given the same hashes one by one, and of this one");
    }
  }

  /** Removes everything, which must restore the initial state. */
  private void drain() {
    while (!present.isEmpty()) {
      removePresent(present.get(present.size() - 1));
    }
    assertArrayEquals(Subject.write(empty()), Subject.write(filter), "bytes of a drained filter");
  }

  public void writeAndRead() {
    byte[] written = Subject.write(filter);
    FilterStats stats = filter.stats();
    filter = subject.read(written, mode);
    assertArrayEquals(written, Subject.write(filter), "bytes written again");
    assertEquals(stats, filter.stats(), "statistics after reading");
  }

  /** Continues with the serialised filter, read in the other mode. */
  public void readInOtherMode() {
    mode = mode == ThreadMode.SHARED ? ThreadMode.CONFINED : ThreadMode.SHARED;
    writeAndRead();
  }

  /**
   * Continues with a copy, after putting hashes into the original that the copy must not contain.
   */
  public void continueOnCopy() {
    Filter original = filter;
    filter = original.copy();
    byte[] before = Subject.write(filter);
    Subject.put(original, others.next(HASHES));
    assertArrayEquals(before, Subject.write(filter), "a copy after puts into the original");
  }

  public void merge(List<Integer> numbers, Partner partner) {
    merge(batch(numbers), partner);
  }

  /** Merges thousands of hashes, all new. */
  public void mergeMany(int count) {
    merge(others.next(few(count)), drawn.partner());
  }

  /** Merges a filter created in some way, which must not be changed by that. */
  private void merge(long[] batch, Partner partner) {
    isInOrder = false;
    Filter other =
        new FilledFilter(subject, drawn.withPut(0).withPartner(partner)).partner(batch, 0);
    byte[] before = Subject.write(other);
    long[] taken = taken(other, batch);
    try {
      ((MergeableFilter) filter).putAll(other);
      for (long hash : taken) {
        contain(hash);
      }
    } catch (FilterFullException e) {
      // The filter may have a limit, and was not changed.
    }
    assertArrayEquals(before, Subject.write(other), "bytes of what was merged");
  }

  /** Returns the hashes that a filter contains, of some for which it may have had no room. */
  private static long[] taken(Filter filter, long[] hashes) {
    return Arrays.stream(hashes).filter(filter::mightContain).toArray();
  }

  /** Continues with another filter, into which this one is merged. */
  public void mergeInto() {
    Filter other = new FilledFilter(subject, drawn.withPut(0)).partner(hashes, 0);
    long[] taken = taken(other, hashes);
    try {
      ((MergeableFilter) other).putAll(filter);
      isInOrder = false;
      filter = other;
      mode = drawn.partner() == Partner.OF_OTHER_MODE ? drawn.otherMode() : drawn.mode();
      for (long hash : taken) {
        contain(hash);
      }
    } catch (FilterFullException e) {
      // The filter may have a limit.
    }
  }

  /** Attempts a merge of an incompatible filter, which must change neither. */
  public void incompatibleMerge() {
    refuse(drawn.withHashId(LookAlikes.of(drawn.hashId(), places).get(0)));
    Case larger = drawn.withKeys(5 * drawn.keys());
    if (subject.offer().has(larger.keys(), larger.rate())) {
      refuse(larger);
    }
  }

  private void refuse(Case incompatible) {
    Filter other = subject.provider().create(incompatible.spec(), mode);
    if (filter.layout().equals(other.layout())
        && filter.spec().hashId().equals(other.spec().hashId())) {
      return; // few additional keys may need no additional bits
    }
    Subject.put(other, hashes);
    byte[] here = Subject.write(filter);
    byte[] there = Subject.write(other);
    assertThrows(
        IllegalArgumentException.class,
        () -> ((MergeableFilter) filter).putAll(other),
        "an incompatible filter");
    assertArrayEquals(here, Subject.write(filter), "bytes after refusing to merge");
    assertArrayEquals(there, Subject.write(other), "bytes of what was refused");
  }

  /** Queries some hashes in one batch. */
  public void select(List<Integer> numbers) {
    select(batch(numbers));
  }

  /** Queries all contained hashes, and as many others. */
  public void selectAll() {
    long[] batch = Arrays.copyOf(present.toArray(), 2 * present.size() + 3);
    for (int i = present.size(); i < batch.length; i++) {
      batch[i] = others.next();
    }
    select(batch);
  }

  private void select(long[] batch) {
    Part part = part(batch);
    int[] expected =
        IntStream.range(part.from, part.to)
            .filter(i -> filter.mightContain(part.array[i]))
            .toArray();
    int[] hits = new int[batch.length];
    int found = filter.select(part.array, part.from, part.to, hits);
    assertArrayEquals(expected, Arrays.copyOf(hits, found), "indices of what is found");
  }

  /** Queries the mapped content, and compares the answers and statistics. */
  public void map() {
    FilterView view = subject.mapped(filter);
    assertEquals(filter.stats(), view.stats(), "statistics of mapped content");
    long[] queried = Arrays.copyOf(present.toArray(), present.size() + FEW);
    for (int i = present.size(); i < queried.length; i++) {
      queried[i] = others.next();
    }
    int[] hits = new int[queried.length];
    int[] mapped = new int[queried.length];
    int found = filter.select(queried, 0, queried.length, hits);
    assertEquals(found, view.select(queried, 0, queried.length, mapped), "found, mapped");
    assertArrayEquals(
        Arrays.copyOf(hits, found), Arrays.copyOf(mapped, found), "which are found, mapped");
    for (long hash : queried) {
      assertEquals(
          filter.mightContain(hash), view.mightContain(hash), () -> "mapped: " + name(hash));
    }
  }

  /** Compares the statistics with those of the same content after reading it. */
  public void measure() {
    assertEquals(subject.read(Subject.write(filter)).stats(), filter.stats(), "statistics");
  }

  public void clear() {
    filter.clear();
    contained.clear();
    present.clear();
    isInOrder = true;
    assertArrayEquals(Subject.write(empty()), Subject.write(filter), "bytes after clear");
  }

  /** Checks the invariants after each step. */
  public void check() {
    for (LongIntCursor hash : contained) {
      assertTrue(filter.mightContain(hash.key), () -> "lost: " + name(hash.key));
    }
    FilterStats stats = filter.stats();
    assertTrue(stats.fill() >= 0 && stats.fill() <= 1, () -> "fill of " + stats);
    assertTrue(stats.approximateKeys().orElse(0) >= 0, () -> "estimate of " + stats);
    if (contained.isEmpty()) {
      assertEquals(0, stats.setBits(), "set bits of an empty filter");
    }
  }

  @Override
  public String toString() {
    return "a filter that must contain " + contained.size() + " hashes";
  }
}
