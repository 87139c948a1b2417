package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlainKernelTest {

  private final BlockedKernel kernel = BlockedKernel.plain();

  @Test
  void filtersUseItWhereThereIsNoOther() {
    assertInstanceOf(PlainKernel.class, BlockedKernel.installed());
  }

  @Property(seed = "56", tries = 1_000)
  void aPatternStandsForThePositionsOfItsHash(@ForAll long hash) {
    long pattern = FourWordFilter.pattern(hash);
    long[] positions = FourWordFilter.positions(hash, 1);
    long[] expected = new long[2 * Blocks.WORDS];
    for (long bit : positions) {
      expected[Blocks.WORDS + (int) bit / Long.SIZE] |= 1L << bit;
    }
    long[] words = new long[2 * Blocks.WORDS];
    assertTrue(kernel.put(words, Blocks.WORDS, pattern));
    assertArrayEquals(expected, words);
    assertFalse(kernel.put(words, Blocks.WORDS, pattern));
    assertArrayEquals(expected, words);
    assertEquals(1, kernel.test(words, Blocks.WORDS, pattern));
    for (long bit : positions) {
      words[Blocks.WORDS + (int) bit / Long.SIZE] &= ~(1L << bit);
      assertEquals(0, kernel.test(words, Blocks.WORDS, pattern));
      assertTrue(kernel.put(words, Blocks.WORDS, pattern));
    }
  }
}
