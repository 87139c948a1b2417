package io.bloomery.conformance;

import io.bloomery.conformance.cases.Case;
import io.bloomery.conformance.cases.Domain;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;

/** How often absent hashes are found. */
final class RateRules extends Topic {

  /** So many hits tell 1.2 times the rate from the rate with a probability of 99.9 %. */
  private static final double WANTED_HITS = 5_300;

  private static final Domain RATED =
      Domain.everyFilter()
          .uniform()
          .filled()
          .rates(1e-7, 0.97)
          .each(drawn -> Case.of(drawn.keys(), drawn.rate()).withSeed(drawn.seed()))
          .edges(new long[] {1, 2, 10, 100, 1_000, 10_000}, 0.5, 0.25, 0.03, 0.01)
          .edges(new long[] {1, 10, 100, 10_000}, 1e-4, 1e-7)
          .edges(new long[] {100_000}, 0.1, 0.01, 1e-3)
          .edges(new long[] {1_000_000}, 0.01);

  RateRules(RuleContext context) {
    super(context);
  }

  void theRateAskedIsKeptAtEverySize() {
    forAll(RATED, this::checkRate);
    // The usual formula takes one word of 64 bits for that, which is enough for 1.4 times the rate.
    checkRate(5, 0.00215, 600_000, 600_000);
    if (tier().isAtLeast(Tier.NIGHTLY)) {
      checkRate(10_000_000, 1e-6, 1, 100_000_000);
    }
  }

  /** Measures the rate of as many filters as there are keys for, by as many queries as it takes. */
  private void checkRate(Case drawn) {
    int keysInAll = tier().choose(400_000, 4_000_000, 4_000_000);
    int trials =
        (int)
            Math.min(WANTED_HITS / drawn.rate(), tier().choose(3_000_000, 20_000_000, 50_000_000));
    // Of few keys each query has a filter of its own: then nothing need be allowed for filters that
    // happen to be fuller than others.
    int filters = (int) Math.max(1, keysInAll / drawn.keys());
    checkRate(drawn.keys(), drawn.rate(), filters, Math.max(trials, filters));
  }

  private void checkRate(long size, double rate, int filters, int trials) {
    if (subject().planIfOffered(size, rate).isPresent()) {
      Sampling sampling = Sampling.of(context(), size, rate, filters, trials / filters * filters);
      RateSample sample = sampling.take("r11");
      verdict().notAbove(RateBound.of(sampling.plan(), sample), sample);
    }
  }

  void theRatePlannedIsTheRateMeasured() {
    checkPlannedRate(10_000, 0.1, 10_000, 50);
    checkPlannedRate(10_000, 0.01, 10_000, 50);
    checkPlannedRate(20_000, 0.03, 10_000, 50);
    checkPlannedRate(10_000, 0.01, 20_000, 25);
    checkPlannedRate(100_000, 0.05, 100_000, 5);
    checkPlannedRate(1_000_000, 0.02, 1_000_000, 1);
    // Low rates can be measured in filters that are too full.
    for (double rate : new double[] {1e-4, 1e-6, 1e-8}) {
      if (subject().planIfOffered(10_000, rate).isPresent()) {
        checkPlannedRate(10_000, rate, 40_000, 10);
      }
    }
    if (tier().isAtLeast(Tier.FULL)) {
      checkPlannedRate(10_000_000, 0.05, 10_000_000, 1);
    }
  }

  private void checkPlannedRate(int size, double rate, int keys, int filters) {
    int trials = 500_000;
    Sampling sampling = new Sampling(context(), FilterSpec.of(size, rate), keys, filters, trials);
    RateSample sample = sampling.take("r12/" + keys);
    double planned = sampling.plan().falsePositiveRate(keys);
    verdict().notAbove(planned * (1 + RateBound.slack(sample)), sample);
    // Some plans count the tail of a distribution as hits, or promise for a filter that grows.
    verdict().notBelow(planned / 2, sample);
  }

  void structuredKeysKeepTheRate() {
    for (KeyFamily<?> family : KeyFamily.all()) {
      checkKeys(family);
    }
    checkOtherSeed();
  }

  // Two filters in a row, each with a seed of its own, must not be wrong about the same keys.
  private void checkOtherSeed() {
    int size = 10_000;
    KeyHasher<Long> one = KeyHasher.longs().withSeed(1);
    KeyHasher<Long> two = KeyHasher.longs().withSeed(2);
    Filter first = filled(one, size);
    Filter second = filled(two, size);
    long trials = 0;
    long hits = 0;
    for (long key = size; trials < 5_000 && key < 1_000_000; key++) {
      if (first.mightContain(one.hash(key))) {
        trials++;
        hits += second.mightContain(two.hash(key)) ? 1 : 0;
      }
    }
    if (trials == 0) {
      // A set that is never wrong is another rule's business.
      return;
    }
    FilterPlan plan = subject().plan(size, 0.1);
    RateSample sample =
        new RateSample(
            "false positives of another seed",
            size,
            1,
            plan.probes(),
            plan.sizeInBits(),
            trials,
            hits);
    verdict().notAbove(RateBound.of(plan, sample), sample);
  }

  private Filter filled(KeyHasher<Long> hasher, int size) {
    FilterSpec spec = FilterSpec.of(size, 0.1, hasher.id());
    Filter filter = subject().provider().create(spec, ThreadMode.SHARED);
    for (long key = 0; key < size; key++) {
      filter.put(hasher.hash(key));
    }
    return filter;
  }

  // Each filter is given keys of its own and asked for the next of the same family: the filters
  // together vary less than one with as many keys, and take less time.
  private <K> void checkKeys(KeyFamily<K> family) {
    int size = Math.min(2_000, family.size() / 2);
    int filters = Math.min(25, family.size() / (2 * size));
    int asked = Math.min(2 * size, family.size() / filters - size);
    KeyHasher<? super K> hasher = family.hasher();
    FilterSpec spec = FilterSpec.of(size, 0.01, hasher.id());
    FilterPlan plan = subject().provider().plan(spec);
    long hits = 0;
    int next = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter = subject().provider().create(spec, ThreadMode.SHARED);
      for (int end = next + size; next < end; next++) {
        filter.put(hasher.hash(family.key(next)));
      }
      for (int end = next + asked; next < end; next++) {
        hits += filter.mightContain(hasher.hash(family.key(next))) ? 1 : 0;
      }
    }
    long trials = (long) filters * asked;
    RateSample sample =
        new RateSample(
            family.name(), size, filters, plan.probes(), plan.sizeInBits(), trials, hits);
    verdict().notAbove(RateBound.of(plan, sample), sample);
  }
}
