package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;

/**
 * A measurement of the false-positive rate of filters of one spec.
 *
 * @param context the context of the rule, with the provider under test
 * @param keys the number of distinct hashes put into each filter
 * @param filters the number of filters; as many as trials makes the trials independent
 * @param trials the total number of queries for absent hashes, a multiple of {@code filters}
 */
public record Sampling(RuleContext context, FilterSpec spec, long keys, int filters, int trials) {

  // Planning takes longer than copying a small filter, and there are many of them.
  private static final int SMALL = 100;

  public FilterPlan plan() {
    return context.provider().plan(spec);
  }

  /** Fills and queries the filters; equal purposes use equal hashes. */
  public RateSample take(String purpose) {
    Hashes hashes = context.hashes(purpose + spec);
    ThreadMode mode = Subject.drawnMode(hashes);
    Filter empty = create(mode);
    boolean small = spec.expectedKeys() <= SMALL;
    long hits = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter = small ? empty.copy() : create(mode);
      context.subject().putMany(filter, hashes::next, keys);
      hits += context.subject().countFound(filter, hashes::next, trials / filters);
    }
    FilterPlan plan = plan();
    String given = keys == spec.expectedKeys() ? "" : " given " + keys;
    String what = spec.expectedKeys() + " keys at " + spec.falsePositiveRate() + given;
    return new RateSample(what, keys, filters, plan.probes(), plan.sizeInBits(), trials, hits);
  }

  private Filter create(ThreadMode mode) {
    return context.provider().create(spec, mode);
  }
}
