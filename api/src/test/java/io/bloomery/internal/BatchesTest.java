package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BatchesTest {

  /** Queries that contain the hashes of which a bit is set, and remember how they were asked. */
  private static final class Recorded implements Batches.Queries {
    private final BitSet contained;
    private final List<Batch> batches = new ArrayList<>();

    Recorded(BitSet contained) {
      this.contained = contained;
    }

    @Override
    public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
      return select(true, hashes, from, to, hits, found);
    }

    @Override
    public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
      return select(false, hashes, from, to, hits, found);
    }

    private int select(boolean each, long[] hashes, int from, int to, int[] hits, int found) {
      int next = found;
      for (int i = from; i < to; i++) {
        if (contained.get((int) hashes[i])) {
          hits[next++] = i;
        }
      }
      batches.add(new Batch(each, from, to, next - found));
      return next;
    }
  }

  private record Batch(boolean each, int from, int to, int found) {

    /** Returns whether more than three quarters were found; of a rest of up to three, any. */
    boolean mostlyFound() {
      return found > (to - from) / 4 * 3;
    }
  }

  @Property(tries = 300)
  void everyHashIsAskedOnceAndInTheOrderThatTheBatchBeforeSuggests(
      @ForAll @IntRange(max = 700) int length,
      @ForAll @IntRange(max = 50) int from,
      @ForAll @IntRange(max = 100) int percent,
      @ForAll @IntRange(min = 1, max = 200) int run,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int to = from + length;
    BitSet contained = new BitSet(to);
    // Runs of hashes that are contained, and of others.
    for (int i = 0; i < to; i += run) {
      contained.set(i, i + run, random.nextInt(100) < percent);
    }
    long[] hashes = new long[to + 3];
    Arrays.setAll(hashes, i -> i);
    int[] hits = new int[length];
    Recorded queries = new Recorded(contained);

    int found = Batches.select(queries, hashes, from, to, hits);

    assertArrayEquals(
        contained.stream().filter(i -> i >= from && i < to).toArray(), Arrays.copyOf(hits, found));
    int next = from;
    boolean each = false;
    for (Batch batch : queries.batches) {
      assertEquals(next, batch.from());
      assertEquals(Math.min(to, next + (next == from ? 16 : Batches.SIZE)), batch.to());
      assertEquals(each, batch.each(), () -> "how " + batch + " was asked");
      each = batch.mostlyFound();
      next = batch.to();
    }
    assertEquals(to, next);
  }
}
