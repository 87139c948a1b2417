package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Aim.Place;
import io.bloomery.benchmarks.paired.Aims.Outcome;
import io.bloomery.benchmarks.paired.Aims.Verdict;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Aims against results that were made up. */
final class AimsTest {

  private static final Place PLACE = Place.longs(1_000);

  private static Figures figures(Operation operation, int threads, Map<String, Double> nanos) {
    Figures figures = new Figures(KeyKind.LONG, 1_000, operation.label(), threads);
    nanos.forEach(
        (entrant, time) -> {
          for (int i = 1; i <= 3; i++) {
            figures.add(entrant, i * time);
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
    Outcome met = Aim.faster("ours", "guava", Operation.HIT, PLACE, 7).in(results);
    assertEquals(Verdict.MET, met.verdict());
    assertEquals("at least 7x", met.wanted());
    assertEquals(Optional.of(same(7)), met.measured());
    Outcome missed = Aim.faster("ours", "guava", Operation.HIT, PLACE, 7.5).in(results);
    assertEquals(Verdict.MISSED, missed.verdict());
    assertEquals(Optional.of(same(7)), missed.measured());
  }

  @Test
  void oneThatTakesNoLongerThanAllowedHasMetIt() {
    Results results = results(figures(Operation.HIT, 1, Map.of("ours", 6.0, "limit", 4.0)));
    Outcome met = Aim.cost("ours", "limit", Operation.HIT, PLACE, 1.5).in(results);
    assertEquals(Verdict.MET, met.verdict());
    assertEquals("at most 1.5x", met.wanted());
    assertEquals(Optional.of(same(1.5)), met.measured());
    Outcome missed = Aim.cost("ours", "limit", Operation.HIT, PLACE, 1.4).in(results);
    assertEquals(Verdict.MISSED, missed.verdict());
  }

  @Test
  void twoThreadsAreComparedWithOne() {
    Results results =
        results(
            figures(Operation.HIT, 1, Map.of("ours", 4.0)),
            figures(Operation.HIT, 2, Map.of("ours", 5.0)));
    Outcome outcome = Aim.costByTwo("ours", Operation.HIT, 1_000, 1.2).in(results);
    assertEquals(Optional.of(same(1.25)), outcome.measured());
    assertEquals(Verdict.MISSED, outcome.verdict());
    Results alone = results(figures(Operation.HIT, 1, Map.of("ours", 4.0)));
    assertEquals(
        Verdict.NOT_MEASURED, Aim.costByTwo("ours", Operation.HIT, 1_000, 1.2).in(alone).verdict());
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Results results = results(figures(Operation.HIT, 1, Map.of("ours", 2.0)));
    for (Aim aim :
        List.of(
            Aim.faster("ours", "guava", Operation.HIT, PLACE, 1),
            Aim.faster("ours", "ours", Operation.MISS, PLACE, 1),
            Aim.faster("ours", "ours", Operation.HIT, Place.byTwo(1_000), 1),
            Aim.faster("ours", "ours", Operation.HIT, Place.longs(2_000), 1),
            Aim.most("ours", Measure.RATE, KeyKind.LONG, 1_000, 1),
            Aim.asPlanned("ours", 1_000, 1))) {
      Outcome outcome = aim.in(results);
      assertEquals(Verdict.NOT_MEASURED, outcome.verdict());
      assertEquals(Optional.empty(), outcome.measured());
    }
  }

  @Test
  void theClosestPeerIsNamedAndBuildsAreThoseOfTheConfinedOne() {
    Map<String, Double> hits = Map.of("ours", 2.0, "one", 6.0, "two", 8.0);
    Map<String, Double> builds = Map.of("ours", 9.0, "ours-confined", 4.0, "one", 9.0, "two", 6.0);
    Aim aim =
        Aim.ahead(
            "ours",
            "ours-confined",
            List.of("one", "two"),
            List.of(Operation.HIT, Operation.BUILD),
            PLACE);
    Results results = results(figures(Operation.HIT, 1, hits), figures(Operation.BUILD, 1, builds));
    Outcome outcome = aim.in(results);
    assertEquals(Verdict.MET, outcome.verdict());
    assertEquals("two, build, in batches", outcome.detail());
    assertEquals(Optional.of(same(1.5)), outcome.measured());
    Outcome unknown = aim.in(results(figures(Operation.HIT, 1, hits)));
    assertEquals(Verdict.NOT_MEASURED, unknown.verdict());
    Outcome behind =
        aim.in(
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
                  new Measure(Measure.RATE, KeyKind.LONG, 1_000, "ours", rate),
                  new Measure(Measure.PLANNED_RATE, KeyKind.LONG, 1_000, "ours", 0.01)));
      assertEquals(Verdict.MISSED, Aim.asPlanned("ours", 1_000, 0.019).in(results).verdict());
      assertEquals(Verdict.MET, Aim.asPlanned("ours", 1_000, 0.021).in(results).verdict());
    }
  }

  // A name spelt wrong would be missing for ever.
  @Test
  void everyAimIsMetOrMissedByResultsThatHaveEverything() {
    Results everything = everything();
    Set<String> texts = new HashSet<>();
    for (Outcome outcome : Aims.of(everything)) {
      assertTrue(outcome.verdict() != Verdict.NOT_MEASURED, outcome::toString);
      assertTrue(texts.add(outcome.text()), outcome::toString);
    }
    assertTrue(Aims.of(results()).stream().allMatch(one -> one.verdict() == Verdict.NOT_MEASURED));
  }

  static Results everything() {
    List<Figures> figures = new ArrayList<>();
    List<Measure> measures = new ArrayList<>();
    for (KeyKind kind : KeyKind.values()) {
      for (long keys : new long[] {100_000, 1_000_000, 10_000_000, 100_000_000, Allocation.CALLS}) {
        for (Operation operation : Operation.values()) {
          for (int threads = 1; threads <= 2; threads++) {
            Figures all = new Figures(kind, keys, operation.label(), threads);
            Contest.entrants().forEach(entrant -> all.add(entrant, 1));
            figures.add(all);
          }
        }
        for (String what :
            List.of(
                Measure.BITS_PER_KEY,
                Measure.RATE,
                Measure.PLANNED_RATE,
                Measure.QUERY_BYTES,
                Measure.PUT_BYTES)) {
          Contest.entrants()
              .forEach(entrant -> measures.add(new Measure(what, kind, keys, entrant, 1)));
        }
      }
    }
    return new Results(figures, measures);
  }
}
