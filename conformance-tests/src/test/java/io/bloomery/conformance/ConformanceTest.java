package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.standard.StandardProvider;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks what a run reports. */
class ConformanceTest {

  @Test
  void aRuleThatWasNotRunIsAFailure() {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : EnumSet.complementOf(EnumSet.of(Rule.R07))) {
      outcomes.put(rule, new Outcome(Status.KEPT, ""));
    }
    assertEquals(Set.of(Rule.R07), new ConformanceReport("standard", 1, outcomes).failures());
  }

  @Test
  void aProviderThatCannotCreateFailsEveryRuleButThoseOfPlans() {
    ConformanceReport report =
        Conformance.run(
            new PatchedProvider() {
              @Override
              public Filter create(FilterSpec spec, ThreadMode mode) {
                throw new IllegalStateException("not today");
              }
            });
    Set<Rule> all = EnumSet.complementOf(EnumSet.of(Rule.R18, Rule.R19));
    // Whether filters grow is a matter of plans, too.
    all.removeIf(rule -> rule.capability() == Capability.GROWTH);
    assertEquals(all, report.failures(), report::toString);
  }

  @Test
  void aFailingSequenceIsShrunkToWhatMatters() {
    Broken broken =
        BrokenCalls.all().stream().filter(one -> one.rule() == Rule.R49).findAny().orElseThrow();
    String detail = Conformance.run(broken.provider()).outcome(Rule.R49).detail();
    // One hash, by whichever action, and the two steps that it takes to see the fault.
    assertTrue(
        detail.matches("(?s).*\\[\"put(All)? \\[?0\\]?\", \"write and read\", \"clear\"\\].*"),
        detail);
  }

  @Test
  void aPropertySetsAnotherSeed() {
    System.setProperty(Seeds.PROPERTY, "4711");
    try {
      ConformanceReport report = Conformance.run(new StandardProvider());
      assertEquals(4711, report.seed());
      assertEquals(Set.of(), report.failures(), report::toString);
      assertTrue(report.toString().contains("seed 4711"), report::toString);
    } finally {
      System.clearProperty(Seeds.PROPERTY);
    }
  }
}
