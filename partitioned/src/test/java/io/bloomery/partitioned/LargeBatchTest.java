package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of tables that are larger than a processor's second-level cache. */
class LargeBatchTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 23})
  void slicesBeyondTheCacheAreAskedAsTheDefinitionSays(int slices) {
    assertAsksAsDefined(Batches.CACHED_WORDS + 5, 6, slices);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 7, 23})
  void slicesBeyondAllCachesAreAskedSoToo(int slices) {
    assertAsksAsDefined(Batches.FAR_WORDS + 100, 3, slices);
  }

  private static void assertAsksAsDefined(int words, int densities, int slices) {
    PartitionedProvider provider = new PartitionedProvider();
    assertAsksAsDefined(
        words,
        densities,
        table ->
            provider.wrap(SPEC, TableLayout.ofBits(table.sizeInBits()).withProbes(slices), table),
        provider,
        slices);
  }

  /** Asks tables of every density, in which queries leave after any probe, or none. */
  private static void assertAsksAsDefined(
      int words,
      int densities,
      Function<BitTable, Filter> wrap,
      FilterProvider places,
      int probes) {
    for (int density = 1; density <= densities; density++) {
      BitTable table = new BitTable(words * 64L, ThreadMode.CONFINED);
      SplittableRandom random = new SplittableRandom(84 + density);
      for (int i = 0; i < words; i++) {
        for (int j = 0; j < density; j++) {
          table.sharedWords()[i] |= random.nextLong();
        }
      }
      Filter filter = wrap.apply(table);
      long[] hashes = random.longs(1_000).toArray();
      int[] expected = new int[hashes.length];
      int count = 0;
      for (int i = 0; i < hashes.length; i++) {
        long[] positions = places.positions(hashes[i], table.sizeInBits(), probes).orElseThrow();
        boolean all = Arrays.stream(positions).allMatch(table::get);
        assertEquals(all, filter.mightContain(hashes[i]));
        expected[count] = i;
        count += all ? 1 : 0;
      }
      int[] hits = new int[hashes.length];
      int found = filter.select(hashes, 0, hashes.length, hits);
      assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
    }
  }
}
