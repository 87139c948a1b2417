package io.bloomery.conformance.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks how cases are counted. */
class CoverageTest {

  private static final Offer ALL = new DrawsTest.Standard(0, 1 << 24);

  private static Coverage draw(Offer offer) {
    Coverage coverage = new Coverage();
    for (int seed = 1; seed <= 3; seed++) { // each rule draws one old filter of each kind
      Draws draws = new Draws(Domain.everyFilter().smallDraws(8), offer, 1, new Random(seed));
      for (Case drawn : draws.cases(8)) {
        long bytes = offer.plan(drawn.keys(), drawn.rate()).orElseThrow().sizeInBits() / Byte.SIZE;
        coverage.add(drawn, bytes);
      }
    }
    return coverage;
  }

  @Test
  void drawsReachEveryClass() {
    assertEquals(List.of(), draw(ALL).missed(ALL, 3));
  }

  @Test
  void aClassThatWasNotReachedIsNamed() {
    Coverage coverage = new Coverage();
    coverage.add(Case.of(5, 0.3), 8);
    List<String> missed = coverage.missed(ALL, 1);
    assertEquals(1, coverage.counts().get("1 to 9 keys"));
    assertEquals(1, coverage.counts().get("rate 0.1 to 0.5"));
    assertEquals(
        coverage.counts().values().stream().filter(count -> count == 0).count(), missed.size());
  }

  @Test
  void whatIsNotOfferedNeedNotBeReached() {
    Offer few = new DrawsTest.Standard(1e-3, 1 << 24);
    assertEquals(List.of(), draw(few).missed(few, 3));
  }
}
