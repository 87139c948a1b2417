package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.blocked.BlockedProvider;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import io.bloomery.scalable.ScalableProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nightly runs found in our variants, or accused them of, by the seed that shows it. */
class LongRunFindingsTest {

  /** The keys of full blocks were too few. */
  @Test
  void blocksHaveTheirRate() {
    checkKept(new BlockedProvider(), Rule.R15, new Run(Tier.QUICK, -4266441790074335874L));
  }

  /** A filter that grows had no room for another layer. */
  @Test
  @Tag("nightly")
  void thereIsRoomForLayers() {
    checkKept(new ScalableProvider(), Rule.R77, new Run(Tier.FULL, 5247949789164897202L));
  }

  private static void checkKept(FilterProvider provider, Rule rule, Run run) {
    Outcome outcome = RuleTrial.of(rule, run, provider).outcome();
    assertEquals(Status.KEPT, outcome.status(), outcome::detail);
  }
}
