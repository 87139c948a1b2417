package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubjectTest {

  /** Notes what it plans, and refuses low rates. */
  private static final class Noting extends PatchedProvider {
    private final List<FilterSpec> planned = new ArrayList<>();

    @Override
    public FilterPlan plan(FilterSpec spec) {
      planned.add(spec);
      if (spec.falsePositiveRate() < 1e-3) {
        throw new IllegalArgumentException("rate must be at least 0.001");
      }
      return super.plan(spec);
    }
  }

  @Test
  void whatIsOfferedIsPlannedOnceInARun() {
    Noting provider = new Noting();
    Run run = new Run(Tier.QUICK, 1);
    for (Rule rule : List.of(Rule.R01, Rule.R02)) {
      Subject subject = new RuleContext(run, rule.id(), provider).subject();
      assertTrue(subject.offer().has(100, 0.01));
      assertFalse(subject.offer().has(100, 1e-4));
      assertFalse(subject.plans().has(100, 1e-19), "64-bit hashes are too short");
    }
    assertEquals(List.of(FilterSpec.of(100, 0.01), FilterSpec.of(100, 1e-4)), provider.planned);
  }

  @Test
  void whatRulesAskForIsPlannedEachTime() {
    Noting provider = new Noting();
    Subject subject = new Subject(provider);
    subject.plan(100, 0.01);
    subject.planIfOffered(100, 0.01);
    assertEquals(2, provider.planned.size());
  }

  @Test
  void eachProviderOfARunHasPlansOfItsOwn() {
    Run run = new Run(Tier.QUICK, 1);
    for (Noting provider : List.of(new Noting(), new Noting())) {
      assertTrue(new RuleContext(run, Rule.R01.id(), provider).subject().offer().has(100, 0.01));
      assertEquals(1, provider.planned.size());
    }
  }
}
