package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FoldingTest {

  @Property
  void everyFactorThatDividesThePlacesIsOneAndOthersAreRefused(
      @ForAll @IntRange(min = 1, max = 10_000) int places, @ForAll int factor) {
    Folding folding = Folding.of(places, 1);
    int[] expected = IntStream.rangeClosed(1, places).filter(i -> places % i == 0).toArray();
    assertArrayEquals(expected, folding.factors());
    boolean folds = IntStream.of(expected).anyMatch(i -> i == factor);
    assertEquals(folds, folding.refusal(factor).isEmpty());
    Folding odd = folding.only(i -> i % 2 == 1);
    assertArrayEquals(IntStream.of(expected).filter(i -> i % 2 == 1).toArray(), odd.factors());
  }

  @Test
  void aRefusalNamesTheNextLowerFactor() {
    Folding folding = Folding.of(12, 4);
    assertEquals(4, folding.wordsPerPlace());
    for (int[] pair : new int[][] {{5, 4}, {11, 6}, {13, 12}, {0, 1}, {-7, 1}}) {
      String reason = folding.refusal(pair[0]).orElseThrow();
      assertTrue(
          reason.contains("was " + pair[0] + ";") && reason.endsWith(" " + pair[1]), () -> reason);
    }
  }

  @Test
  void theLargestTableHasItsFactors() {
    int[] factors = Folding.of((1L << 31) - 8, 1).factors();
    assertEquals((1L << 31) - 8, factors[factors.length - 1]);
    assertThrows(IllegalArgumentException.class, () -> Folding.of(1L << 31, 1));
    assertThrows(IllegalArgumentException.class, () -> Folding.of(0, 1));
    assertThrows(IllegalArgumentException.class, () -> Folding.of(1, 0));
  }

  @Test
  void whatDoesNotFoldSaysWhy() {
    Folding none = Folding.none("it counts; put the keys again");
    assertEquals(0, none.factors().length);
    assertEquals(Optional.of("it counts; put the keys again"), none.refusal(1));
  }
}
