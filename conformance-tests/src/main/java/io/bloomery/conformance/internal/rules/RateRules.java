package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Sampling;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.KeyFamily;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The rules on the false-positive rate. */
public final class RateRules extends RuleGroup {

  private static final Domain RATED =
      Domain.everyFilter()
          .uniform()
          .filled()
          .rates(1e-7, 0.97)
          .draws(24)
          .each(RateRules::filledOnly)
          .edges(new long[] {1, 2, 10, 100, 1_000, 10_000}, 0.5, 0.25, 0.03, 0.01)
          .edges(new long[] {1, 10, 100, 10_000}, 1e-4, 1e-7)
          .edges(new long[] {100_000}, 0.1, 0.01, 1e-3)
          .edges(new long[] {1_000_000}, 0.01);

  /** Rates too low to be measured, which statistics derive from the set bits. */
  private static final Domain LOW =
      Domain.everyFilter()
          .keys(20_000, 150_000)
          .rates(FilterSpec.lowestRate(1), 1e-3)
          .uniform()
          .filled()
          .maxPut(150_000)
          .draws(4)
          .each(RateRules::filledOnly)
          .edges(new long[] {100_000}, 1e-9, 1e-12);

  /** Plans for fewer keys have few words, whose integer number dominates. */
  private static final Domain PLANNED =
      Domain.everyFilter()
          .keys(1_000, 200_000)
          .uniform()
          .draws(10)
          .each(RateRules::plannedOnly)
          .edges(new long[] {10_000}, 0.1, 0.01, 1e-4, 1e-6, 1e-8)
          .edges(
              List.of(
                  Case.of(20_000, 0.03).withPut(10_000),
                  Case.of(10_000, 0.01).withPut(20_000),
                  Case.of(100_000, 0.05),
                  Case.of(1_000_000, 0.02)));

  /** The planned rate from which the available queries distinguish it from half of it. */
  private static final double MEASURABLE = 0.01;

  /** The rate to which filters of lower rates are overfilled. */
  private static final double OVERFULL = 0.02;

  /**
   * The maximum number of filters in the smallest tier, where creating a filter takes many calls.
   */
  private static final int MOST_FILTERS_OF_SMOKE = 8;

  public RateRules(RuleContext context) {
    super(context);
  }

  public void theRateAskedIsKeptAtEverySize() {
    forAll(RATED, this::checkRate);
    // The usual formula yields one word of 64 bits for this, which suffices for 1.4 times the rate.
    int filters = tier().choose(MOST_FILTERS_OF_SMOKE, 50_000, 100_000, 100_000);
    checkRate(FilterSpec.of(5, 0.00215), filters, 8 * filters);
    forAll(LOW, this::checkLowRate);
    if (tier().isAtLeast(Tier.NIGHTLY)) {
      checkRate(FilterSpec.of(10_000_000, 1e-6), 1, 100_000_000);
    }
  }

  private void checkLowRate(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    FilterPlan plan = subject().provider().plan(drawn.spec());
    FilterStats stats = filled.filter().stats();
    double stated = stats.falsePositiveRate();
    if (stated > 2 * Math.pow(stats.fill(), plan.probes())) {
      return; // in blocks, the fullest may have more hits than all others
    }
    double most = RateBound.ofOneTable(plan);
    assertTrue(
        stated <= most,
        () -> "the rate of the bits set, " + stated + ", must be at most " + most + ": " + drawn);
  }

  private static Case filledOnly(Case drawn) {
    return Case.of(drawn.keys(), drawn.rate()).withHashId(drawn.hashId()).withSeed(drawn.seed());
  }

  /** Returns the spec of a case, with attributes every other time, on which nothing depends. */
  private static FilterSpec asked(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    return random.nextBoolean()
        ? drawn.spec()
        : drawn.spec().withAttributes(DrawnAttributes.of(random));
  }

  /**
   * Measures the rate of as many filters as there are keys for, by the required number of queries.
   */
  private void checkRate(Case drawn) {
    int keysInAll = tier().choose(100_000, 1_000_000, 1_000_000);
    int wanted = wantedTrials(drawn.rate());
    int trials = tier().choose(wanted / 20, wanted, 5 * wanted, 5 * wanted);
    int most = tier().choose(MOST_FILTERS_OF_SMOKE, keysInAll / 2, keysInAll / 2, keysInAll / 2);
    int filters = (int) Math.max(1, Math.min(most, keysInAll / drawn.keys()));
    // With few keys, each query has a filter of its own: then no allowance is needed for filters
    // that happen to be fuller than others.
    boolean isAlone = drawn.keys() <= 10 && drawn.rate() >= 0.01;
    checkRate(asked(drawn), filters, isAlone ? filters : Math.max(trials, filters));
  }

  /**
   * Returns the number of queries that detect a table that is 15 % too small: its rate is a fixed
   * power of the requested one, so that a lower rate differs by more, and fewer hits suffice.
   */
  private static int wantedTrials(double rate) {
    double hits = rate >= 0.1 ? 5_300 : rate >= 0.01 ? 1_500 : 300;
    return (int) Math.max(50_000, Math.min(300_000, hits / rate));
  }

  private void checkRate(FilterSpec spec, int filters, int trials) {
    if (subject().planIfOffered(spec.expectedKeys(), spec.falsePositiveRate()).isPresent()) {
      Sampling sampling =
          new Sampling(context(), spec, spec.expectedKeys(), filters, trials / filters * filters);
      RateSample sample = sampling.take("r11");
      verdict().notAbove(RateBound.of(sampling.plan(), sample), sample);
    }
  }

