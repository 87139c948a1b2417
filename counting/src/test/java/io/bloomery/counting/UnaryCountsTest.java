package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks counts of a word, in unary and in planes, against plain ones. */
class UnaryCountsTest {

  /** A word's counts, kept plainly and in unary. */
  private static final class Word {

    private final int[] plain = new int[Long.SIZE];
    private final int bits;
    private long present;
    private long field;

    Word(int bits) {
      this.bits = bits;
    }

    int sum() {
      return Arrays.stream(plain).sum();
    }

    void increment(int position) {
      long bit = 1L << position;
      long field = UnaryCounts.increment(present, this.field, bit);
      if (plain[position] < 2) {
        assertEquals(field, UnaryCounts.raise(present, this.field, bit), "raised");
      }
      this.field = field;
      present |= bit;
      plain[position]++;
    }

    void decrement(int position) {
      long bit = 1L << position;
      long field = UnaryCounts.decrement(present, this.field, bit);
      if (plain[position] < 3) {
        assertEquals(field, UnaryCounts.lower(present, this.field, bit), "lowered");
      }
      this.field = field;
      plain[position]--;
      present ^= plain[position] == 0 ? bit : 0;
    }

    void check() {
      assertEquals(sum(), UnaryCounts.sum(present, field), "sum");
      assertTrue(UnaryCounts.isSound(present, field, bits), "sound");
      assertTrue(sum() == 0 || !UnaryCounts.isSound(present, field, sum() - 1), "in fewer bits");
      for (int i = 0; i < Long.SIZE; i++) {
        long bit = 1L << i;
        assertEquals(plain[i] > 0, (present & bit) != 0, "present at " + i);
        assertEquals(plain[i], UnaryCounts.count(present, field, bit), "count at " + i);
        assertEquals(plain[i] >= 2, UnaryCounts.twice(present, field, bit) != 0, "twice at " + i);
        if (plain[i] > 0) {
          assertEquals(
              plain[i] >= 3, UnaryCounts.thrice(present, field, bit) != 0, "thrice at " + i);
        }
      }
    }

    void checkPlanes() {
      long[] planes = Planes.ofUnary(present, field, 0, 0);
      int largest = Arrays.stream(plain).max().orElseThrow();
      assertEquals(
          Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, largest - 1))),
          Planes.used(planes),
          "planes for counts up to " + largest);
      for (int i = 0; i < Long.SIZE; i++) {
        if (plain[i] > 0) {
          assertEquals(plain[i], Planes.count(planes, 0, i), "count at " + i);
        }
      }
      assertTrue(Planes.fit(planes, 0, present, bits), "fits");
      assertTrue(sum() == 0 || !Planes.fit(planes, 0, present, sum() - 1), "fits in fewer");
      assertEquals(field, Planes.toUnary(planes.clone(), 0, present), "back in unary");
    }
  }

  @Property(seed = "23", tries = 400)
  void anySequenceOfStepsMatchesPlainCounts(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 64) int hot) {
    SplittableRandom random = new SplittableRandom(seed);
    Word word = new Word(32 + 16 * random.nextInt(3));
    for (int step = 0; step < 200; step++) {
      int position = random.nextInt(hot);
      boolean up = random.nextInt(100) < (step / 70 % 2 == 0 ? 80 : 20);
      if (up && word.sum() < word.bits) {
        word.increment(position);
      } else if (!up && word.plain[position] > 0) {
        word.decrement(position);
      }
      word.check();
      word.checkPlanes();
    }
  }

  /** What no counts give: bits behind the last level, and a level that ends beyond the field. */
  @Property(seed = "24", tries = 2_000)
  void aFieldIsSoundIfAndOnlyIfItsCountsGiveIt(@ForAll long present, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long field = bitsOf(random) & (1L << 48) - 1;
    if (!UnaryCounts.isSound(present, field, 48)) {
      return;
    }
    Word word = new Word(48);
    for (int i = 0; i < Long.SIZE; i++) {
      for (int left = UnaryCounts.count(present, field, 1L << i); left > 0; left--) {
        word.increment(i);
      }
    }
    assertEquals(present, word.present);
    assertEquals(field, word.field);
  }

  /** Returns a word of which about a quarter of the bits are set. */
  private static long bitsOf(SplittableRandom random) {
    long half = random.nextLong();
    return half & random.nextLong();
  }

  @Test
  void aFieldOfOnesOnlyIsNeverSound() {
    SplittableRandom random = new SplittableRandom(25);
    for (int i = 0; i < 10_000; i++) {
      long present = bitsOf(random);
      assertFalse(UnaryCounts.isSound(present, -1L >>> 16, 48));
      assertFalse(UnaryCounts.isSound(present, -1L, 64));
    }
    assertFalse(UnaryCounts.isSound(0, 1, 48));
    assertTrue(UnaryCounts.isSound(0, 0, 48));
  }
}
