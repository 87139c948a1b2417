package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FiguresTest {

  private static final double[] OURS = {1, 2, 3, 4, 10};
  private static final double[] THEIRS = {4, 4, 9, 20, 20};

  private static Figures figures() {
    Figures figures = new Figures(KeyKind.LONG, 10, "hit", 1);
    for (int i = 0; i < OURS.length; i++) {
      figures.add("ours", OURS[i]);
      figures.add("theirs", THEIRS[i]);
    }
    return figures;
  }

  @Test
  void aFigureIsTheMedianOfItsRoundsBetweenTheirQuartiles() {
    assertEquals(new Quartiles(1.5, 3, 7), figures().nanos("ours"));
    assertEquals(Set.of("ours", "theirs"), figures().subjects());
  }

  // By rounds it is 4, 2, 3, 5, 2; the ratio of the medians is 3 as well, of the sums 2.85.
  @Test
  void aRatioIsTakenRoundByRoundAndNotOfMedians() {
    assertEquals(Optional.of(new Quartiles(2, 3, 4.5)), figures().ratio("ours", "theirs"));
  }

  @Test
  void aRatioToOneWhoDidNotTakePartIsEmpty() {
    assertEquals(Optional.empty(), figures().ratio("ours", "nobody"));
    assertEquals(Optional.empty(), figures().ratio("nobody", "ours"));
  }

  @Test
  void aRatioToFiguresOfOtherRoundsIsRefused() {
    Figures fewer = new Figures(KeyKind.LONG, 10, "hit", 2);
    fewer.add("ours", 1);
    Figures figures = figures();
    assertThrows(IllegalArgumentException.class, () -> figures.ratio("ours", fewer, "ours"));
  }
}
