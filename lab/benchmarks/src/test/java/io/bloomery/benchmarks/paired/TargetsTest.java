package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.Target.Place;
import io.bloomery.benchmarks.paired.Targets.Outcome;
import io.bloomery.benchmarks.paired.Targets.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Targets against results that were made up. */
final class TargetsTest {

  private static final Place PLACE = Place.longs(1_000);

  private static Figures figures(Operation operation, int threads, Map<String, Double> nanos) {
    Figures figures = new Figures(KeyKind.LONG, 1_000, operation.label(), threads);
    nanos.forEach(
        (subject, time) -> {
          for (int i = 1; i <= 3; i++) {
            figures.add(subject, i * time);
          }
        });
    return figures;
  }

  private static Results results(Figures... figures) {
    return new Results(List.of(figures), List.of());
  }

  private static Quartiles same(double value) {
    return new Quartiles(value, value, value);
  }

  @Test
  void oneThatIsFasterByTheFactorHasMetIt() {
    Results results = results(figures(Operation.HIT, 1, Map.of("ours", 2.0, "guava", 14.0)));
    Outcome met = Target.faster("ours", "guava", Operation.HIT, PLACE, 7).in(results);
    assertEquals(Verdict.MET, met.verdict());
    assertEquals("at least 7x", met.wanted());
    assertEquals(Optional.of(same(7)), met.measured());
    Outcome missed = Target.faster("ours", "guava", Operation.HIT, PLACE, 7.5).in(results);
    assertEquals(Verdict.MISSED, missed.verdict());
    assertEquals(Optional.of(same(7)), missed.measured());
  }

  @Test
  void oneThatTakesNoLongerThanAllowedHasMetIt() {
    Results results = results(figures(Operation.HIT, 1, Map.of("ours", 6.0, "limit", 4.0)));
    Outcome met = Target.cost("ours", "limit", Operation.HIT, PLACE, 1.5).in(results);
    assertEquals(Verdict.MET, met.verdict());
    assertEquals("at most 1.5x", met.wanted());
    assertEquals(Optional.of(same(1.5)), met.measured());
    Outcome missed = Target.cost("ours", "limit", Operation.HIT, PLACE, 1.4).in(results);
    assertEquals(Verdict.MISSED, missed.verdict());
  }

  @Test
  void twoThreadsAreComparedWithOne() {
    Results results =
        results(
            figures(Operation.HIT, 1, Map.of("ours", 4.0)),
            figures(Operation.HIT, 2, Map.of("ours", 5.0)));
    Outcome outcome = Target.costByTwo("ours", Operation.HIT, 1_000, 1.2).in(results);
    assertEquals(Optional.of(same(1.25)), outcome.measured());
    assertEquals(Verdict.MISSED, outcome.verdict());
    Results alone = results(figures(Operation.HIT, 1, Map.of("ours", 4.0)));
    assertEquals(
        Verdict.NOT_MEASURED,
        Target.costByTwo("ours", Operation.HIT, 1_000, 1.2).in(alone).verdict());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Results results = results(figures(Operation.HIT, 1, Map.of("ours", 2.0)));
    for (Target target :
        List.of(
            Target.faster("ours", "guava", Operation.HIT, PLACE, 1),
            Target.faster("ours", "ours", Operation.MISS, PLACE, 1),
            Target.faster("ours", "ours", Operation.HIT, Place.byTwo(1_000), 1),
            Target.faster("ours", "ours", Operation.HIT, Place.longs(2_000), 1),
            Target.max("ours", Stats.RATE, KeyKind.LONG, 1_000, 1),
            Target.asPlanned("ours", 1_000, 1))) {
      Outcome outcome = target.in(results);
      assertEquals(Verdict.NOT_MEASURED, outcome.verdict());
      assertEquals(Optional.empty(), outcome.measured());
    }
  }

  @Test
  void theClosestPeerIsNamedAndBuildsAreThoseOfTheConfinedOne() {
    Map<String, Double> hits = Map.of("ours", 2.0, "one", 6.0, "two", 8.0);
    Map<String, Double> builds = Map.of("ours", 9.0, "ours-confined", 4.0, "one", 9.0, "two", 6.0);
    Target target =
        Target.ahead(
            "ours",
            "ours-confined",
            List.of("one", "two"),
            List.of(Operation.HIT, Operation.BUILD),
            PLACE);
    Results results = results(figures(Operation.HIT, 1, hits), figures(Operation.BUILD, 1, builds));
    Outcome outcome = target.in(results);
    assertEquals(Verdict.MET, outcome.verdict());
    assertEquals("two, build, in batches", outcome.detail());
    assertEquals(Optional.of(same(1.5)), outcome.measured());
    Outcome unknown = target.in(results(figures(Operation.HIT, 1, hits)));
    assertEquals(Verdict.NOT_MEASURED, unknown.verdict());
    Outcome behind =
        target.in(
            results(
                figures(Operation.HIT, 1, Map.of("ours", 2.0, "one", 1.0, "two", 8.0)),
                figures(Operation.BUILD, 1, builds)));
    assertEquals(Verdict.MISSED, behind.verdict());
    assertEquals("one, hit", behind.detail());
  }

  @Test
  void aRateOnEitherSideOfThePlannedOneIsOff() {
    for (double rate : new double[] {0.0098, 0.0102}) {
      Results results =
          new Results(
              List.of(),
              List.of(
                  new Stats(Stats.RATE, KeyKind.LONG, 1_000, "ours", rate),
                  new Stats(Stats.PLANNED_RATE, KeyKind.LONG, 1_000, "ours", 0.01)));
      assertEquals(Verdict.MISSED, Target.asPlanned("ours", 1_000, 0.019).in(results).verdict());
      assertEquals(Verdict.MET, Target.asPlanned("ours", 1_000, 0.021).in(results).verdict());
    }
  }

  // A name spelt wrong would be missing for ever.
  @Test
  void everyTargetIsMetOrMissedByResultsThatHaveEverything() {
    Results everything = everything();
    Set<String> texts = new HashSet<>();
    for (Outcome outcome : Targets.of(everything)) {
      assertTrue(outcome.verdict() != Verdict.NOT_MEASURED, outcome::toString);
      assertTrue(texts.add(outcome.text()), outcome::toString);
    }
    assertTrue(
        Targets.of(results()).stream().allMatch(one -> one.verdict() == Verdict.NOT_MEASURED));
  }

  static Results everything() {
    List<Figures> figures = new ArrayList<>();
    List<Stats> stats = new ArrayList<>();
    for (KeyKind kind : KeyKind.values()) {
      for (long keys :
          new long[] {100_000, 1_000_000, 10_000_000, 100_000_000, AllocationStats.CALLS}) {
        for (Operation operation : Operation.values()) {
          for (int threads = 1; threads <= 2; threads++) {
            Figures all = new Figures(kind, keys, operation.label(), threads);
            Contest.subjects().forEach(subject -> all.add(subject, 1));
            figures.add(all);
          }
        }
        for (String what :
            List.of(
                Stats.BITS_PER_KEY,
                Stats.RATE,
                Stats.PLANNED_RATE,
                Stats.QUERY_BYTES,
                Stats.PUT_BYTES)) {
          Contest.subjects().forEach(subject -> stats.add(new Stats(what, kind, keys, subject, 1)));
        }
      }
    }
    return new Results(figures, stats);
  }
}
