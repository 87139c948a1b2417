package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.carrotsearch.hppc.IntArrayList;
import io.bloomery.Filter;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Many hashes in one call. */
interface BatchRules extends RuleSet {

  /** Hashes {@code from} to {@code to - 1} of so many. */
  record Batch(int length, int from, int to) {}

  @Provide
  default Arbitrary<Batch> batches() {
    Arbitrary<Integer> length = Arbitraries.integers().between(0, 700);
    return length.flatMap(
        all ->
            Combinators.combine(
                    Arbitraries.integers().between(0, all), Arbitraries.integers().between(0, all))
                .as((a, b) -> new Batch(all, Math.min(a, b), Math.max(a, b))));
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.FIRST)
  default void r24_putAllDoesWhatSinglePutsDo(@ForAll("batches") Batch batch) {
    // Twice as many as expected at a high rate: many are not new.
    long[] hashes = Hashes.of("r24", batch.length());
    long[] passed = hashes.clone();
    Filter all = subject().create(300, 0.3);
    Filter singly = subject().create(300, 0.3);

    int added = all.putAll(passed, batch.from(), batch.to());

    int expected = 0;
    for (int i = batch.from(); i < batch.to(); i++) {
      expected += singly.put(hashes[i]) ? 1 : 0;
    }
    assertEquals(expected, added, "how many were new");
    assertArrayEquals(Subject.write(singly), Subject.write(all), "bytes after the batch");
    assertArrayEquals(hashes, passed, "the caller's array");
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.FIRST)
  default void r25_selectFindsWhatSingleQueriesFind(@ForAll("batches") Batch batch) {
    long[] hashes = Hashes.of("r25", batch.length());
    Filter filter = subject().create(300, 0.1);
    for (int i = 0; i < hashes.length; i += 3) {
      filter.put(hashes[i]);
    }
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
    assertThrows(
        IllegalArgumentException.class,
        () -> filter.select(hashes, 0, 10, new int[9]),
        "room for nine of ten hits");
    assertArrayEquals(before, Subject.write(filter), "room for nine of ten hits");
  }
}
