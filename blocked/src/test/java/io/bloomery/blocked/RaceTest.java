package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two threads that begin each of many rounds at the same moment. */
class RaceTest {

  private static final int ROUNDS = 40_000;
  private static final int WORDS = 64 * (ROUNDS + 2);
  private static final FilterSpec SPEC = FilterSpec.of(20, 0.01);

  // In each round the word with this offset in 64 is the second of one put and the first of the
  // other: words at which a region of one stripe begins, and others.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63})
  void putsOnBothSidesOfAWordLoseNothing(int offset) throws Exception {
    Filter filter = words(WORDS);
    long[] hashes = new long[2 * ROUNDS];
    SplittableRandom random = new SplittableRandom(64);
    for (int i = 0; i < ROUNDS; i++) {
      int word = 64 * (i + 1) + offset;
      hashes[i] = hashInBlock(word - 1, random);
      hashes[ROUNDS + i] = hashInBlock(word, random);
    }
    race(i -> filter.put(hashes[i]), i -> filter.put(hashes[ROUNDS + i]));
    assertEquals(0, lost(filter, hashes));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63})
  void exactlyOneOfTwoEqualPutsIsTrueAmongManyStripes(int offset) throws Exception {
    Filter filter = words(WORDS);
    long[] hashes = new long[ROUNDS];
    SplittableRandom random = new SplittableRandom(66);
    for (int i = 0; i < ROUNDS; i++) {
      hashes[i] = hashInBlock(64 * i + offset, random);
    }
    boolean[][] added = race(i -> filter.put(hashes[i]), i -> filter.put(hashes[i]));
    for (int i = 0; i < ROUNDS; i++) {
      assertTrue(added[0][i] ^ added[1][i], "round " + i + ": " + added[0][i]);
    }
  }

  /** Returns a hash whose first word is the given one of {@link #WORDS}. */
  private static long hashInBlock(long first, SplittableRandom random) {
    int blocks = WORDS - 1;
    long low = ((first << 32) + blocks - 1) / blocks;
    assertEquals(first, TwoWordFilter.first(low, 2L * blocks));
    return (random.nextLong() << 32) | low;
  }

  @Test
  void putsBesideAMergeOfManyStripesLoseNothing() throws Exception {
    int puts = WORDS / 8;
    SplittableRandom random = new SplittableRandom(65);
    for (int round = 0; round < 12; round++) {
      Filter filter = words(WORDS);
      Filter other = words(WORDS);
      long[] hashes = new long[puts];
      long[] otherHashes = new long[puts];
      for (int i = 0; i < puts; i++) {
        hashes[i] = hashInBlock(8L * i + random.nextInt(7), random);
        otherHashes[i] = hashInBlock(8L * i + random.nextInt(7), random);
        other.put(otherHashes[i]);
      }
      // Both go from the first word to the last, so that they meet again and again.
      CyclicBarrier start = new CyclicBarrier(2);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<?> added =
            thread.submit(
                () -> {
                  start.await();
                  return filter.putAll(hashes, 0, puts);
                });
        start.await();
        ((MergeableFilter) filter).putAll(other);
        added.get();
      } finally {
        thread.shutdown();
      }
      assertEquals(0, lost(filter, hashes) + lost(filter, otherHashes), "round " + round);
    }
  }

  private static Filter words(int words) {
    BitTable table = new BitTable(64L * words, ThreadMode.SHARED);
    return new TwoWordFilter(new BlockedProvider(), SPEC, table);
  }

  private static int lost(Filter filter, long[] hashes) {
    return hashes.length - filter.select(hashes, 0, hashes.length, new int[hashes.length]);
  }

  /** Returns what each of two threads answered in each round. */
  private static boolean[][] race(IntPredicate one, IntPredicate other)
      throws InterruptedException, ExecutionException {
    AtomicInteger arrived = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<boolean[]> first = threads.submit(() -> rounds(arrived, one));
      Future<boolean[]> second = threads.submit(() -> rounds(arrived, other));
      return new boolean[][] {first.get(), second.get()};
    } finally {
      threads.shutdown();
    }
  }

  // Sleeps where the other thread has no core, since one that yields gets its own back late there.
  private static boolean[] rounds(AtomicInteger arrived, IntPredicate action) {
    boolean[] answers = new boolean[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      arrived.incrementAndGet();
      for (int spins = 0; arrived.get() < 2 * (i + 1); spins++) {
        if (spins > 20_000) {
          LockSupport.parkNanos(20_000);
        }
      }
      answers[i] = action.test(i);
    }
    return answers;
  }
}
