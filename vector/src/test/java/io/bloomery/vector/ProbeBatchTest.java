package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.internal.Batches;
import io.bloomery.internal.ProbeKernel;
import io.bloomery.internal.WordProbes;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The kernel is tested on every JVM, also where a trial would decide against it. */
class ProbeBatchTest {

  /** A table of k slices, or of one that all probes share, and its definition. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  private record Table(long[] words, int range, int stride, int probes) implements Batches.Queries {

    static Table of(int range, boolean sliced, int probes) {
      return new Table(
          new long[sliced ? range * probes : range], range, sliced ? range : 0, probes);
    }

    private int word(long hash, int probe) {
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

    @Override
    public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
      int next = found;
      for (int i = from; i < to; i++) {
        if (mightContain(hashes[i])) {
          hits[next++] = i;
        }
      }
      return next;
    }

    @Override
    public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
      return selectEach(hashes, from, to, hits, found);
    }
  }

  @Property(seed = "78", tries = 50)
  void selectsAsPlainJavaDoes(
      @ForAll @IntRange(min = 1, max = 64) int probes,
      @ForAll @IntRange(min = 1, max = 300) int range,
      @ForAll boolean sliced,
      @ForAll @IntRange(max = 10) int tenthsContained,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Table table = Table.of(range, sliced, probes);
    long[] known = random.longs(1 + random.nextInt(range)).toArray();
    Arrays.stream(known).forEach(table::put);
    long[] hashes = random.longs(random.nextInt(1_500)).toArray();
    Arrays.setAll(
        hashes,
        i ->
            random.nextInt(10) < tenthsContained ? known[random.nextInt(known.length)] : hashes[i]);
    int from = random.nextInt(hashes.length + 1);
    int to = from + random.nextInt(hashes.length - from + 1);
    assertSame(vectors(), table, hashes, from, to);
  }

  @Property(seed = "79", tries = 12)
  void everyBitOfAKeyCountsAndNoOther(
      @ForAll @IntRange(min = 4, max = 30) int probes,
      @ForAll @IntRange(min = 1, max = 300) int range,
      @ForAll boolean sliced,
      @ForAll long hash) {
    Table table = Table.of(range, sliced, probes);
    // More than the first hashes, so that probes are asked in rounds and all at once.
    long[] same = new long[200];
    Arrays.fill(same, hash);
    table.put(hash);
    assertEquals(same.length, assertSame(vectors(), table, same, 0, same.length));
    for (int i = 0; i < probes; i++) {
      Arrays.fill(table.words, -1);
      table.words[table.word(hash, i)] &= ~(1L << WordProbes.bit(hash, i));
      assertEquals(0, assertSame(vectors(), table, same, 0, same.length));
    }
  }

  @Property(seed = "80", tries = 3)
  void answersAreTheSameBeforeATrialWhileItRunsAndAfter(
      @ForAll @IntRange(min = 1, max = 5_000) int hashesBefore, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Table table = Table.of(500, false, 7);
    for (int times = 0; times < 3; times++) {
      Arrays.setAll(table.words, i -> table.words[i] | random.nextLong());
    }
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, ProbeBatches::race, hashesBefore);
    ProbeKernel kernel = new ProbeBatches(trial);
    for (int i = 0; i < 100; i++) {
      if (i == 75) {
        trial.end(random.nextBoolean());
      }
      long[] hashes = random.longs(random.nextInt(200)).toArray();
      assertSame(kernel, table, hashes, 0, hashes.length);
    }
  }

  @Test
  void filtersOfThisJvmUseIt() {
    assertEquals(ProbeBatches.class, ProbeKernel.installed().getClass());
  }

  private static ProbeKernel vectors() {
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, ProbeBatches::race, 0);
    trial.end(true);
    return new ProbeBatches(trial);
  }

  private static int assertSame(ProbeKernel kernel, Table table, long[] hashes, int from, int to) {
    int[] expected = new int[to - from];
    int[] hits = new int[to - from];
    int end = table.selectEach(hashes, from, to, expected, 0);
    assertEquals(
        end,
        kernel.select(
            table, table.words, table.range, table.stride, table.probes, hashes, from, to, hits));
    assertArrayEquals(Arrays.copyOf(expected, end), Arrays.copyOf(hits, end));
    return end;
  }
}
