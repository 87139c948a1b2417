package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.unusual.Unusual;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the suite on providers that are right in unusual ways: it must not be narrower than the
 * rules. At night seeds are drawn anew; what is printed repeats them, by the system property
 * {@value #SEED}.
 */
class UnusualProvidersTest {

  private static final String SEED = "bloomery.unusual.seed";

  private static final int NIGHTLY_RUNS = 108;

  /** By a third of the rules; at night all of both, with more cases of each rule. */
  @Test
  void aDrawnOneIsAccepted() {
    List<Unusual> all = Unusual.all();
    Random random = DayDraw.random();
    Unusual drawn = all.get(random.nextInt(all.size()));
    List<Rule> rules = new ArrayList<>(List.of(Rule.values()));
    Collections.shuffle(rules, random);
    checkAccepted(
        drawn,
        new ConformanceRunner()
            .tier(Tier.SMOKE)
            .seed(Seeds.ofProperty())
            .rules(rules.subList(0, rules.size() / 3)));
  }

  @Test
  void thereAreThirty() {
    assertTrue(Unusual.all().size() >= 30, "thirty unusual providers");
    assertEquals(
        Unusual.all().size(), Set.copyOf(Unusual.all().stream().map(Unusual::way).toList()).size());
  }

  /**
   * Each was accused of breaking a rule by one seed in a hundred, and rightly does what it does.
   */
  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({
    "blocks of 256 bits, R18, 3",
    "blocks of 256 bits, R18, 14",
    "equal steps, R14, -5206251097514601244",
    "growth up to a limit, R49, 1",
    "growth up to a limit, R38, 2",
    "a table outside the heap, R21, 3",
    "a limit, R75, -4353160092933252098",
    "a limit, R75, -4714535717734482571",
    "a limit, R85, 20261121"
  })
  void whoWasAccusedOnceIsAccepted(String way, Rule rule, long seed) {
    Unusual accused =
        Unusual.all().stream().filter(unusual -> unusual.way().equals(way)).findAny().orElseThrow();
    Run run = new Run(Tier.QUICK, seed, Duration.ZERO);
    Outcome outcome = RuleTrial.of(rule, run, accused.provider().get()).outcome();
    assertEquals(Status.KEPT, outcome.status(), outcome::detail);
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> eachIsAcceptedUnderThreeFreshSeeds() {
    long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    System.out.println("unusual providers, " + SEED + "=" + seed);
    List<Unusual> all = Unusual.all();
    return IntStream.range(0, NIGHTLY_RUNS)
        .mapToObj(
            run -> {
              Unusual unusual = all.get(run % all.size());
              long fresh = random.nextLong();
              return dynamicTest(
                  unusual.way() + ", seed " + fresh,
                  () ->
                      checkAccepted(unusual, new ConformanceRunner().tier(Tier.QUICK).seed(fresh)));
            });
  }

  private static void checkAccepted(Unusual unusual, ConformanceRunner runner) {
    ConformanceReport report = runner.run(unusual.provider().get());
    System.out.println(unusual.way() + ", seed " + report.seed() + ": " + report.duration());
    assertEquals(Set.of(), report.failures(), () -> unusual.way() + ": " + report);
  }

  @Test
  void rulesOfMissingCapabilitiesAreReportedAsNotApplicable() {
    Set<Rule> rules = Set.of(Rule.R02, Rule.R04, Rule.R29, Rule.R51, Rule.R60, Rule.R71, Rule.R72);
    ConformanceReport report = new ConformanceRunner().rules(rules).run(new Unusual.Plain());
    for (Rule rule : rules) {
      boolean common = rule.capability() == Capability.NONE;
      assertEquals(
          common ? Status.KEPT : Status.NOT_APPLICABLE, report.outcome(rule).status(), rule.id());
    }
  }
}
