package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.carrotsearch.hppc.IntArrayList;
import io.bloomery.filter.Filter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Many hashes in one call. */
final class BatchRules extends Topic {

  /** Lengths around which loops are unrolled and buffers end, besides all up to 130. */
  private static final List<Integer> LENGTHS =
      List.of(255, 256, 257, 511, 513, 700, 1_023, 1_025, 1_500, 4_097, 9_999);

  BatchRules(RuleContext context) {
    super(context);
  }

  /**
   * Hashes {@code from} to {@code to - 1} of so many.
   *
   * @param repeated whether each hash comes three times
   */
  private record Batch(int length, int from, int to, ThreadMode mode, boolean repeated) {}

  private long[] hashes(String purpose, Batch batch) {
    long[] hashes = hashes(purpose, batch.length());
    for (int i = 0; batch.repeated() && i < batch.length(); i++) {
      hashes[i] = hashes[i - i % 3];
    }
    return hashes;
  }

  private List<Batch> batches() {
    SplittableRandom random = new SplittableRandom(seed("batches"));
    List<Batch> batches = new ArrayList<>();
    for (int length = 0; length <= 130; length++) {
      batches.add(whole(length));
    }
    LENGTHS.forEach(length -> batches.add(whole(length)));
    for (int i = 0; i < 100; i++) {
      int length = random.nextInt(700);
      int one = random.nextInt(length + 1);
      int other = random.nextInt(length + 1);
      ThreadMode mode = random.nextBoolean() ? ThreadMode.SHARED : ThreadMode.CONFINED;
      int from = Math.min(one, other);
      batches.add(new Batch(length, from, Math.max(one, other), mode, random.nextBoolean()));
    }
    return batches;
  }

  /** Checks one batch after the other, and says which one it is that fails. */
  private void checkEach(Consumer<Batch> check) {
    for (Batch batch : batches()) {
      try {
        check.accept(batch);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with " + batch + ": " + e, e);
      }
    }
  }

  private static Batch whole(int length) {
    ThreadMode mode = length % 2 == 0 ? ThreadMode.SHARED : ThreadMode.CONFINED;
    return new Batch(length, 0, length, mode, length % 3 == 0);
  }

  void putAllDoesWhatSinglePutsDo() {
    checkEach(this::checkPutAll);
  }

  private void checkPutAll(Batch batch) {
    // Twice as many as expected at a high rate: many are not new.
    long[] hashes = hashes("r24", batch);
    long[] passed = hashes.clone();
    int expectedKeys = Math.max(300, batch.length() / 2);
    Filter all = subject().create(expectedKeys, 0.3, batch.mode());
    Filter singly = subject().create(expectedKeys, 0.3, batch.mode());

    int added = all.putAll(passed, batch.from(), batch.to());

    int expected = 0;
    for (int i = batch.from(); i < batch.to(); i++) {
      expected += singly.put(hashes[i]) ? 1 : 0;
    }
    assertEquals(expected, added, "how many were new");
    assertArrayEquals(Subject.write(singly), Subject.write(all), "bytes after the batch");
    assertArrayEquals(hashes, passed, "the caller's array");
  }

  void selectFindsWhatSingleQueriesFind() {
    checkEach(this::checkSelect);
  }

  private void checkSelect(Batch batch) {
    long[] hashes = hashes("r25", batch);
    int expectedKeys = Math.max(300, batch.length() / 2);
    Filter some = subject().create(expectedKeys, 0.1, batch.mode());
    Filter all = subject().create(expectedKeys, 0.1, batch.mode());
    Filter none = subject().create(expectedKeys, 0.1, batch.mode());
    for (int i = 0; i < hashes.length; i++) {
      all.put(hashes[i]);
      if (i % 3 == 0) {
        some.put(hashes[i]);
      }
    }
    checkSelect(some, hashes, batch);
    checkSelect(all, hashes, batch);
    checkSelect(none, hashes, batch);
  }

  private static void checkSelect(Filter filter, long[] hashes, Batch batch) {
    long[] passed = hashes.clone();
    int[] hits = new int[batch.to() - batch.from()];

    int found = filter.select(passed, batch.from(), batch.to(), hits);

    IntArrayList expected = new IntArrayList();
    for (int i = batch.from(); i < batch.to(); i++) {
      if (filter.mightContain(hashes[i])) {
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
