package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.carrotsearch.hppc.IntArrayList;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.ForAll;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.FreshAnswers;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The rules on batches. */
public final class BatchRules extends RuleGroup {

  /** An overfull filter, in whose batch one hash is repeated more often than two bytes count. */
  private static final Case REPEATED = Case.of(2_000, 0.01).withPut(2_100).withBatch(0, 66_700);

  private static final Domain BATCHES =
      Domain.everyFilter()
          .maxPut(50_000)
          .smallDraws(24)
          .edges(everyLength())
          .edges(tablesBeyondTheCache())
          // So many new hashes at once that their number exceeds the range of two bytes, signed or
          // unsigned.
          .edges(List.of(Case.of(50_000, 0.01).withPut(0).withBatch(3, 33_333)))
          .edges(List.of(Case.of(100_000, 0.01).withPut(0).withBatch(0, 66_666)))
          .edges(List.of(REPEATED, LifeRules.BEYOND_TWO_BYTES.withBatch(1, 100)))
          // And so many present ones, at indices beyond the range of two bytes.
          .edges(List.of(Case.of(50_000, 0.01).withBatch(1_000, 66_000)));

  /** Batches of thousands of hashes that begin anywhere in their arrays. */
  private static final Domain LONG =
      Domain.everyFilter().maxPut(5_000).smallDraws(16).each(BatchRules::lengthened);

  private static final int MIN_RUN = 200;
  private static final int MIN_LONG = 1_000;
  private static final int MAX_LONG = 10_000;

  private static final Domain REFUSED =
      Domain.everyFilter()
          .maxPut(2_000)
          .draws(32)
          .each(drawn -> drawn.withBatch(0, Math.min(drawn.length(), 5_000)))
          .edges(List.of(Case.of(100, 0.01).withPut(0).withBatch(0, 10)));

  private static final long ENDS = 0x5555_5555_5555_5555L;
  private static final int MAX_TRIES = 100;

  public BatchRules(RuleContext context) {
    super(context);
  }

  /** Returns a case for each length near those at which loops are unrolled and buffers end. */
  private static List<Case> everyLength() {
    IntStream lengths =
        IntStream.concat(
            IntStream.rangeClosed(0, 130),
            IntStream.of(255, 256, 257, 511, 513, 700, 1_023, 1_025, 1_500, 4_097, 9_999));
    return lengths.mapToObj(length -> edge(length)).toList();
  }

  /**
   * Returns batches on tables of more than a MiB, and of more than 16, for which loops prefetch or
   * are divided differently: from a single hash upwards, of all lengths close to those of buffers,
   * with few and many keys present.
   */
  private static List<Case> tablesBeyondTheCache() {
    List<Case> cases = new ArrayList<>();
    int[] lengths = {1, 2, 3, 15, 17, 33, 63, 64, 65, 128, 191, 256, 1_001};
    for (int i = 0; i < lengths.length; i++) {
      for (ThreadMode mode : ThreadMode.values()) {
        boolean isHigh = i % 2 == 0 ^ mode == ThreadMode.SHARED;
        Case large = isHigh ? Case.of(1_300_000, 0.02) : Case.of(1_000_000, 0.004);
        cases.add(
            large
                .withMode(mode)
                .withPut(i % 3 == 0 ? 30 : 2_000)
                .withBatch(i % 2 * 3, lengths[i])
                .withSeed(i));
      }
    }
    for (int length : new int[] {17, 1_001}) {
      cases.add(Case.of(15_000_000, 0.01).withPut(2_000).withBatch(3, length).withSeed(length));
    }
    return cases;
  }

  private static Case lengthened(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    double times = StrictMath.pow((double) MAX_LONG / MIN_LONG, random.nextDouble());
    return drawn.withBatch(drawn.from(), Math.max(drawn.length(), (int) (MIN_LONG * times)));
  }

  private static Case edge(int length) {
    return Case.of(300, 0.1)
        .withMode(Subject.modeOf(length))
        .withBatch(length % 3 == 0 ? 0 : length % 7, length);
  }

  /**
   * Returns an array that contains the batch of a case, with hashes that are in its filter, others,
   * and some that recur; if nothing was put, with new ones only. The first and last hash of the
   * batch are new, because otherwise a batch that omits either would be detected only by chance.
   */
  private static long[] batchWithNewEnds(FilledFilter filled, Case drawn) {
    long[] array = batch(filled, drawn);
    if (drawn.length() > 0) {
      Hashes ends = new Hashes(drawn.seed() ^ ENDS);
      array[drawn.from()] = absent(filled.filter(), ends);
      array[drawn.from() + drawn.length() - 1] = absent(filled.filter(), ends);
    }
    return array;
  }

  private static long absent(Filter filter, Hashes hashes) {
    long hash = hashes.next();
    for (int tries = 0; tries < MAX_TRIES && filter.mightContain(hash); tries++) {
      hash = hashes.next();
    }
    return hash;
  }

  /** Returns the same with ends that are present, if anything is. */
  private static long[] batchWithKnownEnds(FilledFilter filled, Case drawn) {
    long[] array = batch(filled, drawn);
    long[] known = filled.hashes();
    if (drawn.length() > 0 && known.length > 0) {
      array[drawn.from()] = known[0];
      array[drawn.from() + drawn.length() - 1] = known[known.length - 1];
    }
    return array;
  }

