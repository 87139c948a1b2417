package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nightly runs found in our variants, or accused them of, by the seed that shows it. */
class LongRunFindingsTest {

  /** A filter that grows had no room for another layer; the keys of full blocks were too few. */
  @ParameterizedTest
  @CsvSource({
    "scalable, R77, FULL, 5247949789164897202",
    "blocked, R15, QUICK, -4266441790074335874"
  })
  void theRuleIsKept(String variant, Rule rule, Tier tier, long seed) {
    FilterProvider provider = Bloomery.installed().providers().get(variant);
    Outcome outcome = RuleTrial.of(rule, new Run(tier, seed), provider).outcome();
    assertEquals(Status.KEPT, outcome.status(), outcome::detail);
  }
}
