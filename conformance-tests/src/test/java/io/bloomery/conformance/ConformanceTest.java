package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.standard.StandardProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks what a run reports. */
class ConformanceTest {

  @Test
  void aRuleThatWasNotRunIsAFailure() {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : EnumSet.complementOf(EnumSet.of(Rule.R07))) {
      outcomes.put(rule, Outcome.of(Status.KEPT, ""));
    }
    ConformanceReport report =
        new ConformanceReport(
            Origin.of(new StandardProvider()),
            Tier.QUICK,
            1,
            List.of(),
            outcomes,
            Map.of(),
            List.of(),
            1,
            0,
            Instant.EPOCH,
            Duration.ZERO);
    assertEquals(Set.of(Rule.R07), report.failures());
    assertEquals(Verdict.INCONCLUSIVE, report.verdict());
  }

  @Test
  void aProviderThatCannotCreateFailsEveryRuleButThoseOfPlans() {
    ConformanceReport report =
        new ConformanceRunner()
            .run(
                new PatchedProvider() {
                  @Override
                  public Filter create(FilterSpec spec, ThreadMode mode) {
                    throw new IllegalStateException("not today");
                  }
                });
    Set<Rule> all = EnumSet.complementOf(EnumSet.of(Rule.R18, Rule.R19));
    // Whether filters grow, or name their positions, is seen without one.
    all.removeIf(
        rule ->
            rule.capability() == Capability.GROWTH || rule.capability() == Capability.POSITIONS);
    assertEquals(all, report.failures(), report::toString);
  }

  @Test
  void aFailingSequenceIsShrunkToWhatMatters() {
    Broken broken =
        BrokenCalls.all().stream().filter(one -> one.rule() == Rule.R49).findAny().orElseThrow();
    String detail = new ConformanceRunner().run(broken.provider()).outcome(Rule.R49).detail();
    // One hash, by whichever action, and the two steps that it takes to see the fault.
    assertTrue(
        detail.matches(
            "(?s).*\\[\"(put|putAll|merge) \\[?\\d+\\]?\", \"(write and read|read confined)\","
                + " \"clear\"\\].*"),
        detail);
  }

  @Test
  void aPropertySetsAnotherSeed() {
    System.setProperty(Seeds.PROPERTY, "4711");
    try {
      ConformanceReport report = new ConformanceRunner().run(new StandardProvider());
      assertEquals(4711, report.seed());
      assertEquals(Set.of(), report.failures(), report::toString);
      assertTrue(report.toString().contains("seed 4711"), report::toString);
    } finally {
      System.clearProperty(Seeds.PROPERTY);
    }
  }
}
