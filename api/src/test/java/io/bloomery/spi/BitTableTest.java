package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** Two threads set different bits of one word at the same moment; a lost one would stay clear. */
  @Test
  void racingSetsLoseNothing() throws Exception {
    BitTable[] tables = new BitTable[20_000];
    Arrays.setAll(tables, i -> new BitTable(64, ThreadMode.SHARED));
    inStep(tables.length, (thread, round) -> tables[round].set(thread));
    for (BitTable table : tables) {
      assertEquals(2, table.countSetBits());
    }
  }

  @Test
  void racingMergesLoseNothing() throws Exception {
    BitTable[] tables = new BitTable[20_000];
    Arrays.setAll(tables, i -> new BitTable(64, ThreadMode.SHARED));
    BitTable more = new BitTable(64, ThreadMode.SHARED);
    more.set(5);
    inStep(
        tables.length,
        (thread, round) -> {
          if (thread == 0) {
            tables[round].or(more);
          } else {
            tables[round].set(6);
          }
        });
    for (BitTable table : tables) {
      assertEquals(2, table.countSetBits());
    }
  }

  /**
   * Both threads read, add one and write, under one stripe: without it some steps would be lost.
   */
  @Test
  void aStripeLetsOneThreadInAtATime() throws Exception {
    BitTable table = new BitTable(64, ThreadMode.SHARED);
    inStep(
        100_000,
        (thread, round) -> {
          int stripe = table.lock(7);
          try {
            table.sharedWords()[0]++;
          } finally {
            table.unlock(stripe);
          }
        });
    assertEquals(200_000, table.sharedWords()[0]);
  }

  private interface Work {
    void run(int thread, int round);
  }

  /** Runs each round in two threads at once, as closely as spinning brings them together. */
  private static void inStep(int rounds, Work work) throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> both = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        int number = thread;
        both.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < rounds; round++) {
                    arrived.incrementAndGet();
                    while (arrived.get() < 2 * (round + 1)) {
                      Thread.onSpinWait();
                    }
                    work.run(number, round);
                  }
                }));
      }
      for (Future<?> one : both) {
        one.get(600, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
