package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.List;

/** What a provider says before it builds, and what it refuses. */
final class PlanRules extends Topic {

  PlanRules(RuleContext context) {
    super(context);
  }

  private List<FilterPlan> plans() {
    List<FilterPlan> plans = new ArrayList<>();
    for (double rate : new double[] {0.999, 0.5, 0.25, 0.03, 0.01, 1e-3, 1e-5, 1e-7, 1e-9}) {
      for (long keys = 1; keys <= 10_000_000_000L; keys *= 10) {
        subject().planIfOffered(keys, rate).ifPresent(plans::add);
        subject().planIfOffered(7 * keys + 3, rate).ifPresent(plans::add);
      }
      for (int power = 31; power <= 34; power++) {
        subject().planIfOffered(1L << power, rate).ifPresent(plans::add);
      }
    }
    return plans;
  }

  /** From nearly one to one that all variants offer. */
  private static final List<Double> PLANNED_RATES = List.of(0.95, 0.5, 0.1, 0.01, 0.001);

  void aPlanKeepsTheRateAsked() {
    for (FilterPlan plan : plans()) {
      FilterSpec spec = plan.spec();
      double rate = plan.falsePositiveRate(spec.expectedKeys());
      assertTrue(
          rate <= spec.falsePositiveRate(), () -> "planned rate " + rate + " exceeds " + spec);
      double before = 0;
      for (int part = 0; part <= 32; part++) {
        double now = plan.falsePositiveRate(part * (spec.expectedKeys() / 8 + 1));
        // A rate may be a sum of thousands of terms, each rounded.
        double min = before * (1 - 1e-12);
        assertTrue(now >= min && now <= 1, () -> now + " must be from " + min + " to 1 in " + spec);
        before = now;
      }
    }
  }

  void equalSpecsHaveEqualPlans() {
    List<FilterPlan> once = plans();
    List<FilterPlan> again = plans();
    assertEquals(once.size(), again.size(), "specs accepted");
    for (int i = 0; i < once.size(); i++) {
      FilterPlan one = once.get(i);
      FilterPlan two = again.get(i);
      assertEquals(one.sizeInBits(), two.sizeInBits(), () -> "bits for " + one.spec());
      assertEquals(one.probes(), two.probes(), () -> "probes for " + one.spec());
      for (long keys : new long[] {1, 1_000, one.spec().expectedKeys()}) {
        assertEquals(
            one.falsePositiveRate(keys),
            two.falsePositiveRate(keys),
            () -> "rate for " + one.spec());
      }
    }
  }

  void aFileIsNoLargerThanPlanned() {
    for (int size : new int[] {1, 100, 10_000, 100_000}) {
      for (double rate : PLANNED_RATES) {
        FilterPlan plan = subject().plan(size, rate);
        Filter filter = subject().create(size, rate);
        Subject.put(filter, hashes("r20", size));
        long planned = plan.sizeInBits() / Byte.SIZE;
        long max = planned + planned / 50 + 4_096;
        long bytes = FilterFiles.serializedSize(filter);
        assertTrue(bytes <= max, () -> bytes + " bytes exceed the planned " + max + ": " + filter);
      }
    }
  }

  void aFilterIsAsLargeAsPlanned() {
    for (int size : new int[] {1, 10, 100, 1_000, 10_000, 100_000}) {
      for (double rate : PLANNED_RATES) {
        FilterPlan plan = subject().plan(size, rate);
        Filter filter = subject().create(size, rate);
        Subject.put(filter, hashes("r21", size));
        long planned = plan.sizeInBits() / Byte.SIZE;
        // Of few keys, those that need more room than others may happen to be none.
        long min = planned - planned / (size < 10_000 ? 20 : 50);
        long written = filter.payloadSize();
        assertTrue(
            written >= min,
            () -> written + " bytes are written where " + planned + " are planned: " + filter);
        // Counters are planned, too, and the last word of a slice may be used in part.
        long queried = filter.stats().sizeInBits();
        assertTrue(
            queried > 0 && queried <= plan.sizeInBits(),
            () -> queried + " bits looked at, of " + plan.sizeInBits() + " planned: " + filter);
        assertEquals(plan.sizeInBits() / (double) size, plan.bitsPerKey(), 1e-9, "bits per key");
      }
    }
  }

  void aFilterAndItsPlanSayWhatWasAsked() {
    FilterProvider provider = subject().provider();
    for (FilterSpec spec :
        new FilterSpec[] {FilterSpec.of(7, 0.3), FilterSpec.of(1_000, 0.01, "IDs/of:Anyone")}) {
      Filter filter = provider.create(spec, ThreadMode.SHARED);
      FilterPlan plan = provider.plan(spec);
      assertEquals(spec, filter.spec(), "spec of the filter");
      assertEquals(spec, plan.spec(), "spec of the plan");
      assertTrue(
          provider.variant().matches("[a-z0-9]+(-[a-z0-9]+)*"),
          () -> "a variant is words joined by hyphens, but was " + provider.variant());
      assertEquals(provider.variant(), filter.variant(), "variant of the filter");
      assertEquals(provider.variant(), plan.variant(), "variant of the plan");
      assertTrue(plan.probes() >= 1 && plan.probes() <= 64, () -> "probes: " + plan.probes());
      checkProbes(plan);
      var layout = filter.layout();
      Subject.put(filter, hashes("r22", 100));
      assertEquals(layout, filter.layout(), "layout after puts");
      assertEquals(layout, provider.create(spec, ThreadMode.SHARED).layout(), "layout again");
    }
  }

  private void checkProbes(FilterPlan plan) {
    for (long hash : hashes("r22/probes", 100)) {
      Filter filter = subject().provider().create(plan.spec(), ThreadMode.SHARED);
      filter.put(hash);
      long set = filter.stats().setBits();
      assertTrue(
          set >= 1 && set <= plan.probes(),
          () -> "one hash set " + set + " bits, by " + plan.probes() + " probes planned");
    }
  }

  void whatCannotBeHeldIsRefusedBeforeMemoryIsTaken() {
    long heap = Runtime.getRuntime().maxMemory();
    int tooLarge = 0;
    for (double rate : new double[] {0.5, 0.01, 1e-3}) {
      for (long keys = 1 << 20; keys > 0 && rate >= FilterSpec.lowestRate(keys); keys *= 8) {
        FilterSpec spec = FilterSpec.of(keys, rate);
        boolean fits =
            subject()
                .planIfOffered(keys, rate)
                .filter(plan -> plan.sizeInBits() / Byte.SIZE <= heap)
                .isPresent();
        if (!fits) {
          tooLarge++;
          checkRefused(spec);
        }
      }
    }
    assertTrue(tooLarge > 0, "no spec was too large for a heap of " + heap + " bytes");
  }

  // JUnit would end the whole run by an OutOfMemoryError.
  private void create(FilterSpec spec) {
    try {
      subject().provider().create(spec, ThreadMode.SHARED);
    } catch (OutOfMemoryError e) {
      throw new AssertionError("memory was taken for " + spec, e);
    }
  }

  private void checkRefused(FilterSpec spec) {
    long allowed = 1 << 20;
    long before = Allocation.byThisThread();
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> create(spec), () -> "creating " + spec);
    long taken = Allocation.byThisThread() - before;
    assertTrue(taken < allowed, () -> taken + " bytes were allocated before refusing " + spec);
    assertTrue(refusal.getMessage().length() > 20, () -> "reason for refusing " + spec);
  }
}
