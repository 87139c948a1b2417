package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Matrix.Extra;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ContestTest {

  private static final long KEYS = 20_000;
  private static final int ROUNDS = 1;
  private static final Set<String> SUBJECTS = Set.of("one-word", "standard", "counting");

  @Test
  @Tag("nightly")
  void aRunHasAFigureForAllWhoCanAndStatsForAllFilters() throws IOException {
    List<String> progress = new ArrayList<>();
    Matrix matrix =
        new Matrix(
            EnumSet.of(KeyKind.LONG, KeyKind.STRING),
            List.of(KEYS),
            EnumSet.allOf(Operation.class),
            SUBJECTS,
            ROUNDS,
            EnumSet.of(Extra.RATES, Extra.FILTERS));
    Results results = Contest.run(matrix, progress::add);
    for (Operation operation : Operation.values()) {
      Figures figures = results.figures(KeyKind.LONG, KEYS, operation.label(), 1).orElseThrow();
      assertEquals(who(operation), new TreeSet<>(figures.subjects()), operation.label());
    }
    Figures merges =
        results.figures(KeyKind.LONG, KEYS, FilterOperation.MERGE.label(), 1).orElseThrow();
    assertEquals(Set.of("standard", "counting"), merges.subjects());
    for (String filter : List.of("standard", "counting")) {
      for (KeyKind kind : List.of(KeyKind.LONG, KeyKind.STRING)) {
        double rate = results.measure(Stats.RATE, kind, KEYS, filter).orElseThrow();
        double planned = results.measure(Stats.PLANNED_RATE, kind, KEYS, filter).orElseThrow();
        // Of two million and in a filter of 20,000 keys: a standard deviation is 1 %. With one key
        // in ten missing it would be half the rate.
        assertEquals(planned, rate, 0.06 * planned, filter);
        assertTrue(results.measure(Stats.BITS_PER_KEY, kind, KEYS, filter).orElseThrow() > 9);
      }
    }
    assertTrue(results.measure(Stats.RATE, KeyKind.LONG, KEYS, "one-word").isEmpty());
    assertTrue(progress.contains("20,000 long keys: batch mix"), progress::toString);
  }

  private static Set<String> who(Operation operation) {
    return switch (operation) {
      case PUT_AND_REMOVE -> Set.of("counting");
      case PUT_AGAIN -> Set.of("one-word", "standard");
      default -> SUBJECTS;
    };
  }

  @Test
  void stringsAreLeftOutWhereThereWouldBeTooMany() throws IOException {
    Matrix matrix =
        new Matrix(
            EnumSet.of(KeyKind.STRING),
            List.of(2 * Matrix.MAX_STRINGS),
            EnumSet.allOf(Operation.class),
            SUBJECTS,
            ROUNDS,
            EnumSet.of(Extra.RATES));
    assertEquals(new Results(List.of(), List.of()), Contest.run(matrix, line -> {}));
  }

  @Test
  void aSubjectThatThereIsNotIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Matrix(
                EnumSet.of(KeyKind.LONG),
                List.of(KEYS),
                EnumSet.of(Operation.HIT),
                Set.of("guave"),
                ROUNDS,
                EnumSet.noneOf(Extra.class)));
  }
}
