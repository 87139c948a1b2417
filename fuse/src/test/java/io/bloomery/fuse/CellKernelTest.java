package io.bloomery.fuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Batches;
import io.bloomery.internal.CellKernel;
import io.bloomery.internal.HashCollector;
import io.bloomery.internal.HashMixing;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What a filter passes to a kernel lets the definition of a kernel answer as the filter does. */
class CellKernelTest {

  /** The definition, bit by bit. */
  private static final class Definition implements CellKernel {
    private boolean used;

    @Override
    public int select(
        Batches.Each queries, Cells cells, long[] hashes, int from, int to, int[] hits) {
      used = true;
      int found = 0;
      for (int i = from; i < to; i++) {
        if (isContained(cells, hashes[i])) {
          hits[found++] = i;
        }
      }
      return found;
    }

    private static boolean isContained(Cells cells, long hash) {
      long mixed = HashMixing.mix(hash ^ cells.key());
      long first = Math.multiplyHigh(mixed >>> 1, cells.twiceFirsts());
      long spread = mixed * SPREAD;
      long within = cells.segment() - 1;
      return (cell(cells, first)
              ^ cell(cells, first + cells.segment() ^ (spread >>> SECOND & within))
              ^ cell(cells, first + 2 * cells.segment() ^ (spread >>> THIRD & within))
              ^ cell(cells, first + 3 * cells.segment() ^ (spread >>> FOURTH & within)))
          == (mixed & (1L << cells.width()) - 1);
    }

    private static long cell(Cells cells, long cell) {
      return IntStream.range(0, cells.width())
          .mapToLong(
              i -> {
                long bit = cell * cells.width() + i;
                return (cells.content()[(int) (bit / 8)] >>> bit % 8 & 1L) << i;
              })
          .sum();
    }
  }

  @Property(seed = "84", tries = 60)
  void answersOfAKernelAreThoseOfTheFilter(
      @ForAll @IntRange(max = 3_000) int keys,
      @ForAll @IntRange(min = 100, max = 3_000) int keysPerPart,
      @ForAll @IntRange(min = 2, max = 20) int width,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] known = random.longs(keys).toArray();
    FilterSpec spec = FilterSpec.of(Math.max(1, keys), Math.pow(2, -width));
    FuseLayout layout = FuseLayout.of(spec, keysPerPart);
    byte[][] arrays = {new byte[(int) layout.bytes()]};
    HashCollector distinct = HashCollector.ofAtMost(keys);
    distinct.addAll(LongStream.of(known));
    Peeling.build(layout, distinct.sorted(), arrays);
    Definition kernel = new Definition();
    FuseFilter filter = new FuseFilter(spec, layout, arrays, kernel);
    long[] hashes = random.longs(300).toArray();
    Arrays.setAll(hashes, i -> i % 2 == 0 && keys > 0 ? known[random.nextInt(keys)] : hashes[i]);
    int from = random.nextInt(hashes.length);
    int to = from + random.nextInt(hashes.length - from);
    int[] expected =
        IntStream.range(from, to).filter(i -> filter.mightContain(hashes[i])).toArray();
    int[] hits = new int[to - from];
    assertArrayEquals(expected, Arrays.copyOf(hits, filter.select(hashes, from, to, hits)));
    assertEquals(keys > 0 && layout.parts() == 1, kernel.used);
  }
}
