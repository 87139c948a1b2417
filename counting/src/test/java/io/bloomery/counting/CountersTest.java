package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterLimits;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks packed counters against plain ones. */
class CountersTest {

  private static final int BLOCKS = 5; // neighbours on both sides, and an odd number
  private static final int POSITIONS = BLOCKS * CountingLayout.BLOCK_BITS;
  private static final int WORDS = POSITIONS / 64;

  private static CountingLayout layout(int countBits) {
    return new CountingLayout(BLOCKS, 4, countBits);
  }

  static Stream<Arguments> countBitsAndSeeds() {
    return IntStream.of(32, 48, 64)
        .boxed()
        .flatMap(bits -> LongStream.rangeClosed(1, 5).mapToObj(seed -> Arguments.of(bits, seed)));
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void anySequenceOfStepsMatchesPlainCounters(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters packed = new Counters(layout(countBits), FilterLimits.HEAP, 2);
    long[] plain = new long[POSITIONS];
    for (int step = 0; step < 20_000; step++) {
      int word = random.nextInt(WORDS);
      long first = mask(random);
      long second = mask(random);
      long min = min(plain, word, first, second);
      assertEquals(min, packed.min(word, first, second), "least before step " + step);
      // Waves up and down, so that counters climb far beyond the planes and come back to zero.
      if (random.nextInt(100) < (step / 2_000 % 2 == 0 ? 80 : 20)) {
        assertEquals(min == 0, packed.add(word, first, second), "add at step " + step);
        change(plain, word, first, second, 1);
      } else {
        assertEquals(min > 0, packed.remove(word, first, second), "remove at step " + step);
        change(plain, word, first, second, min > 0 ? -1 : 0);
      }
      if (step % 100 == 0) {
        assertSame(plain, packed);
      }
    }
    assertSame(plain, packed);
    for (int i = 0; i < POSITIONS; i++) {
      for (; plain[i] > 0; plain[i]--) {
        assertTrue(packed.remove(i / 64, 1L << i, 0));
      }
    }
    assertSame(plain, packed);
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void addingAllIsAddingEach(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters here = new Counters(layout(countBits), FilterLimits.HEAP, 2);
    Counters there = new Counters(layout(countBits), FilterLimits.HEAP, 1);
    long[] plainHere = new long[POSITIONS];
    long[] plainThere = new long[POSITIONS];
    for (int step = 0; step < 500; step++) {
      fill(here, plainHere, random);
      fill(there, plainThere, random);
    }
    here.addAll(there);
    for (int i = 0; i < POSITIONS; i++) {
      plainHere[i] += plainThere[i];
    }
    assertSame(plainHere, here);
    assertSame(plainThere, there);
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void aCopyGoesItsOwnWay(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters counters = new Counters(layout(countBits), FilterLimits.HEAP, 2);
    long[] plain = new long[POSITIONS];
    for (int step = 0; step < 2_000; step++) {
      fill(counters, plain, random);
    }
    Counters copy = counters.copy();
    long[] plainCopy = plain.clone();
    assertSame(plainCopy, copy);
    fill(counters, plain, random);
    fill(copy, plainCopy, random);
    assertSame(plain, counters);
    assertSame(plainCopy, copy);
  }

  private static void fill(Counters counters, long[] plain, SplittableRandom random) {
    int word = random.nextInt(WORDS);
    long first = mask(random);
    long second = mask(random);
    counters.add(word, first, second);
    change(plain, word, first, second, 1);
  }

  /** One to four positions, more often low ones, so that some counters are hot. */
  private static long mask(SplittableRandom random) {
    long mask = 0;
    for (int i = 0; i < 4; i++) {
      mask |= 1L << random.nextInt(1 + random.nextInt(64));
    }
    return mask;
  }

  /** Returns whether a position is one of those of a word, or of the other word of its block. */
  private static boolean in(int word, long first, long second, int position) {
    long ofFirst = position / 64 == word ? first : 0;
    long ofSecond = position / 64 == (word % 2 == 0 ? word + 1 : word - 1) ? second : 0;
    return ((ofFirst | ofSecond) >>> position % 64 & 1) != 0;
  }

  private static long min(long[] plain, int word, long first, long second) {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < POSITIONS; i++) {
      if (in(word, first, second, i)) {
        min = Math.min(min, plain[i]);
      }
    }
    return min;
  }

  private static void change(long[] plain, int word, long first, long second, int by) {
    for (int i = 0; i < POSITIONS; i++) {
      if (in(word, first, second, i)) {
        plain[i] += by;
      }
    }
  }

  /** Compares every counter, alone, and that nothing else is kept. */
  private static void assertSame(long[] plain, Counters packed) {
    long[] actual = new long[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
      actual[i] = packed.min(i / 64, 1L << i, 0);
    }
    assertArrayEquals(plain, actual);
    assertEquals(payloadSize(plain, packed.layout()), packed.payloadSize());
  }

  /** Returns the size that counts have by definition. */
  private static long payloadSize(long[] plain, CountingLayout layout) {
    long size = layout.bytesOfBlocks();
    for (int block = 0; block < POSITIONS; block += CountingLayout.BLOCK_BITS) {
      long first = Arrays.stream(plain, block, block + 64).sum();
      long second = Arrays.stream(plain, block + 64, block + 128).sum();
      if (Math.max(first, second) > layout.countBits()) {
        long largest = Arrays.stream(plain, block, block + 128).max().orElseThrow();
        size += 16L * Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(largest - 1));
      }
    }
    return size;
  }
}
