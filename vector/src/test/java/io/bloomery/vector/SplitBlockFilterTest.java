package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.partitioned.SplitBlockProvider;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SplitBlockFilterTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @Property(seed = "73", tries = 500)
  void batchesOfEveryLengthAnswerAsASetOfPositionsDoes(
      @ForAll ThreadMode mode,
      @ForAll @IntRange(min = 1, max = 300) int keys,
      @ForAll @IntRange(max = 200) int from,
      @ForAll @IntRange(max = 200) int length,
      @ForAll long seed) {
    Filter filter = new SplitBlockProvider().create(new FilterSpec(keys, 0.05), mode);
    long bits = filter.layout().get("bits");
    Set<Long> set = new HashSet<>();
    long[] hashes = new SplittableRandom(seed).longs(from + length + 10).toArray();
    int added = 0;
    for (int i = from; i < from + length / 2; i++) {
      added += set.addAll(positions(hashes[i], bits)) ? 1 : 0;
    }
    assertEquals(added, filter.putAll(hashes, from, from + length / 2));
    int[] expected = new int[length];
    int count = 0;
    for (int i = from; i < from + length; i++) {
      expected[count] = i;
      count += set.containsAll(positions(hashes[i], bits)) ? 1 : 0;
    }
    int[] hits = new int[length];
    int found = filter.select(hashes, from, from + length, hits);
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
    assertEquals(set.size(), filter.stats().setBits());
  }

  private static Set<Long> positions(long hash, long bits) {
    Set<Long> positions = new HashSet<>();
    for (long bit : new SplitBlockProvider().positions(hash, bits, 8)) {
      positions.add(bit);
    }
    return positions;
  }

  @Test
  void aLoopThatWaitsForAPutEnds() {
    Filter filter = new SplitBlockProvider().create(new FilterSpec(10, 0.01), ThreadMode.SHARED);
    assertEnds(() -> filter.mightContain(7), () -> filter.put(7));
  }

  @Test
  void aLoopThatWaitsForAHitEnds() {
    Filter filter = new SplitBlockProvider().create(new FilterSpec(10, 0.01), ThreadMode.SHARED);
    long[] hashes = {7};
    int[] hits = new int[1];
    assertEnds(() -> filter.select(hashes, 0, 1, hits) == 1, () -> filter.put(7));
  }

  // The put comes when the loop has long been compiled.
  private static void assertEnds(BooleanSupplier ended, Runnable put) {
    Thread putter =
        new Thread(
            () -> {
              try {
                Thread.sleep(2_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              put.run();
            });
    putter.start();
    assertTimeoutPreemptively(
        LONG,
        () -> {
          while (!ended.getAsBoolean()) {
            // Nothing that would make the compiler read memory again.
          }
          putter.join();
        });
  }
}
