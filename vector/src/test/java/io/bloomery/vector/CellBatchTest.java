package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.internal.Batches;
import io.bloomery.internal.CellKernel;
import io.bloomery.internal.HashMixing;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The kernel is tested on every JVM, also where a trial would decide against it. */
class CellBatchTest {

  /** The definition, with the content as one number. */
  private record Definition(BigInteger content, CellKernel.Cells cells) implements Batches.Each {

    static Definition of(CellKernel.Cells cells) {
      byte[] bigEndian = new byte[cells.content().length];
      for (int i = 0; i < bigEndian.length; i++) {
        bigEndian[i] = cells.content()[bigEndian.length - 1 - i];
      }
      return new Definition(new BigInteger(1, bigEndian), cells);
    }

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
      long mixed = HashMixing.mix(hash ^ cells.key());
      long first = Math.multiplyHigh(mixed >>> 1, cells.twiceFirsts());
      long spread = mixed * CellKernel.SPREAD;
      int[] offsets = {CellKernel.SECOND, CellKernel.THIRD, CellKernel.FOURTH};
      long different = mixed ^ cell(first);
      for (int i = 0; i < offsets.length; i++) {
        long at = first + (i + 1) * cells.segment();
        different ^= cell(at ^ (spread >>> offsets[i] & cells.segment() - 1));
      }
      return different << -cells.width() == 0;
    }

    private long cell(long cell) {
      return content
          .shiftRight(Math.toIntExact(cell * cells.width()))
          .and(BigInteger.ONE.shiftLeft(cells.width()).subtract(BigInteger.ONE))
          .longValue();
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
    // Of wide cells hardly any hash has what it must: in half of the tables all are 0.
    if (random.nextBoolean()) {
      Arrays.fill(cells.content(), (byte) 0);
    }
    int from = random.nextInt(20);
    long[] hashes = random.longs(from + length + random.nextInt(10)).toArray();
    // Half of them with a mixed hash that ends with 0.
    Arrays.setAll(
        hashes,
        i ->
            i % 2 == 0
                ? HashMixing.unmix(HashMixing.mix(hashes[i]) >>> width << width) ^ cells.key()
                : hashes[i]);
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
    Definition definition = Definition.of(cells);
    int[] expected = new int[to - from];
    int[] hits = new int[to - from];
    int found = definition.selectEach(hashes, from, to, expected, 0);
    assertEquals(found, kernel.select(definition, cells, hashes, from, to, hits));
    assertArrayEquals(Arrays.copyOf(expected, found), Arrays.copyOf(hits, found));
  }
}
