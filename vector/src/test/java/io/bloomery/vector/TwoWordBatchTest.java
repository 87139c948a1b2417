package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.blocked.BlockedProvider;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The kernel is tested on every JVM, also where a trial would decide against it. */
class TwoWordBatchTest {

  private static final int PROBES = 6;

  private final BlockedKernel plain = BlockedKernel.plain();

  // Tables of few bits and of many, so that both answers are common.
  @Property(seed = "74", tries = 300)
  void selectsAsPlainJavaDoes(
      @ForAll @IntRange(min = 2, max = 2_000) int size,
      @ForAll @IntRange(max = 6) int fillings,
      @ForAll @IntRange(max = 70) int from,
      @ForAll @IntRange(max = 150) int length,
      @ForAll @IntRange(max = 20) int found,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[size];
    for (int i = 0; i < fillings; i++) {
      Arrays.setAll(words, j -> words[j] | random.nextLong());
    }
    long[] hashes = random.longs(from + length + random.nextInt(10)).toArray();
    assertSame(words, hashes, from, from + length, found);
  }

  @Property(seed = "75", tries = 20)
  void everyBitOfAKeyCountsAndNoOther(
      @ForAll @IntRange(min = 2, max = 300) int size, @ForAll long seed) {
    long[] hashes = new SplittableRandom(seed).longs(64).toArray();
    // Every pattern has its turn.
    Arrays.setAll(hashes, i -> hashes[i] << 6 >>> 6 | (long) i << 58);
    long[] words = new long[size];
    for (long hash : hashes) {
      Arrays.fill(words, 0);
      put(words, hash);
      long[] same = new long[Lanes.COUNT];
      Arrays.fill(same, hash);
      assertEquals(Lanes.COUNT, assertSame(words, same, 0, same.length, 0));
      for (long bit : positions(hash, words)) {
        long[] without = new long[size];
        Arrays.fill(without, ~0L);
        without[(int) (bit / 64)] &= ~(1L << bit);
        assertEquals(0, assertSame(without, same, 0, same.length, 0));
      }
    }
  }

  @Test
  void aBatchInTheMiddleOfPutsFindsAllThatWerePutBefore() throws InterruptedException {
    long[] hashes = new SplittableRandom(76).longs(1_024).toArray();
    long[] words = new long[1_000];
    AtomicInteger done = new AtomicInteger();
    Thread puts =
        new Thread(
            () -> {
              for (long hash : hashes) {
                put(words, hash);
                done.incrementAndGet();
              }
            });
    BlockedKernel kernel = vectors();
    int[] hits = new int[hashes.length];
    puts.start();
    int before;
    do {
      before = done.get();
      kernel.selectTwoWords(words, hashes, 0, hashes.length, hits, 0);
      for (int i = 0; i < before; i++) {
        assertEquals(i, hits[i]);
      }
    } while (before < hashes.length);
    puts.join();
  }

  @Property(seed = "77", tries = 3)
  void answersAreTheSameBeforeATrialWhileItRunsAndAfter(
      @ForAll @IntRange(min = 1, max = 5_000) int hashesBefore, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[500];
    Arrays.setAll(words, i -> random.nextLong());
    for (int times = 0; times < 2; times++) {
      Arrays.setAll(words, i -> words[i] | random.nextLong());
    }
    Trial trial = trial(hashesBefore);
    BlockedKernel kernel = new VectorKernel(trial);
    for (int i = 0; i < 100; i++) {
      if (i == 75) {
        trial.end(random.nextBoolean());
      }
      long[] hashes = random.longs(random.nextInt(200)).toArray();
      assertSame(kernel, words, hashes, 0, hashes.length, 0);
    }
  }

  @Test
  void aJvmThatIsNotToTryNeverDoes() {
    Trial trial = trial(0);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(false, trial.won(1_000));
    }
    trial.end(true);
    assertTrue(trial.won(1_000));
  }

  private static Trial trial(int hashesBefore) {
    return new Trial("tested", 1, Lanes.COUNT, VectorKernel::race, hashesBefore);
  }

  private static BlockedKernel vectors() {
    Trial trial = trial(0);
    trial.end(true);
    return new VectorKernel(trial);
  }

  private int assertSame(long[] words, long[] hashes, int from, int to, int found) {
    return assertSame(vectors(), words, hashes, from, to, found);
  }

  private int assertSame(
      BlockedKernel kernel, long[] words, long[] hashes, int from, int to, int found) {
    int[] expected = new int[found + to - from];
    Arrays.fill(expected, 0, found, -1);
    int[] hits = expected.clone();
    int end = plain.selectTwoWords(words, hashes, from, to, expected, found);
    assertEquals(end, kernel.selectTwoWords(words, hashes, from, to, hits, found));
    assertArrayEquals(Arrays.copyOf(expected, end), Arrays.copyOf(hits, end));
    return end - found;
  }

  private static void put(long[] words, long hash) {
    for (long bit : positions(hash, words)) {
      words[(int) (bit / 64)] |= 1L << bit;
    }
  }

  private static long[] positions(long hash, long[] words) {
    return new BlockedProvider().positions(hash, 64L * words.length, PROBES).orElseThrow();
  }
}
