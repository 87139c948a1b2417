package io.bloomery.blocked;

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
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of tables that are larger than a processor's second-level cache. */
class LargeBatchTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);

  @ParameterizedTest
  @CsvSource({TwoWordFilter.PROBES + ", 1", FourWordFilter.PROBES + ", 4"})
  void blocksBeyondTheCacheAreAskedAsTheDefinitionSays(int probes, int more) {
    BlockedProvider provider = new BlockedProvider();
    int words = Batches.CACHED_WORDS + more;
    assertAsksAsDefined(
        words,
        table ->
            provider.wrap(SPEC, TableLayout.ofBits(table.sizeInBits()).withProbes(probes), table),
        provider,
        probes);
  }

  @ParameterizedTest
  @CsvSource({TwoWordFilter.PROBES + ", 0", TwoWordFilter.PROBES + ", 1", "8, 0", "8, 4"})
  void aBatchReadsTheFirstAndTheLastWordOfItsBlocksBeyondTheCacheAlone(int probes, int more) {
    long[] words = new long[Batches.CACHED_WORDS + more];
    SplittableRandom random = new SplittableRandom(68);
    Arrays.setAll(words, i -> 1L << random.nextInt(Long.SIZE));
    long[] hashes = random.longs(9).toArray();
    for (int to = 2; to <= 6; to++) {
      long expected = 0;
      for (int i = 2; i < to && more > 0; i++) {
        long[] positions =
            new BlockedProvider().positions(hashes[i], words.length * 64L, probes).orElseThrow();
        expected |= words[(int) (positions[0] / Long.SIZE)];
        expected |= words[(int) (positions[probes - 1] / Long.SIZE)];
      }
      long read =
          Blocks.isOfTwoWords(probes)
              ? TwoWordFilter.prefetch(words, hashes, 2, to)
              : FourWordFilter.prefetch(words, hashes, 2, to);
      assertEquals(expected, read);
    }
  }

  /** Asks tables of every density, in which queries leave after any probe, or none. */
  private static void assertAsksAsDefined(
      int words, Function<BitTable, Filter> wrap, FilterProvider places, int probes) {
    for (int density = 1; density <= 6; density++) {
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
