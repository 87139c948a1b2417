package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks that a group answers as its filters do. */
class BlockedGroupTest {

  private static Filter filter(long keys) {
    double rate = keys % 3 == 0 ? 0.05 : 0.009; // bits in two words, or in four
    return new BlockedProvider().create(FilterSpec.of(keys, rate), ThreadMode.SHARED);
  }

  /** Checks single queries and a batch against the filters, whose rate makes them err often. */
  private static void answersAsItsFilters(List<Filter> filters, long[] hashes, int from, int to) {
    BlockedGroup group = new BlockedGroup(filters);
    int[] expected = new int[to - from];
    int count = 0;
    for (int i = from; i < to; i++) {
      long hash = hashes[i];
      boolean any = filters.stream().anyMatch(filter -> filter.mightContain(hash));
      assertEquals(any, group.mightContain(hash));
      expected[count] = i;
      count += any ? 1 : 0;
    }
    int[] hits = new int[to - from];
    int found = group.select(hashes, from, to, hits);
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
  }

  @Property(tries = 200, seed = "91")
  void itAnswersAsItsFiltersDo(
      @ForAll @IntRange(min = 0, max = 7) int size,
      @ForAll @IntRange(min = 0, max = 5) int from,
      @ForAll @IntRange(min = 0, max = 300) int length,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] hashes = random.longs(from + length + 3).toArray();
    List<Filter> filters = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      filters.add(filter(random.nextInt(20, 640)));
    }
    for (int i = 0; i < hashes.length && size > 0; i += 1 + random.nextInt(4)) {
      filters.get(random.nextInt(size)).put(hashes[i]);
    }
    answersAsItsFilters(filters, hashes, from, from + length);
  }

  @Test
  void filtersTooLargeForTheCacheAreAskedTheSameWay() {
    long[] hashes = new SplittableRandom(92).longs(300_000).toArray();
    List<Filter> filters = List.of(filter(1_400_000), filter(1_000), filter(1_300_000));
    assertTrue(filters.get(2).layout().get("bits") / Long.SIZE > Batches.CACHED_WORDS);
    for (int i = 0; i < 150_000; i++) {
      filters.get(i % 100 == 0 ? 1 : i % 2 * 2).put(hashes[i]);
    }
    answersAsItsFilters(filters, hashes, 149_000, 151_001);
    answersAsItsFilters(filters, hashes, 0, 300_000);
  }

  @Test
  void itSeesWhatIsPutLater() {
    List<Filter> filters = List.of(filter(100), filter(200));
    BlockedGroup group = new BlockedGroup(filters);
    assertFalse(group.mightContain(5));
    filters.get(1).put(5);
    assertTrue(group.mightContain(5));
  }

  @Test
  void aBatchWithoutRoomForItsResultIsRefused() {
    BlockedGroup group = new BlockedGroup(List.of(filter(1), filter(1)));
    assertThrows(
        IllegalArgumentException.class, () -> group.select(new long[10], 0, 10, new int[9]));
  }
}
