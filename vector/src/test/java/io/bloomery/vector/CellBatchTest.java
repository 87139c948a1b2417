package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.internal.Batches;
import io.bloomery.internal.CellKernel;
import io.bloomery.internal.HashMixing;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The kernel is tested on every JVM, also where a trial would decide against it. */
class CellBatchTest {

  /** The definition, bit by bit. */
  private record Definition(CellKernel.Cells cells) implements Batches.Each {

    @Override
    public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
      int next = found;
      for (int i = from; i < to; i++) {
        if (isContained(hashes[i])) {
          hits[next++] = i;
        }
      }
      return next;
    }

    private boolean isContained(long hash) {
      return different(hash) == 0;
    }

    /** Lets a hash be contained, in place of some that were. */
    void put(long hash) {
      long different = different(hash);
      long bit = first(hash) * cells.width();
      for (; different != 0; different >>>= 1, bit++) {
        cells.content()[(int) (bit / 8)] ^= (byte) ((different & 1) << bit % 8);
      }
    }

    private long different(long hash) {
      long first = first(hash);
      long mixed = HashMixing.mix(hash ^ cells.key());
      long spread = mixed * CellKernel.SPREAD;
      int[] offsets = {CellKernel.SECOND, CellKernel.THIRD, CellKernel.FOURTH};
      long different = mixed ^ cell(first);
      for (int i = 0; i < offsets.length; i++) {
        long at = first + (i + 1) * cells.segment();
        different ^= cell(at ^ (spread >>> offsets[i] & cells.segment() - 1));
      }
      return different & (1L << cells.width()) - 1;
    }

    private long first(long hash) {
      return Math.multiplyHigh(HashMixing.mix(hash ^ cells.key()) >>> 1, cells.twiceFirsts());
    }

    private long cell(long cell) {
      long value = 0;
      for (int i = 0; i < cells.width(); i++) {
        long bit = cell * cells.width() + i;
        value |= (cells.content()[(int) (bit / 8)] >>> bit % 8 & 1L) << i;
      }
      return value;
    }
  }

  @Property(seed = "85", tries = 60)
  void selectsAsPlainJavaDoes(
      @ForAll @IntRange(min = 1, max = 57) int width,
      @ForAll @IntRange(max = 8) int segmentBits,
      @ForAll @IntRange(min = 1, max = 5) int segments,
      @ForAll @IntRange(max = 400) int length,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    CellKernel.Cells cells = cells(width, 1 << segmentBits, segments, random);
    int from = random.nextInt(20);
    long[] hashes = random.longs(from + length + random.nextInt(10)).toArray();
    // Of wide cells hardly any hash has what it must.
    Definition definition = new Definition(cells);
    for (int i = 0; i < hashes.length; i += 2) {
      definition.put(hashes[i]);
    }
    assertDefined(vectors(), cells, hashes, from, from + length);
  }

  @Property(seed = "86", tries = 3)
  void answersAreTheSameBeforeATrialWhileItRunsAndAfter(
      @ForAll @IntRange(min = 1, max = 5_000) int hashesBefore, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    CellKernel.Cells cells = cells(2, 64, 3, random);
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, CellBatch::race, hashesBefore);
    CellKernel kernel = new CellBatch(trial);
    for (int i = 0; i < 100; i++) {
      if (i == 75) {
        trial.end(random.nextBoolean());
      }
      long[] hashes = random.longs(random.nextInt(200)).toArray();
      assertDefined(kernel, cells, hashes, 0, hashes.length);
    }
  }

  @Test
  void filtersOfThisJvmUseIt() {
    assertEquals(CellBatch.class, CellKernel.installed().orElseThrow().getClass());
  }

  private static CellKernel.Cells cells(
      int width, int segment, int segments, SplittableRandom random) {
    byte[] content = new byte[(segments + 3) * segment * width / Byte.SIZE + Long.BYTES];
    random.nextBytes(content);
    return new CellKernel.Cells(
        content, random.nextLong(), 2L * segments * segment, segment, width);
  }

  private static CellKernel vectors() {
    Trial trial = new Trial("drawn", 1, Lanes.COUNT, CellBatch::race, 0);
    trial.end(true);
    return new CellBatch(trial);
  }

  private static void assertDefined(
      CellKernel kernel, CellKernel.Cells cells, long[] hashes, int from, int to) {
    Definition definition = new Definition(cells);
    int[] expected = new int[to - from];
    int[] hits = new int[to - from];
    int found = definition.selectEach(hashes, from, to, expected, 0);
    assertEquals(found, kernel.select(definition, cells, hashes, from, to, hits));
    assertArrayEquals(Arrays.copyOf(expected, found), Arrays.copyOf(hits, found));
  }
}
