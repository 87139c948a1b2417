package io.bloomery.conformance.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.standard.StandardProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks which cases are drawn. */
class DrawsTest {

  /** Offers what {@link StandardProvider} does, but no rate below one. */
  record Standard(double lowestRate, long maxBytes) implements Offer {
    @Override
    public Optional<FilterPlan> plan(long keys, double rate) {
      try {
        return rate < lowestRate
            ? Optional.empty()
            : Optional.of(new StandardProvider().plan(FilterSpec.of(keys, rate)));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  private static final Offer ALL = new Standard(0, 1 << 24);

  // No properties of jqwik: within one, what draws must not begin a session of its own.
  static LongStream seeds() {
    return new Random(24).longs(60);
  }

  private static List<Case> draw(Domain domain, Offer offer, long seed) {
    return new Draws(domain, offer, 1, new Random(seed)).cases(1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noWindowOfSizesOrRatesIsMissed(long seed) {
    List<Case> cases = draw(Domain.everyFilter(), ALL, seed);
    // Of 16 strata of 10 to 10^6 keys, each less than 2.06 times as wide as long, one lies within.
    assertTrue(cases.stream().anyMatch(drawn -> drawn.keys() > 20_000 && drawn.keys() < 90_000));
    assertTrue(cases.stream().anyMatch(drawn -> drawn.rate() > 1e-3 && drawn.rate() < 0.01));
    assertTrue(cases.stream().anyMatch(drawn -> drawn.rate() < Domain.USUAL_RATE));
    assertTrue(cases.stream().anyMatch(drawn -> drawn.keys() < 10));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void equalSeedsDrawEqualCases(long seed) {
    assertEquals(draw(Domain.everyFilter(), ALL, seed), draw(Domain.everyFilter(), ALL, seed));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsNotOfferedIsNotDrawn(long seed) {
    Offer some = new Standard(3e-4, 100_000);
    List<Case> cases = draw(Domain.everyFilter().edges(new long[] {5}, 1e-5, 0.1), some, seed);
    for (Case drawn : cases) {
      assertTrue(some.has(drawn.keys(), drawn.rate()), drawn::toString);
    }
    // The edges come first, and of these one is offered.
    assertEquals(Case.of(5, 0.1).withSeed(cases.get(0).seed()), cases.get(0));
    // The lowest rate that is offered stands for those below.
    assertTrue(cases.stream().anyMatch(drawn -> drawn.rate() < 3.01e-4));
  }

  /** Counts what is asked for, and offers no rate below one that depends on the keys. */
  private static final class Counting implements Offer {
    private final double lowestPerKey;
    private final double lowest;
    private int asked;

    Counting(double lowest, double lowestPerKey) {
      this.lowest = lowest;
      this.lowestPerKey = lowestPerKey;
    }

    double lowestRate(long keys) {
      return lowest + lowestPerKey * keys;
    }

    @Override
    public Optional<FilterPlan> plan(long keys, double rate) {
      asked++;
      return new Standard(lowestRate(keys), maxBytes()).plan(keys, rate);
    }

    @Override
    public long maxBytes() {
      return 1 << 24;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void belowWhatIsOfferedTheLowestRateOfAsManyKeysIsDrawn(long seed) {
    // It decreases from one case to another as often as it increases.
    Counting some = new Counting(1e-5, 1e-9);
    long atIt = 0;
    for (Case drawn : draw(Domain.everyFilter(), some, seed)) {
      double lowest = some.lowestRate(drawn.keys());
      assertTrue(drawn.rate() >= lowest, drawn::toString);
      atIt += drawn.rate() < 1.001 * lowest ? 1 : 0;
    }
    // Two corners are drawn from below 10^-6, and one part of 16 from 10^-6 to 2 * 10^-6.
    assertTrue(atIt >= 3, "cases at the lowest rate that is offered: " + atIt);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatTheLowestRateIsIsFoundOut(long seed) {
    Counting some = new Counting(1e-5, 0);
    int cases = draw(Domain.everyFilter(), some, seed).size();
    // Five plans at most for a case, and those of one bisection.
    assertTrue(some.asked <= 5 * cases + 25, () -> some.asked + " plans for " + cases + " cases");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aDomainIsKept(long seed) {
    Domain domain =
        Domain.everyFilter()
            .keys(30, 3_000)
            .rates(1e-3, 0.1)
            .maxPut(1_000)
            .filled()
            .uniform()
            .each(drawn -> drawn.withHistory(List.of()));
    for (Case drawn : draw(domain, ALL, seed)) {
      assertTrue(drawn.keys() >= 30 && drawn.keys() <= 3_000, drawn::toString);
      assertTrue(drawn.rate() >= 1e-3 && drawn.rate() <= 0.1, drawn::toString);
      assertEquals(Math.min(drawn.keys(), 1_000), drawn.put());
      assertEquals(Pattern.UNIFORM, drawn.pattern());
      assertEquals(List.of(), drawn.history());
    }
  }

  @Test
  void stepsPatternsAndBatchesVary() {
    Set<Object> seen = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      for (Case drawn : draw(Domain.everyFilter().smallDraws(3), ALL, seed)) {
        seen.addAll(drawn.history());
        seen.add(drawn.pattern());
        seen.add(drawn.partner());
        seen.add(drawn.mode());
        seen.add(drawn.from() > 0 && drawn.length() > 1_024);
      }
    }
    int expected = Step.values().length + Pattern.values().length + Partner.values().length + 2 + 2;
    assertEquals(expected, seen.size(), seen::toString);
  }
}
