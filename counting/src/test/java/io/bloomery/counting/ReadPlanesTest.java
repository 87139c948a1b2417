package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that filters whose blocks were read as spilled change as those that were written. */
@ParameterizedClass(name = "{0}")
@EnumSource(CountingVariant.class)
class ReadPlanesTest {

  // Of three blocks in four, with 8 to 14 keys each, so that parts are several.
  private static final FilterSpec SPEC = FilterSpec.of(40_000, 0.01);
  private static final int TIMES = 4;

  private final long[] hashes = new SplittableRandom(5).longs(40_000).toArray();
  private CounterBlockFilter<?> written;
  private CounterBlockFilter<?> read;
  private long[] before;

  private final CountingVariant variant;

  ReadPlanesTest(CountingVariant variant) {
    this.variant = variant;
  }

  @BeforeEach
  void writeAndRead() throws IOException {
    written = variant.create(SPEC, ThreadMode.SHARED);
    for (long hash : hashes) {
      for (int i = 0; i < TIMES; i++) {
        written.put(hash);
      }
    }
    before = PayloadWords.of(written);
    long bytesOfPlanes = written.payloadSize() - variant.provider().plan(SPEC).heapBytes();
    assertTrue(
        bytesOfPlanes > 2L * Planes.BYTES * ReadPlanes.PART_BLOCKS, "planes of several parts");
    read = variant.read(written, before, ThreadMode.SHARED);
    assertArrayEquals(before, PayloadWords.of(read));
  }

  private void putToBoth(long hash) {
    assertEquals(written.put(hash), read.put(hash));
  }

  private void assertSame() {
    assertArrayEquals(PayloadWords.of(written), PayloadWords.of(read));
    assertEquals(written.payloadSize(), read.payloadSize());
  }

  @Test
  void anyUpdateDoesTheSame() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 200_000; i++) {
      long hash = hashes[random.nextInt(hashes.length)];
      if (random.nextInt(3) == 0) {
        assertEquals(written.approximateCount(hash), read.approximateCount(hash));
        assertEquals(written.remove(hash), read.remove(hash));
      } else {
        putToBoth(hash);
      }
    }
    assertSame();
  }

  @Test
  void blocksThatAreNoLongerSpilledComeBack() {
    for (int i = 0; i < TIMES; i++) {
      assertEquals(hashes.length, read.removeAll(hashes, 0, hashes.length));
    }
    assertEquals(0, read.stats().setBits());
    written.clear();
    assertSame();
    for (long hash : hashes) {
      for (int i = 0; i < TIMES; i++) {
        putToBoth(hash);
      }
    }
    assertSame();
    assertArrayEquals(before, PayloadWords.of(read));
  }

  @Test
  void countsThatNeedMorePlanesMoveAndTheirNeighboursStay() {
    for (int i = 0; i < 300; i++) {
      putToBoth(hashes[7]);
    }
    assertSame();
    for (int i = 0; i < 300; i++) {
      assertTrue(read.remove(hashes[7]));
    }
    assertArrayEquals(before, PayloadWords.of(read));
  }

  @Test
  void aCopyChangesAlone() {
    CounterBlockFilter<?> copy = read.copy();
    for (long hash : hashes) {
      assertTrue(copy.remove(hash));
    }
    assertArrayEquals(before, PayloadWords.of(read));
    for (long hash : hashes) {
      copy.put(hash);
      read.remove(hash);
    }
    assertArrayEquals(before, PayloadWords.of(copy));
  }

  @Test
  void aMergeAddsToThemAndFromThem() {
    CounterBlockFilter<?> sum = written.copy();
    sum.putAll(written);
    CounterBlockFilter<?> fromRead = written.copy();
    fromRead.putAll(read);
    assertArrayEquals(PayloadWords.of(sum), PayloadWords.of(fromRead));
    read.putAll(written);
    assertArrayEquals(PayloadWords.of(sum), PayloadWords.of(read));
    read.clear();
    written.clear();
    assertSame();
  }
}
