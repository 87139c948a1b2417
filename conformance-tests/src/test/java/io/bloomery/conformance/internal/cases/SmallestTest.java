package io.bloomery.conformance.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.ThreadMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks how small failing cases are made. */
class SmallestTest {

  private static final Offer ALL = new DrawsTest.Standard(0, 1L << 40);
  private static final Case LARGE =
      Case.of(700_000, 3e-5)
          .withMode(ThreadMode.SHARED)
          .withHashId("other")
          .withTimes(77)
          .withPattern(Pattern.COUNTING)
          .withBatch(1_000, 60_000)
          .withPartner(Partner.READ)
          .withHistory(List.of(Step.COPY, Step.READ, Step.CLEAR));

  private static Case smallest(Predicate<Case> fails) {
    return Smallest.of(LARGE, ALL, Domain.everyFilter(), fails, Duration.ofSeconds(20));
  }

  @Property(tries = 200)
  void theEdgeOfAFaultIsFound(@ForAll @IntRange(min = 1, max = 700_000) int edge) {
    assertEquals(Case.of(edge, 0.5), smallest(drawn -> drawn.keys() >= edge));
  }

  @Test
  void whatMattersStays() {
    Case found =
        smallest(
            drawn ->
                drawn.history().contains(Step.READ)
                    && drawn.from() > 0
                    && drawn.length() > 1_024
                    && drawn.rate() < 0.004);
    assertEquals(List.of(Step.READ), found.history());
    assertEquals(Case.of(1, found.rate()).withHistory(found.history()).withBatch(1, 1_025), found);
    assertEquals(1e-3, found.rate());
  }

  @Test
  void aCaseWithNothingToSpareStays() {
    assertEquals(LARGE, smallest(LARGE::equals));
  }

  @Test
  void partsFilledOtherwiseAreFilledAsLittleAsFails() {
    Case found = smallest(drawn -> drawn.put() > 2 * drawn.keys() || drawn.equals(LARGE));
    assertEquals(LARGE.keys(), found.keys());
    Case overfull = LARGE.withKeys(1_000).withPut(3_000);
    Case smaller =
        Smallest.of(
            overfull,
            ALL,
            Domain.everyFilter(),
            drawn -> drawn.put() > 2 * drawn.keys(),
            Duration.ofSeconds(20));
    assertTrue(smaller.keys() == 1 && smaller.put() == 3, smaller::toString);
  }

  @Test
  void noTimeLeavesTheCase() {
    assertEquals(
        LARGE, Smallest.of(LARGE, ALL, Domain.everyFilter(), drawn -> true, Duration.ZERO));
  }
}
