package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.FilterLimits;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks sliced counters against plain ones. */
class CountersTest {

  private static final CountingLayout LAYOUT = new CountingLayout(5, 4); // neighbours on both sides
  private static final int POSITIONS = (int) LAYOUT.bits();
  private static final int WORDS = POSITIONS / 64;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void anySequenceOfStepsMatchesPlainCounters(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters sliced = new Counters(LAYOUT, FilterLimits.HEAP, 2);
    long[] plain = new long[POSITIONS];
    for (int step = 0; step < 20_000; step++) {
      int word = random.nextInt(WORDS);
      long first = mask(random);
      long second = mask(random);
      long min = min(plain, word, first, second);
      assertEquals(min, sliced.min(word, first, second), "least before step " + step);
      // Waves up and down, so that counters climb far beyond the planes and come back to zero.
      if (random.nextInt(100) < (step / 2_000 % 2 == 0 ? 80 : 20)) {
        assertEquals(min == 0, sliced.add(word, first, second), "add at step " + step);
        change(plain, word, first, second, 1);
      } else {
        assertEquals(min > 0, sliced.remove(word, first, second), "remove at step " + step);
        change(plain, word, first, second, min > 0 ? -1 : 0);
      }
      if (step % 100 == 0) {
        assertSame(plain, sliced);
      }
    }
    assertSame(plain, sliced);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void addingAllIsAddingEach(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters here = new Counters(LAYOUT, FilterLimits.HEAP, 2);
    Counters there = new Counters(LAYOUT, FilterLimits.HEAP, 1);
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

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void aCopyGoesItsOwnWay(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Counters counters = new Counters(LAYOUT, FilterLimits.HEAP, 2);
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
  private static void assertSame(long[] plain, Counters sliced) {
    long[] actual = new long[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
      actual[i] = sliced.min(i / 64, 1L << i, 0);
    }
    assertArrayEquals(plain, actual);
    long overflowing = Arrays.stream(plain).filter(count -> count > 4).count();
    assertEquals(LAYOUT.bytesOfAllPlanes() + 16 * overflowing, sliced.payloadSize());
  }
}
