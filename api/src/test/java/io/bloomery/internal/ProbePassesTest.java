package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ProbePassesTest {

  /** A table of k slices, or of one that all probes share, and its queries. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  private record Table(long[] words, int range, int stride, int probes, ProbePasses passes) {

    static Table of(int range, boolean sliced, int probes) {
      long[] words = new long[sliced ? range * probes : range];
      int stride = sliced ? range : 0;
      return new Table(words, range, stride, probes, new ProbePasses(words, range, stride, probes));
    }

    int word(long hash, int probe) {
      return probe * stride + WordProbes.word(WordProbes.probe(hash, probe), range);
    }

    void put(long hash) {
      for (int i = 0; i < probes; i++) {
        words[word(hash, i)] |= 1L << WordProbes.bit(hash, i);
      }
    }

    boolean mightContain(long hash) {
      return IntStream.range(0, probes)
          .allMatch(i -> (words[word(hash, i)] >>> WordProbes.bit(hash, i) & 1) != 0);
    }
  }

  @Property(seed = "1", tries = 500)
  void batchesAreWhatSingleQueriesAre(
      @ForAll @IntRange(min = 1, max = 64) int probes,
      @ForAll @IntRange(min = 1, max = 300) int range,
      @ForAll boolean sliced,
      @ForAll @IntRange(min = 0, max = 10) int tenthsContained,
      @ForAll long draw) {
    Table table = Table.of(range, sliced, probes);
    SplittableRandom random = new SplittableRandom(draw);
    long[] known = random.longs(1 + random.nextInt(range)).toArray();
    Arrays.stream(known).forEach(table::put);
    for (int batch = 0; batch < 3; batch++) {
      long[] hashes =
          random
              .longs(random.nextInt(1_200))
              .map(
                  hash ->
                      random.nextInt(10) < tenthsContained
                          ? known[random.nextInt(known.length)]
                          : hash)
              .toArray();
      int from = random.nextInt(hashes.length + 1);
      int to = from + random.nextInt(hashes.length - from + 1);
      int[] expected =
          IntStream.range(from, to).filter(i -> table.mightContain(hashes[i])).toArray();
      int[] hits = new int[to - from];
      int found = table.passes.selectInPasses(hashes, from, to, hits);
      assertArrayEquals(expected, Arrays.copyOf(hits, found));
    }
  }

  @Test
  void severalThreadsDoNotDisturbEachOther() {
    Table table = Table.of(1_000, false, 7);
    long[] hashes = new SplittableRandom(1).longs(20_000).toArray();
    Arrays.stream(hashes, 0, 10_000).forEach(table::put);
    int expected = table.passes.selectInPasses(hashes, 0, hashes.length, new int[hashes.length]);
    IntStream.range(0, 100)
        .parallel()
        .map(i -> table.passes.selectInPasses(hashes, 0, hashes.length, new int[hashes.length]))
        .forEach(found -> assertEquals(expected, found));
  }

  @Test
  void aBatchThatThrowsLeavesQueriesAsTheyWere() {
    Table table = Table.of(1_000, false, 7);
    long[] hashes = {1, 2, 3};
    table.put(2);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> table.passes.selectInPasses(hashes, 0, 4, new int[4]));
    int[] hits = new int[3];
    assertEquals(1, table.passes.selectInPasses(hashes, 0, 3, hits));
    assertEquals(1, hits[0]);
  }
}
