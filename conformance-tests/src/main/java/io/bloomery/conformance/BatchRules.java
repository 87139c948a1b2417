package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.carrotsearch.hppc.IntArrayList;
import io.bloomery.conformance.cases.Case;
import io.bloomery.conformance.cases.Domain;
import io.bloomery.filter.Filter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Many hashes in one call. */
final class BatchRules extends Topic {

  private static final Domain BATCHES = Domain.everyFilter().edges(everyLength());

  BatchRules(RuleContext context) {
    super(context);
  }

  /** Returns a case for each length around which loops are unrolled and buffers end. */
  private static List<Case> everyLength() {
    IntStream lengths =
        IntStream.concat(
            IntStream.rangeClosed(0, 130),
            IntStream.of(255, 256, 257, 511, 513, 700, 1_023, 1_025, 1_500, 4_097, 9_999));
    return lengths.mapToObj(length -> edge(length)).toList();
  }

  private static Case edge(int length) {
    return Case.of(300, 0.1)
        .withMode(Subject.modeOf(length))
        .withBatch(length % 3 == 0 ? 0 : length % 7, length);
  }

  /**
   * Returns an array that a case's batch lies in, with hashes that are in its filter, others, and
   * some that come again and again.
   */
  private static long[] batch(Given given, Case drawn) {
    long[] known = given.hashes();
    Hashes others = given.others();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    int ofTenKnown = random.nextInt(11);
    long[] array = new long[drawn.from() + drawn.length() + random.nextInt(5)];
    for (int i = 0; i < array.length; i++) {
      if (i > 0 && random.nextInt(8) == 0) {
        array[i] = array[random.nextInt(i)];
      } else if (known.length > 0 && random.nextInt(10) < ofTenKnown) {
        array[i] = known[random.nextInt(known.length)];
      } else {
        array[i] = others.next();
      }
    }
    return array;
  }

  void putAllDoesWhatSinglePutsDo() {
    forAll(BATCHES, this::checkPutAll);
  }

  private void checkPutAll(Case drawn) {
    Given given = new Given(subject(), drawn);
    long[] hashes = batch(given, drawn);
    long[] passed = hashes.clone();
    int to = drawn.from() + drawn.length();
    Filter all = given.filter();
    Filter singly = given.filter().copy();
    int expected = 0;
    for (int i = drawn.from(); i < to; i++) {
      boolean absent = !singly.mightContain(hashes[i]);
      if (!Subject.isTaken(singly, hashes[i])) {
        return; // where a batch ends that does not fit is another rule's business
      }
      expected += absent ? 1 : 0;
    }

    int added = all.putAll(passed, drawn.from(), to);

    assertEquals(expected, added, "how many were new");
    assertArrayEquals(Subject.write(singly), Subject.write(all), "bytes after the batch");
    assertArrayEquals(hashes, passed, "the caller's array");
  }

  void selectFindsWhatSingleQueriesFind() {
    forAll(BATCHES, this::checkSelect);
  }

  private void checkSelect(Case drawn) {
    Given given = new Given(subject(), drawn);
    long[] hashes = batch(given, drawn);
    long[] passed = hashes.clone();
    int to = drawn.from() + drawn.length();
    int[] hits = new int[drawn.length()];

    int found = given.filter().select(passed, drawn.from(), to, hits);

    IntArrayList expected = new IntArrayList();
    for (int i = drawn.from(); i < to; i++) {
      if (given.filter().mightContain(hashes[i])) {
        expected.add(i);
      }
    }
    IntArrayList selected = IntArrayList.from(hits);
    selected.resize(Math.min(found, hits.length));
    assertEquals(expected, selected, "indices of possible members");
    assertEquals(expected.size(), found, "how many");
    assertArrayEquals(hashes, passed, "the caller's array");
  }

  void badRangesAreRefusedBeforeAnythingChanges() {
    Filter filter = subject().create(100, 0.01);
    long[] hashes = hashes("r26", 10);
    byte[] before = Subject.write(filter);
    int[][] ranges = {
      {-1, 5}, {0, 11}, {5, 4}, {11, 11}, {Integer.MIN_VALUE, Integer.MAX_VALUE}, {3, -1}
    };
    for (int[] range : ranges) {
      String what = "range " + range[0] + " to " + range[1] + " of 10";
      assertThrows(
          IndexOutOfBoundsException.class, () -> filter.putAll(hashes, range[0], range[1]), what);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.select(hashes, range[0], range[1], new int[20]),
          what);
      assertArrayEquals(before, Subject.write(filter), what);
    }
    for (int at : new int[] {0, 5, 10}) {
      assertEquals(0, filter.putAll(hashes, at, at), "new ones in an empty range");
      assertEquals(0, filter.select(hashes, at, at, new int[0]), "hits in an empty range");
    }
    assertArrayEquals(before, Subject.write(filter), "empty ranges");
    assertThrows(
        IllegalArgumentException.class,
        () -> filter.select(hashes, 0, 10, new int[9]),
        "room for nine of ten hits");
    assertArrayEquals(before, Subject.write(filter), "room for nine of ten hits");
  }
}
