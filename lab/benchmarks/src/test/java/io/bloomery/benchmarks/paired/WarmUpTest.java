package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Matrix.Extra;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WarmUpTest {

  private static final int KEYS = 20_000;

  @Test
  void afterMissesOnlyNoKeyWasAskedForThatIsThere() {
    for (Operation operation : Operation.values()) {
      assertEquals(operation.share() == Share.ABSENT, WarmUp.MISSES.has(operation));
      assertEquals(operation.share() == Share.PRESENT, WarmUp.HITS.has(operation));
      assertEquals(operation.share() != Share.NEW, WarmUp.MIXED.has(operation));
    }
  }

  @Test
  void aContenderThatBecameAnotherVariantMakesItsFilters() {
    Contender contender = subject("split-block").load(KeyKind.LONG);
    contender.create(KEYS, Comparison.RATE);
    long bits = contender.sizeInBits();
    assertTrue(contender.become("standard"));
    contender.create(KEYS, Comparison.RATE);
    long others = contender.sizeInBits();
    assertTrue(others < bits, () -> others + " and " + bits);
    assertTrue(contender.become("split-block"));
    contender.create(KEYS, Comparison.RATE);
    assertEquals(bits, contender.sizeInBits());
    assertFalse(subject("guava").load(KeyKind.LONG).become("standard"));
  }

  @Test
  void variantsThatComeBeforeAreOnesThatThereAre() {
    WarmUp.OTHERS.forEach(other -> assertEquals(other, subject(other).name()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "partitioned-confined", "counting"})
  void behindItsFaceAFilterTakesBoxedKeys(String name) {
    Subject face = subject(name).behindFace();
    assertEquals("BloomeryBoxedLongs", face.load(KeyKind.LONG).getClass().getSimpleName());
    assertEquals(subject(name).argument(), face.argument());
  }

  @Test
  void othersHaveNoFace() {
    for (String name : List.of("guava", "standard-mapped", "one-line")) {
      assertEquals(subject(name), subject(name).behindFace());
    }
  }

  /** Timed for the smallest number of keys there is: what it takes is the warm-up. */
  @ParameterizedTest
  @EnumSource(names = {"VARIANTS", "FACE"})
  void everyoneIsWhatItWasBeforeItIsTimed(WarmUp warmUp) throws IOException {
    Matrix matrix =
        new Matrix(
            EnumSet.of(KeyKind.LONG),
            List.of((long) KEYS),
            EnumSet.of(Operation.MISS),
            Set.of("split-block", "standard"),
            1,
            EnumSet.of(Extra.RATES));
    Results results = Contest.run(matrix, warmUp, line -> {});
    double standard =
        results.measure(Stats.BITS_PER_KEY, KeyKind.LONG, KEYS, "standard").orElseThrow();
    double splitBlock =
        results.measure(Stats.BITS_PER_KEY, KeyKind.LONG, KEYS, "split-block").orElseThrow();
    assertTrue(standard < 9.7 && splitBlock > 10.3, () -> standard + " and " + splitBlock);
  }

  private static Subject subject(String name) {
    return Subject.all().stream()
        .filter(subject -> subject.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
