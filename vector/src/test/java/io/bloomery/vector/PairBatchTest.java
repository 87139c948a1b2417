package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import io.bloomery.internal.Batches;
import io.bloomery.internal.PairKernel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The kernel is tested on every JVM, also where a trial would decide against it. */
class PairBatchTest {

  private static final int PROBES = 4;

  private static final FilterProvider COUNTING =
      Bloomery.installed().providers().all().stream()
          .filter(provider -> provider.variant().equals("counting"))
          .findFirst()
          .orElseThrow();

  // Tables of few bits and of many, so that both answers are common.
  @Property(seed = "81", tries = 200)
  void selectsAsFiltersAreDefined(
      @ForAll @IntRange(min = 1, max = 1_000) int blocks,
      @ForAll @IntRange(max = 6) int fillings,
      @ForAll @IntRange(max = 70) int from,
      @ForAll @IntRange(max = 150) int length,
      @ForAll @IntRange(max = 20) int found,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[2 * blocks];
    for (int i = 0; i < fillings; i++) {
      Arrays.setAll(words, j -> words[j] | random.nextLong());
    }
    long[] hashes = random.longs(from + length + random.nextInt(10)).toArray();
    assertDefined(vectors(), words, hashes, from, from + length, found);
  }

  @Property(seed = "82", tries = 20)
  void everyBitOfAKeyCountsAndNoOther(
      @ForAll @IntRange(min = 1, max = 300) int blocks, @ForAll long hash) {
    long[] words = new long[2 * blocks];
    long[] same = new long[Lanes.COUNT];
    for (long number = 0; number < 32; number++) {
      Arrays.fill(same, hash << 5 >>> 5 | number << 59);
      Arrays.fill(words, 0);
      positions(same[0], words).forEach(bit -> words[(int) (bit / 64)] |= 1L << bit);
      assertEquals(same.length, assertDefined(vectors(), words, same, 0, same.length, 0));
      for (long bit : positions(same[0], words).toArray()) {
        Arrays.fill(words, -1);
        words[(int) (bit / 64)] &= ~(1L << bit);
        assertEquals(0, assertDefined(vectors(), words, same, 0, same.length, 0));
      }
    }
  }

  @Property(seed = "83", tries = 3)
  void answersAreTheSameBeforeATrialWhileItRunsAndAfter(
      @ForAll @IntRange(min = 1, max = 5_000) int hashesBefore, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[500];
    Arrays.setAll(words, i -> random.nextLong());
    Arrays.setAll(words, i -> words[i] | random.nextLong());
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, PairBatch::race, hashesBefore);
    PairKernel kernel = new PairBatch(trial);
    for (int i = 0; i < 100; i++) {
      if (i == 75) {
        trial.end(random.nextBoolean());
      }
      long[] hashes = random.longs(random.nextInt(200)).toArray();
      assertDefined(kernel, words, hashes, 0, hashes.length, 0);
    }
  }

  @Test
  void filtersOfThisJvmUseIt() {
    assertEquals(PairBatch.class, PairKernel.installed().orElseThrow().getClass());
  }

  private static PairKernel vectors() {
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, PairBatch::race, 0);
    trial.end(true);
    return new PairBatch(trial);
  }

  private static int assertDefined(
      PairKernel kernel, long[] words, long[] hashes, int from, int to, int found) {
    Batches.Each definition =
        (asked, first, last, hits, index) -> {
          int next = index;
          for (int i = first; i < last; i++) {
            if (positions(asked[i], words)
                .allMatch(bit -> (words[(int) (bit / 64)] >>> bit & 1) != 0)) {
              hits[next++] = i;
            }
          }
          return next;
        };
    int[] expected = new int[found + to - from];
    Arrays.fill(expected, 0, found, -1);
    int[] hits = expected.clone();
    int end = definition.selectEach(hashes, from, to, expected, found);
    assertEquals(end, kernel.select(definition, words, hashes, from, to, hits, found));
    assertArrayEquals(Arrays.copyOf(expected, end), Arrays.copyOf(hits, end));
    return end - found;
  }

  private static LongStream positions(long hash, long[] words) {
    return LongStream.of(COUNTING.positions(hash, 64L * words.length, PROBES).orElseThrow());
  }
}
