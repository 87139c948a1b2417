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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Many hashes in one call. */
interface BatchRules extends RuleSet {

  /** Lengths around which loops are unrolled and buffers end, besides all up to 130. */
  List<Integer> LENGTHS = List.of(255, 256, 257, 511, 513, 700, 1_023, 1_025, 1_500, 4_097, 9_999);

  /**
   * Hashes {@code from} to {@code to - 1} of so many.
   *
   * @param repeated whether each hash comes three times
   */
  record Batch(int length, int from, int to, ThreadMode mode, boolean repeated) {

    long[] hashes(String purpose) {
      long[] hashes = Hashes.of(purpose, length);
      for (int i = 0; repeated && i < length; i++) {
        hashes[i] = hashes[i - i % 3];
      }
      return hashes;
    }
  }

  @Provide
  default Arbitrary<Batch> batches() {
    SplittableRandom random = new SplittableRandom(Seeds.of("batches"));
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
    return Arbitraries.of(batches);
  }

  private static Batch whole(int length) {
    ThreadMode mode = length % 2 == 0 ? ThreadMode.SHARED : ThreadMode.CONFINED;
    return new Batch(length, 0, length, mode, length % 3 == 0);
  }

  @Property(generation = GenerationMode.EXHAUSTIVE)
  default void r24_putAllDoesWhatSinglePutsDo(@ForAll("batches") Batch batch) {
    // Twice as many as expected at a high rate: many are not new.
    long[] hashes = batch.hashes("r24");
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

  @Property(generation = GenerationMode.EXHAUSTIVE)
  default void r25_selectFindsWhatSingleQueriesFind(@ForAll("batches") Batch batch) {
    long[] hashes = batch.hashes("r25");
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

  @Example
  default void r26_badRangesAreRefusedBeforeAnythingChanges() {
    Filter filter = subject().create(100, 0.01);
    long[] hashes = Hashes.of("r26", 10);
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