  public void theRatePlannedIsTheRateMeasured() {
    forAll(PLANNED, this::checkPlannedRate);
    evidence()
        .note(
            "rates below 0.01 are measured in filters given too many keys, up to a rate of about"
                + " 0.02; at the expected keys the plan and the bits set hold them");
    if (tier().isAtLeast(Tier.FULL)) {
      checkPlannedRate(Case.of(10_000_000, 0.05));
    }
  }

  private static Case plannedOnly(Case drawn) {
    long put = Math.max(drawn.keys() / 2, Math.min(drawn.put(), 2 * drawn.keys()));
    return filledOnly(drawn).withPut((int) put);
  }

  private void checkPlannedRate(Case drawn) {
    FilterPlan plan = subject().provider().plan(drawn.spec());
    long keys = measurableKeys(plan, drawn);
    int filters = (int) Math.max(1, tier().choose(120_000, 1_000_000, 1_000_000) / keys);
    int trials = tier().choose(100_000, 500_000, 500_000) / filters * filters;
    Sampling sampling = new Sampling(context(), drawn.spec(), keys, filters, trials);
    RateSample sample;
    try {
      sample = sampling.take("r12/" + drawn.seed());
    } catch (FilterFullException e) {
      evidence().note(keys + " keys do not fit into " + drawn.spec() + ": " + e.getMessage());
      return;
    }
    double planned = plan.falsePositiveRate(keys);
    verdict().notAbove(planned * (1 + RateBound.slack(sample)), sample);
    // Some plans count the tail of a distribution as hits, or reserve rate for growth.
    verdict().notBelow(planned / 2, sample);
  }

  /**
   * Returns the number of keys to put for a rate that can be measured, if a filter can be
   * overfilled.
   */
  private long measurableKeys(FilterPlan plan, Case drawn) {
    if (!subject().takesPuts()) {
      return Math.min(drawn.put(), drawn.keys());
    }
    long fewer = drawn.put();
    long most = 8 * drawn.keys();
    if (plan.falsePositiveRate(fewer) >= MEASURABLE || plan.falsePositiveRate(most) < OVERFULL) {
      return fewer;
    }
    while (most - fewer > Math.max(1, drawn.keys() / 100)) {
      long middle = (fewer + most) / 2;
      if (plan.falsePositiveRate(middle) < OVERFULL) {
        fewer = middle;
      } else {
        most = middle;
      }
    }
    return most;
  }

  public void structuredKeysKeepTheRate() {
    for (KeyFamily<?> family : KeyFamily.all()) {
      checkKeys(family);
    }
    checkOtherSeed();
  }

  // Two consecutive filters with different seeds must not have the same false positives.
  private void checkOtherSeed() {
    int size = tier().some(10_000);
    int wanted = tier().some(5_000);
    KeyHasher<Long> one = KeyHasher.longs().withSeed(1);
    KeyHasher<Long> two = KeyHasher.longs().withSeed(2);
    Filter first = filled(one, size);
    Filter second = filled(two, size);
    long trials = 0;
    long hits = 0;
    for (long key = size; trials < wanted && key < 100L * size; key++) {
      if (first.mightContain(one.hash(key))) {
        trials++;
        hits += second.mightContain(two.hash(key)) ? 1 : 0;
      }
    }
    if (trials == 0) {
      // Another rule covers exact sets.
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
    PrimitiveIterator.OfLong hashes = LongStream.range(0, size).map(hasher::hash).iterator();
    subject().putMany(filter, hashes::nextLong, size);
    return filter;
  }

  // Each filter gets keys of its own and is queried for the next ones of the same family: together
  // they vary less than one filter with as many keys, and take less time.
  private <K> void checkKeys(KeyFamily<K> family) {
    int size = tier().choose(1_000, 2_000, 2_000, 2_000);
    checkKeys(family, Math.min(size, family.size() / 2), 0.01, tier().some(30_000));
    SplittableRandom random = new SplittableRandom(seed("r13/" + family.name()));
    int most = Math.min(tier().choose(1_000, 20_000, 20_000, 20_000), family.size() / 2);
    int least = Math.min(200, most);
    int drawn = (int) (least * StrictMath.pow((double) most / least, random.nextDouble()));
    checkKeys(family, drawn, 0.003 * StrictMath.pow(30, random.nextDouble()), tier().some(20_000));
  }

  private <K> void checkKeys(KeyFamily<K> family, int size, double rate, int keysInAll) {
    int filters = Math.max(1, Math.min(keysInAll / size, family.size() / (2 * size)));
    int asked = Math.min(2 * size, family.size() / filters - size);
    KeyHasher<? super K> hasher = family.hasher();
    FilterSpec spec = FilterSpec.of(size, rate, hasher.id());
    FilterPlan plan = subject().provider().plan(spec);
    ThreadMode mode = Subject.drawnMode(hashes("r13/mode/" + family.name() + spec));
    PrimitiveIterator.OfLong hashes =
        IntStream.range(0, filters * (size + asked))
            .mapToLong(i -> hasher.hash(family.key(i)))
            .iterator();
    long hits = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter = subject().provider().create(spec, mode);
      subject().putMany(filter, hashes::nextLong, size);
      hits += subject().countFound(filter, hashes::nextLong, asked);
    }
    long trials = (long) filters * asked;
    RateSample sample =
        new RateSample(
            family.name(), size, filters, plan.probes(), plan.sizeInBits(), trials, hits);
    verdict().notAbove(RateBound.of(plan, sample), sample);
  }
}
