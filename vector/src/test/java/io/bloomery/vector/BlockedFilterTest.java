package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomery.blocked.BlockedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockedFilterTest {

  private static final long HASH = 7;

  @Property(seed = "73", tries = 500)
  void batchesOfEveryLengthAnswerAsASetOfPositionsDoes(
      @ForAll ThreadMode mode,
      @ForAll @IntRange(min = 1, max = 300) int keys,
      @ForAll @IntRange(max = 200) int from,
      @ForAll @IntRange(max = 200) int length,
      @ForAll long seed) {
    Filter filter = new BlockedProvider().create(FilterSpec.of(keys, 0.009), mode);
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
    for (long bit : new BlockedProvider().positions(hash, bits, 8).orElseThrow()) {
      positions.add(bit);
    }
    return positions;
  }

  // Both fail at once if the filter lets the compiler read a block before the loop only.
  @Test
  void aLoopOfQueriesSeesAPutOfAnotherThread() throws InterruptedException {
    assertEndsAfterPut(
        filter -> {
          while (!filter.mightContain(HASH)) {
            // Nothing else that would make the compiled code read memory again.
          }
        });
  }

  @Test
  void aLoopOfBatchesSeesAPutOfAnotherThread() throws InterruptedException {
    long[] hashes = {HASH};
    int[] hits = new int[1];
    assertEndsAfterPut(
        filter -> {
          while (filter.select(hashes, 0, 1, hits) == 0) {
            // Nothing else that would make the compiled code read memory again.
          }
        });
  }

  private static void assertEndsAfterPut(Consumer<Filter> loop) throws InterruptedException {
    Filter filter = new BlockedProvider().create(FilterSpec.of(10, 0.009), ThreadMode.SHARED);
    Thread looping = new Thread(() -> loop.accept(filter));
    looping.setDaemon(true);
    looping.start();
    Thread.sleep(2_000); // long enough for the loop to be compiled
    filter.put(HASH);
    looping.join(600_000);
    assertFalse(looping.isAlive());
  }
}