  private static long[] batch(FilledFilter filled, Case drawn) {
    long[] known = filled.hashes();
    Hashes others = filled.others();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    int ofTenKnown = random.nextInt(11);
    int ofEightRepeated = known.length == 0 ? 0 : random.nextInt(5);
    // Half of all batches end at the end of their array.
    int behind = random.nextBoolean() ? 0 : random.nextInt(1, 5);
    long[] array = new long[drawn.from() + drawn.length() + behind];
    for (int i = 0; i < array.length; i++) {
      if (i > 0 && random.nextInt(8) < ofEightRepeated) {
        array[i] = array[random.nextInt(i)];
      } else if (known.length > 0 && random.nextInt(10) < ofTenKnown) {
        array[i] = known[random.nextInt(known.length)];
      } else {
        array[i] = others.next();
      }
    }
    if (drawn.put() > drawn.keys() && drawn.length() > MIN_RUN) {
      // In overfull filters one hash over and over again: for most of a long batch, and for any
      // part of others.
      int run =
          drawn.length() > 1 << 16
              ? drawn.length() - 1 - random.nextInt(MIN_RUN)
              : random.nextInt(drawn.length());
      int from = drawn.from() + random.nextInt(drawn.length() - run);
      Arrays.fill(array, from, from + run, array[from]);
    }
    return array;
  }

  private void forAllBatches(ForAll.Check check) {
    forAll(BATCHES, check);
    if (tier().isAtLeast(Tier.QUICK)) {
      forAll(LONG, check);
    }
  }

  public void putAllDoesWhatSinglePutsDo() {
    forAllBatches(this::checkPutAll);
  }

  private void checkPutAll(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = batchWithNewEnds(filled, drawn);
    long[] passed = hashes.clone();
    int to = drawn.from() + drawn.length();
    Filter all = filled.filter();
    Filter singly = filled.filter().copy();
    int expected;
    try {
      expected = putSingly(singly, hashes, drawn.from(), to);
    } catch (FilterFullException e) {
      return; // another rule checks where a batch that does not fit ends
    }

    int added = all.putAll(passed, drawn.from(), to);

    assertEquals(expected, added, "how many were new");
    assertArrayEquals(Subject.write(singly), Subject.write(all), "bytes after the batch");
    assertArrayEquals(hashes, passed, "the caller's array");
  }

  /** Returns how many of the hashes were absent. */
  private static int putSingly(Filter filter, long[] hashes, int from, int to) {
    int absent = 0;
    for (int i = from; i < to; i++) {
      absent += filter.mightContain(hashes[i]) ? 0 : 1;
      filter.put(hashes[i]);
    }
    return absent;
  }

  public void selectFindsWhatSingleQueriesFind() {
    forAllBatches(this::checkSelect);
  }

  private void checkSelect(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = batchWithKnownEnds(filled, drawn);
    long[] passed = hashes.clone();
    int to = drawn.from() + drawn.length();
    int[] hits = new int[drawn.length()];

    int found = filled.filter().select(passed, drawn.from(), to, hits);

    IntArrayList expected = foundSingly(filled.filter(), hashes, drawn.from(), to);
    IntArrayList selected = IntArrayList.from(hits);
    selected.resize(Math.min(found, hits.length));
    assertEquals(expected, selected, "indices of possible members");
    assertEquals(expected.size(), found, "how many");
    assertArrayEquals(hashes, passed, "the caller's array");
    new FreshAnswers(subject(), filled.filter(), new Hashes(drawn.seed() ^ ENDS))
        .check(drawn.seed());
  }

  private static IntArrayList foundSingly(Filter filter, long[] hashes, int from, int to) {
    IntArrayList found = new IntArrayList();
    for (int i = from; i < to; i++) {
      if (filter.mightContain(hashes[i])) {
        found.add(i);
      }
    }
    return found;
  }

  public void badRangesAreRefusedBeforeAnythingChanges() {
    forAll(REFUSED, this::checkBadRanges);
  }

  private void checkBadRanges(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    int length = drawn.length();
    long[] hashes = filled.others().next(length);
    byte[] before = Subject.write(filter);
    Filter equal = filter.copy();
    int[][] ranges = {
      {-1, length / 2},
      {-1, length},
      {0, length + 1},
      {length / 2, length + 1},
      {length / 2 + 1, length / 2},
      {length, 0},
      {length + 1, length + 1},
      {length + 1, length + 2},
      {0, -1},
      {-1, -1},
      {0, Integer.MAX_VALUE},
      {Integer.MAX_VALUE, Integer.MAX_VALUE},
      {Integer.MIN_VALUE, Integer.MAX_VALUE},
      {Integer.MIN_VALUE, Integer.MIN_VALUE},
      {Integer.MAX_VALUE, Integer.MIN_VALUE}
    };
    int[] room = new int[2 * length + 2];
    FilterView view = subject().mapped(filter);
    for (int[] range : ranges) {
      String what = "range " + range[0] + " to " + range[1] + " of " + length;
      assertThrows(
          IndexOutOfBoundsException.class, () -> filter.putAll(hashes, range[0], range[1]), what);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.select(hashes, range[0], range[1], room),
          what);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> view.select(hashes, range[0], range[1], room),
          () -> what + ", of mapped content");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after bad ranges");
    for (int at : new int[] {0, length / 2, length}) {
      assertEquals(0, filter.putAll(hashes, at, at), "new ones in an empty range");
      assertEquals(0, filter.select(hashes, at, at, new int[0]), "hits in an empty range");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after empty ranges");
    for (int from : new int[] {0, length - 1}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> filter.select(hashes, from, length, new int[length - from - 1]),
          () -> "room for one less than the hits from " + from + " to " + length);
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after too little room");
    checkRefusedRemoves(filter, hashes);
    if (subject().takesPuts()) {
      EveryCall.checkEqual(
          equal, filter, filled.some(), drawn.seed(), "after ranges that were refused");
    }
  }

  private static void checkRefusedRemoves(Filter filter, long... hashes) {
    if (filter instanceof RemovableFilter removable) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> removable.removeAll(hashes, 0, hashes.length + 1),
          "removes of one hash more than there are");
    }
  }
}
