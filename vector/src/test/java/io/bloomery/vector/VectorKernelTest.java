package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.blocked.BlockedProvider;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VectorKernelTest {

  private static final int WORDS = 4;
  private static final long REMIX = 0x9E3779B97F4A7C15L;

  private final BlockedKernel plain = BlockedKernel.plain();
  private final BlockedKernel vector = new VectorKernel();

  @Test
  void filtersOfThisJvmUseIt() {
    assertInstanceOf(VectorKernel.class, BlockedKernel.installed());
  }

  // Words of few bits and of many, so that both answers are common.
  @Property(seed = "71", tries = 1_000)
  void answersAndWritesAsPlainJavaDoes(
      @ForAll @IntRange(min = 1, max = 50) int blocks,
      @ForAll @IntRange(max = 200) int fillings,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[WORDS * blocks];
    for (int i = 0; i < fillings; i++) {
      Arrays.setAll(words, j -> words[j] | 1L << random.nextInt(64));
    }
    long[] same = words.clone();
    for (int i = 0; i < 100; i++) {
      int first = WORDS * random.nextInt(blocks);
      long pattern = random.nextLong();
      assertEquals(plain.test(words, first, pattern), vector.test(words, first, pattern));
      if (i % 2 == 0) {
        assertEquals(plain.put(words, first, pattern), vector.put(same, first, pattern));
        assertArrayEquals(words, same);
        assertEquals(1, vector.test(words, first, pattern));
      }
    }
  }

  @Property(seed = "72", tries = 1_000)
  void everyBitOfAKeyCountsAndNoOther(@ForAll long hash) {
    long[] bits = new BlockedProvider().positions(hash, 256, 8).orElseThrow();
    long[] words = new long[WORDS];
    assertTrue(vector.put(words, 0, hash * REMIX));
    assertFalse(vector.put(words, 0, hash * REMIX));
    long[] expected = new long[WORDS];
    Set<Long> distinct = new HashSet<>();
    for (long bit : bits) {
      expected[(int) bit / 64] |= 1L << bit;
      distinct.add(bit);
    }
    assertArrayEquals(expected, words);
    for (long bit : distinct) {
      long[] without = {~0L, ~0L, ~0L, ~0L};
      without[(int) bit / 64] &= ~(1L << bit);
      assertEquals(0, vector.test(without, 0, hash * REMIX));
      assertTrue(vector.put(without, 0, hash * REMIX));
      assertArrayEquals(new long[] {~0L, ~0L, ~0L, ~0L}, without);
    }
  }
}
