package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.ThreadMode;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BitTableTest {

  @ParameterizedTest
  @EnumSource
  void bitsAreSetOneByOneLikeThoseOfABitSet(ThreadMode mode) {
    BitTable table = new BitTable(320, mode);
    BitSet model = new BitSet();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      int bit = random.nextInt(320);
      assertEquals(!model.get(bit), table.set(bit));
      model.set(bit);
      int other = random.nextInt(320);
      assertEquals(model.get(other), table.get(other));
      assertEquals(model.cardinality(), table.countSetBits());
    }
    assertEquals(mode, table.mode());
    assertEquals(320, table.sizeInBits());
  }

  @ParameterizedTest
  @EnumSource
  void aCopySharesNothing(ThreadMode mode) {
    BitTable table = new BitTable(64, mode);
    table.set(3);
    BitTable copy = table.copy();
    assertEquals(mode, copy.mode());
    copy.set(5);
    table.set(7);
    assertTrue(copy.get(3));
    assertFalse(table.get(5));
    assertFalse(copy.get(7));
  }

  @ParameterizedTest
  @EnumSource
  void orSetsWhatEitherHas(ThreadMode mode) {
    BitTable one = new BitTable(128, mode);
    BitTable other = new BitTable(128, mode);
    one.set(1);
    one.set(100);
    other.set(100);
    other.set(127);
    one.or(other);
    assertEquals(3, one.countSetBits());
    assertTrue(one.get(127));
    assertEquals(2, other.countSetBits());
    one.clear();
    assertEquals(0, one.countSetBits());
  }

  @Test
  void orOfAnotherSizeIsRefused() {
    BitTable table = new BitTable(128, ThreadMode.SHARED);
    BitTable larger = new BitTable(192, ThreadMode.SHARED);
    larger.set(1);
    String message =
        assertThrows(IllegalArgumentException.class, () -> table.or(larger)).getMessage();
    assertTrue(message.contains("128 and 192"), message);
    assertEquals(0, table.countSetBits());
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -64, 0, 1, 63, 65, BitTable.MAX_BITS + 64, Long.MAX_VALUE})
  void sizesOutOfRangeAreRefused(long bits) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new BitTable(bits, ThreadMode.CONFINED))
            .getMessage();
    assertTrue(message.contains("multiple of 64") && message.endsWith("but was " + bits), message);
  }

  /** The heap of the tests is far smaller than the largest table. */
  @Test
  void moreThanTheHeapHoldsIsRefusedWithTheBytesNeeded() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new BitTable(BitTable.MAX_BITS, ThreadMode.CONFINED))
            .getMessage();
    assertTrue(message.contains("17179869120 bytes") && message.contains("-Xmx"), message);
  }

  /** Two threads set every other bit of each word; a lost update would leave one clear. */
  @Test
  void racingSetsLoseNothing() throws Exception {
    inTwoThreads(
        (thread, barrier) -> {
          for (int round = 0; round < 300; round++) {
            BitTable table = shared;
            for (int bit = thread; bit < table.sizeInBits(); bit += 2) {
              table.set(bit);
            }
            barrier.await();
            assertEquals(table.sizeInBits(), table.countSetBits());
            barrier.await();
            if (thread == 0) {
              shared = new BitTable(128, ThreadMode.SHARED);
            }
            barrier.await();
          }
        });
  }

  /**
   * Both threads read, add one and write, under one stripe: without it some steps would be lost.
   */
  @Test
  void aStripeLetsOneThreadInAtATime() throws Exception {
    BitTable table = new BitTable(64, ThreadMode.SHARED);
    int steps = 200_000;
    inTwoThreads(
        (thread, barrier) -> {
          barrier.await();
          for (int i = 0; i < steps; i++) {
            int stripe = table.claim(7);
            try {
              table.words()[0]++;
            } finally {
              table.release(stripe);
            }
          }
        });
    assertEquals(2L * steps, table.words()[0]);
  }

  private volatile BitTable shared = new BitTable(128, ThreadMode.SHARED);

  private interface Work {
    void run(int thread, CyclicBarrier barrier) throws Exception;
  }

  private static void inTwoThreads(Work work) throws InterruptedException, ExecutionException {
    CyclicBarrier barrier = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> one = threads.submit(() -> call(work, 0, barrier));
      Future<?> other = threads.submit(() -> call(work, 1, barrier));
      one.get();
      other.get();
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void call(Work work, int thread, CyclicBarrier barrier) throws Exception {
    work.run(thread, barrier);
    return null;
  }
}
