package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
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

  /** Returns counters that are all zero, in so many bits for a word. */
  private static Packed<?> packed(int countBits, int stripes) {
    CountingLayout layout = new CountingLayout(BLOCKS, 4, countBits);
    return countBits == CountingLayout.FAST_COUNT_BITS
        ? packed(FastCounters.empty(layout, FilterLimits.HEAP, stripes))
        : packed(new Counters(layout, FilterLimits.HEAP, stripes));
  }

  private static Packed<Counters> packed(Counters counters) {
    return new Packed<>(
        counters, counters::add, counters::remove, counters::min, CountersTest::packed);
  }

  private static Packed<FastCounters> packed(FastCounters counters) {
    return new Packed<>(
        counters, counters::add, counters::remove, counters::min, CountersTest::packed);
  }

  private interface Change {
    boolean of(int word, long first, long second);
  }

  private interface Least {
    long of(int word, long first, long second);
  }

  /** Counters of either layout. */
  private record Packed<C extends BlockCounters<C>>(
      C counters, Change adding, Change removing, Least least, Function<C, Packed<C>> packing) {

    boolean add(int word, long first, long second) {
      return adding.of(word, first, second);
    }

    boolean remove(int word, long first, long second) {
      return removing.of(word, first, second);
    }

    long min(int word, long first, long second) {
      return least.of(word, first, second);
    }

    void addAll(Packed<?> other) {
      // Of the same number of bits, and so of the same layout.
      @SuppressWarnings("unchecked")
      Packed<C> same = (Packed<C>) other;
      counters.addAll(same.counters);
    }

    Packed<C> copy() {
      return packing.apply(counters.copy());
    }
  }

  static Stream<Arguments> countBitsAndSeeds() {
    return IntStream.of(32, 48, 64, CountingLayout.FAST_COUNT_BITS)
        .boxed()
        .flatMap(bits -> LongStream.rangeClosed(1, 5).mapToObj(seed -> Arguments.of(bits, seed)));
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void anySequenceOfStepsMatchesPlainCounters(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Packed<?> packed = packed(countBits, 2);
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

  /** So few at a time that most blocks are not spilled. */
  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void keysThatComeAndGoLeaveTheOthersAsTheyWere(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Packed<?> packed = packed(countBits, 2);
    long[] plain = new long[POSITIONS];
    List<long[]> there = new ArrayList<>(); // word and masks
    for (int step = 0; step < 5_000; step++) {
      if (there.isEmpty() || random.nextInt(there.size() + 4 * BLOCKS) >= there.size()) {
        long[] key = {random.nextInt(WORDS), mask(random), mask(random)};
        there.add(key);
        packed.add((int) key[0], key[1], key[2]);
        change(plain, (int) key[0], key[1], key[2], 1);
      } else {
        long[] key = there.remove(random.nextInt(there.size()));
        assertTrue(packed.remove((int) key[0], key[1], key[2]), "remove at step " + step);
        change(plain, (int) key[0], key[1], key[2], -1);
      }
      if (step % 20 == 0) {
        assertSame(plain, packed);
      }
    }
  }

  /** A word with any number of positions once, and a few of them more often. */
  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void wordsThatAreJustFullSpillAndComeBack(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int positions = 1; positions <= 64; positions++) {
      Packed<?> packed = packed(countBits, 2);
      long[] plain = new long[POSITIONS];
      int word = random.nextInt(WORDS);
      for (int i = 0; i < positions; i++) {
        packed.add(word, 1L << i, 0);
        plain[64 * word + i]++;
      }
      int[] more = random.ints(1 + random.nextInt(8), 0, positions).toArray();
      for (int position : more) {
        packed.add(word, 1L << position, 0);
        plain[64 * word + position]++;
        assertSame(plain, packed);
      }
      for (int position : more) {
        assertTrue(packed.remove(word, 1L << position, 0));
        plain[64 * word + position]--;
        assertSame(plain, packed);
      }
    }
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void addingAllIsAddingEach(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // From blocks that are nearly empty, of which few are spilled, to such as all are.
    for (int steps = 1; steps <= 512; steps += 1 + steps / 8) {
      Packed<?> here = packed(countBits, 2);
      Packed<?> there = packed(countBits, 1);
      long[] plainHere = new long[POSITIONS];
      long[] plainThere = new long[POSITIONS];
      for (int step = 0; step < steps; step++) {
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
  }

  @ParameterizedTest(name = "{0} bits, seed {1}")
  @MethodSource("countBitsAndSeeds")
  void aCopyGoesItsOwnWay(int countBits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Packed<?> counters = packed(countBits, 2);
    long[] plain = new long[POSITIONS];
    for (int step = 0; step < 2_000; step++) {
      fill(counters, plain, random);
    }
    Packed<?> copy = counters.copy();
    long[] plainCopy = plain.clone();
    assertSame(plainCopy, copy);
    fill(counters, plain, random);
    fill(copy, plainCopy, random);
    assertSame(plain, counters);
    assertSame(plainCopy, copy);
  }

  private static void fill(Packed<?> counters, long[] plain, SplittableRandom random) {
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
  private static void assertSame(long[] plain, Packed<?> packed) {
    long[] actual = new long[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
      actual[i] = packed.min(i / 64, 1L << i, 0);
    }
    assertArrayEquals(plain, actual);
    assertEquals(payloadSize(plain, packed.counters().layout()), packed.counters().payloadSize());
  }

  /** Returns the size that counts have by definition. */
  private static long payloadSize(long[] plain, CountingLayout layout) {
    long size = layout.bytesOfBlocks();
    for (int block = 0; block < POSITIONS; block += CountingLayout.BLOCK_BITS) {
      if (isSpilled(Arrays.copyOfRange(plain, block, block + 128), layout.countBits())) {
        long largest = Arrays.stream(plain, block, block + 128).max().orElseThrow();
        size += 16L * Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(largest - 1));
      }
    }
    return size;
  }

  private static boolean isSpilled(long[] block, int countBits) {
    if (countBits == CountingLayout.FAST_COUNT_BITS) {
      return Arrays.stream(block).map(count -> Math.max(0, count - 2)).sum() > 4;
    }
    long first = Arrays.stream(block, 0, 64).sum();
    long second = Arrays.stream(block, 64, 128).sum();
    return Math.max(first, second) > countBits;
  }
}
