package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.ForAll;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The rules on plans, and on rejected specs. */
public final class PlanRules extends RuleGroup {

  /** Filters that are planned and not built. */
  private static final Domain PLANNED =
      Domain.everyFilter().keys(1, 100_000_000_000L).draws(32).each(PlanRules::specOnly);

  /**
   * The sizes at which filters are written, from a rate of nearly one to a rate that all variants
   * offer.
   */
  private static final Domain WRITTEN =
      Domain.everyFilter()
          .keys(1, 300_000)
          .filled()
          .uniform()
          .maxPut(300_000)
          .each(PlanRules::filledOnly)
          .edges(new long[] {1, 10, 100, 1_000, 10_000, 100_000}, 0.95, 0.5, 0.1, 0.01, 1e-3)
          .edges(new long[] {1, 1_000}, 0.999_999, 1e-6, 1e-9, 1e-12, 1e-15)
          .edges(
              List.of(
                  Case.of(300_000, 1e-3),
                  Case.of(1, FilterSpec.lowestRate(1)),
                  Case.of(1_000, FilterSpec.lowestRate(1_000))));

  private static final Domain SAID =
      Domain.everyFilter()
          .maxPut(2_000)
          .edges(
              List.of(
                  Case.of(7, 0.3), Case.of(1_000, 0.01).withHashId("~".repeat(255)).withPut(100)));

  /**
   * The permitted relative decrease of a planned rate as keys are added: it may be a sum of
   * thousands of rounded terms, and one more key in 10^8 changes it by less.
   */
  private static final double ROUNDING = 1e-4;

  /** The heap from which on that of filters is compared with that planned. */
  private static final long MIN_HEAP = 1 << 17;

  private static final long FIXED_HEAP = 1 << 16;

  /** The bits that the smallest filters may have, however few their keys. */
  private static final long MANY_BITS = 1 << 16;

  public PlanRules(RuleContext context) {
    super(context);
  }

  private static Case specOnly(Case drawn) {
    return Case.of(drawn.keys(), drawn.rate()).withHashId(drawn.hashId());
  }

  private static Case filledOnly(Case drawn) {
    return Case.of(drawn.keys(), drawn.rate())
        .withMode(drawn.mode())
        .withHashId(drawn.hashId())
        .withSeed(drawn.seed());
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

  public void aPlanKeepsTheRateAsked() {
    for (FilterPlan plan : plans()) {
      checkRates(plan, 8);
      checkRateBeyond(plan);
      checkNumbers(plan);
      checkNotLarger(plan, 10, 10 * plan.spec().expectedKeys());
    }
    forPlans(this::checkPlan);
    SplittableRandom random = new SplittableRandom(seed("r18/offered"));
    for (int i = tier().choose(300, 300, 3_000, 3_000); i > 0; i--) {
      long keys = (long) Math.pow(Subject.ALWAYS_KEYS, random.nextDouble());
      double rate = Math.pow(Subject.ALWAYS_RATE, random.nextDouble());
      subject().planIfOffered(keys, Math.min(rate, Math.nextDown(1)));
    }
  }

  private void forPlans(ForAll.Check check) {
    ForAll.check(context(), PLANNED, subject().plans(), check);
  }

  private void checkPlan(Case drawn) {
    FilterPlan plan = subject().provider().plan(drawn.spec());
    checkRates(plan, 32);
    checkRateBeyond(plan);
    checkNumbers(plan);
    for (double factor : new double[] {1.001, 1.1, 2, 10}) {
      long more = (long) (factor * drawn.keys()) + 1;
      checkNotSmaller(plan, more, drawn.rate());
      checkNotLarger(plan, factor, more);
      checkNotSmaller(plan, drawn.keys(), drawn.rate() / factor);
    }
  }

  private static void checkRates(FilterPlan plan, int parts) {
    FilterSpec spec = plan.spec();
    double asked = plan.falsePositiveRate(spec.expectedKeys());
    assertTrue(
        asked <= spec.falsePositiveRate(), () -> "planned rate " + asked + " exceeds " + spec);
    assertEquals(0, plan.falsePositiveRate(0), () -> "rate without keys, in " + spec);
    double before = 0;
    long expected = spec.expectedKeys();
    // And on either side of the requested number, where a rate computed only for that number shows.
    for (long keys :
        LongStream.concat(
                LongStream.concat(
                    LongStream.rangeClosed(0, parts).map(part -> part * (4 * expected / parts + 1)),
                    manyTimes(expected)),
                LongStream.rangeClosed(Math.max(0, expected - 1), expected + 1))
            .sorted()
            .toArray()) {
      double now = plan.falsePositiveRate(keys);
      double min = before * (1 - ROUNDING);
      assertTrue(now >= min && now <= 1, () -> now + " must be from " + min + " to 1 in " + spec);
      before = now;
    }
  }

  private void checkRateBeyond(FilterPlan plan) {
    long expected = plan.spec().expectedKeys();
    for (long keys : new long[] {expected + 1, 2 * expected, Long.MAX_VALUE}) {
      assertTrue(
          subject().takesPuts() || plan.falsePositiveRate(keys) == 1,
          () ->
              "of "
                  + keys
                  + " keys no filter is built, so that the rate must be 1: "
                  + plan.spec());
    }
  }

  /** Returns many more keys than expected, up to a million times as many. */
  private static LongStream manyTimes(long expected) {
    return LongStream.of(5, 10, 100, 1_000, 30_000, 1_000_000)
        .filter(times -> expected <= Long.MAX_VALUE / times)
        .map(times -> times * expected);
  }

  /** Checks the numbers of a plan that is too large to be built. */
  private static void checkNumbers(FilterPlan plan) {
    FilterSpec spec = plan.spec();
    double keys = (double) spec.expectedKeys();
    // No filter needs less, of any kind; and whole words of a few bits.
    double least = 0.95 * keys * -Math.log(spec.falsePositiveRate()) / Math.log(2);
    long bits = plan.sizeInBits();
    assertTrue(bits >= least, () -> bits + " bits, of " + least + " that are needed, for " + spec);
    assertTrue(plan.heapBytes() >= 0, () -> plan.heapBytes() + " bytes of heap, for " + spec);
    assertTrue(
        plan.probes() >= 1 && plan.probes() <= 64, () -> plan.probes() + " probes, for " + spec);
    assertEquals(bits / keys, plan.bitsPerKey(), 1e-9 * bits / keys, () -> "bits per key: " + spec);
  }

  /** Checks that as many times the keys do not take many times as much for each of them. */
  private void checkNotLarger(FilterPlan plan, double factor, long keys) {
    subject()
        .planIfOffered(keys, plan.spec().falsePositiveRate())
        .ifPresent(
            more -> {
              double most = 4 * factor * plan.sizeInBits() + MANY_BITS;
              assertTrue(
                  more.sizeInBits() <= most,
                  () -> more.sizeInBits() + " bits exceed " + most + ", for " + more.spec());
            });
  }

  /**
   * Checks that more keys or a lower rate do not need much less space: a filter that satisfies
   * these is large enough. Tables may be rounded, and lower rates be satisfied by filters of
   * another kind.
   */
  private void checkNotSmaller(FilterPlan plan, long keys, double rate) {
    subject()
        .planIfOffered(keys, rate)
        .ifPresent(
            more -> {
              checkNotSmaller(plan.spec(), plan.sizeInBits(), more.spec(), more.sizeInBits(), "");
              checkNotSmaller(
                  plan.spec(),
                  plan.heapBytes() * Byte.SIZE,
                  more.spec(),
                  more.heapBytes() * Byte.SIZE,
                  " of memory");
            });
  }

  private static void checkNotSmaller(
      FilterSpec less, long bitsOfLess, FilterSpec more, long bitsOfMore, String what) {
    assertTrue(
        bitsOfMore >= bitsOfLess / 2 - 4_096,
        () ->
            bitsOfMore + " bits" + what + " for " + more + ", but " + bitsOfLess + " for " + less);
  }

  public void equalSpecsHaveEqualPlans() {
    List<FilterPlan> once = plans();
    List<FilterPlan> again = plans();
    assertEquals(once.size(), again.size(), "specs accepted");
    for (int i = 0; i < once.size(); i++) {
      checkEqual(once.get(i), again.get(i));
    }
    forPlans(this::checkPlannedAgain);
  }

  /**
   * Plans a spec after others that are equal in one part, for fewer keys or a higher rate: what is
   * remembered of these is not enough for it.
   */
  private void checkPlannedAgain(Case drawn) {
    List<FilterPlan> plans = new ArrayList<>();
    List<Case> all =
        List.of(
            drawn.withKeys(drawn.keys() / 2 + 1),
            drawn.withRate(Math.sqrt(drawn.rate())),
            drawn.withHashId("conformance/another"),
            drawn);
    for (Case each : all) {
      if (subject().plans().has(each.keys(), each.rate())) {
        plans.add(checkSpec(each.spec()));
        checkSpec(each.spec().withAttributes(Map.of("conformance", "plan")));
      }
    }
    for (FilterPlan plan : plans) {
      long keys = plan.spec().expectedKeys();
      for (FilterPlan other : plans) {
        double others = other == plan ? 0 : other.falsePositiveRate(keys);
        double rate = plan.falsePositiveRate(keys);
        assertTrue(
            rate <= plan.spec().falsePositiveRate(),
            () -> rate + " for " + plan.spec() + ", asked after " + others + " of another plan");
      }
    }
    for (FilterPlan plan : plans) {
      checkEqual(plan, subject().provider().plan(plan.spec()));
    }
  }

  private FilterPlan checkSpec(FilterSpec spec) {
    FilterPlan plan = subject().provider().plan(spec);
    assertEquals(spec, plan.spec(), "spec of a plan");
    return plan;
  }

  private static void checkEqual(FilterPlan one, FilterPlan two) {
    assertEquals(one.sizeInBits(), two.sizeInBits(), () -> "bits for " + one.spec());
    assertEquals(one.probes(), two.probes(), () -> "probes for " + one.spec());
    for (long keys : new long[] {1, 1_000, one.spec().expectedKeys()}) {
      assertEquals(
          one.falsePositiveRate(keys), two.falsePositiveRate(keys), () -> "rate for " + one.spec());
    }
  }

  public void aFileIsNoLargerThanPlanned() {
    forAll(
        WRITTEN,
        drawn -> {
          Filter filter = new FilledFilter(subject(), drawn).filter();
          long planned = subject().provider().plan(drawn.spec()).sizeInBits() / Byte.SIZE;
          long max = planned + planned / 50 + 4_096;
          long bytes = FilterFiles.serializedSize(filter);
          assertTrue(
              bytes <= max,
              () -> bytes + " bytes exceed the planned " + max + ": " + Subject.text(filter));
        });
  }

  public void aFilterIsAsLargeAsPlanned() {
    forAll(
        WRITTEN,
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn);
          // Room for absent keys is not needed.
          if (filled.hashes().length == drawn.keys()) {
            FilterPlan plan = subject().provider().plan(drawn.spec());
            checkSize(drawn.keys(), filled.filter(), plan);
            // What is built once takes more while it is built.
            if (subject().takesPuts() && plan.heapBytes() >= MIN_HEAP) {
              checkHeap(drawn, plan, filled);
            }
          }
        });
  }

  private static void checkSize(long size, Filter filter, FilterPlan plan) {
    long planned = plan.sizeInBits() / Byte.SIZE;
    long min = planned - (long) ((double) planned * shareNotWritten(size, filter));
    long written = filter.payloadSize();
    assertTrue(
        written >= min,
        () ->
            written
                + " bytes are written where "
                + planned
                + " are planned: "
                + Subject.text(filter));
    // Counters are planned, too, and the last word of a slice may be partly used.
    long queried = filter.stats().sizeInBits();
    assertTrue(
        queried > 0 && queried <= plan.sizeInBits(),
        () ->
            queried
                + " bits looked at, of "
                + plan.sizeInBits()
                + " planned: "
                + Subject.text(filter));
    assertEquals(plan.sizeInBits() / (double) size, plan.bitsPerKey(), 1e-9, "bits per key");
    // The bits that queries read are in memory, wherever, except for a fixed size of a few KiB.
    long needed = queried / Byte.SIZE - 8_192;
    long offHeap = plan.description().parts().getOrDefault(FilterPlan.OFF_HEAP_BYTES, 0L);
    assertTrue(
        plan.heapBytes() + offHeap >= needed,
        () ->
            plan.heapBytes()
                + " bytes of heap and "
                + offHeap
                + " outside of it planned, not "
                + needed
                + ": "
                + Subject.text(filter));
  }

  /**
   * Checks the planned heap by what is allocated: by creating or copying no more than twice that,
   * and by creating and filling at least that.
   */
  private void checkHeap(Case drawn, FilterPlan plan, FilledFilter filled) {
    FilterSpec spec = drawn.spec();
    long most = 2 * plan.heapBytes() + FIXED_HEAP + subject().allocatedByPlan(spec);
    checkAllocated(most, () -> subject().provider().create(spec, drawn.mode()), plan);
    checkAllocated(most, filled.filter()::copy, plan);
    long[] hashes = filled.hashes();
    long before = Allocation.byThisThread();
    Filter again = subject().provider().create(spec, drawn.mode());
    Subject.put(again, hashes);
    again.stats();
    long taken = Allocation.byThisThread() - before + FIXED_HEAP;
    assertTrue(
        plan.heapBytes() <= taken,
        () -> plan.heapBytes() + " bytes of heap planned, but " + taken + " taken for " + spec);
  }

  private static void checkAllocated(long most, Supplier<Filter> maker, FilterPlan plan) {
    long taken =
        Allocation.least(
            3,
            most,
            () -> {
              Filter unused = maker.get();
            });
    assertTrue(
        taken <= most,
        () -> taken + " bytes allocated, of at most " + most + ", for " + plan.spec());
  }

  /** Returns the fraction by which a file may be smaller than its plan. */
  private static double shareNotWritten(long size, Filter filter) {
    if (filter instanceof RemovableFilter) {
      // The room for counts depends on the hashes: eight standard errors, each of 1.3 over the
      // square root of the keys, as measured with counters that share a block.
      return 0.02 + 10 / Math.sqrt((double) size);
    }
    // With few keys, there may happen to be none of those that need more room than others.
    return size < 10_000 ? 0.05 : 0.02;
  }

  public void aFilterAndItsPlanSayWhatWasAsked() {
    String variant = subject().provider().variant();
    assertTrue(
        variant.matches("[a-z0-9]+(-[a-z0-9]+)*"),
        () -> "a variant is words joined by hyphens, but was " + variant);
    boolean isGrowing = Capability.GROWTH.isOfferedBy(subject().provider());
    forAll(SAID, drawn -> checkSaid(drawn, isGrowing));
  }

  private void checkSaid(Case drawn, boolean isGrowing) {
    FilterProvider provider = subject().provider();
    FilterSpec spec = drawn.spec();
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    FilterPlan plan = provider.plan(spec);
    assertEquals(spec, filter.spec(), "spec of the filter");
    assertEquals(spec, filter.copy().spec(), "spec of a copy");
    assertEquals(spec, plan.spec(), "spec of the plan");
    assertEquals(provider.variant(), filter.variant(), "variant of the filter");
    assertEquals(provider.variant(), plan.variant(), "variant of the plan");
    assertTrue(plan.probes() >= 1 && plan.probes() <= 64, () -> "probes: " + plan.probes());
    Filter empty = filled.empty();
    var layout = empty.layout();
    assertEquals(layout, filter.layout(), "layout after puts");
    checkStats(plan, filter, isGrowing);
    checkStats(plan, filter.copy(), isGrowing);
    checkStats(plan, empty, isGrowing);
    checkStats(plan, subject().read(Subject.write(filter), drawn.otherMode()), isGrowing);
    Hashes others = filled.others();
    for (int i = plan.sizeInBits() < 1 << 20 ? 20 : 2; i > 0; i--) {
      if (subject().takesPuts()) {
        checkProbes(plan, empty, others.next());
      }
    }
    assertEquals(layout, empty.layout(), "layout when cleared");
  }

  private static void checkStats(FilterPlan plan, Filter filter, boolean isGrowing) {
    FilterStats stats = filter.stats();
    long keys = plan.spec().expectedKeys();
    assertEquals(keys, stats.expectedKeys(), "keys that statistics expect");
    assertTrue(
        !stats.grows() || plan.falsePositiveRate(100 * keys) <= plan.spec().falsePositiveRate(),
        () ->
            "statistics say that it grows, but the plan of " + Subject.text(filter) + " does not");
    assertTrue(
        stats.grows() || !isGrowing,
        () -> "statistics must say that it grows: " + Subject.text(filter));
  }

  private static void checkProbes(FilterPlan plan, Filter empty, long hash) {
    empty.put(hash);
    long set = empty.stats().setBits();
    assertTrue(
        set >= 1 && set <= plan.probes(),
        () -> "one hash set " + set + " bits, by " + plan.probes() + " probes planned");
    empty.clear();
  }

  public void whatCannotBeHeldIsRefusedBeforeMemoryIsTaken() {
    int tooLarge = 0;
    for (double rate : new double[] {0.5, 0.01, 1e-3}) {
      for (long keys = 1 << 20; keys > 0 && rate >= FilterSpec.lowestRate(keys); keys *= 8) {
        tooLarge += checkRefusedIfTooLarge(keys, rate, ThreadMode.SHARED) ? 1 : 0;
      }
      tooLarge += checkRefusedIfTooLarge(leastTooLarge(rate), rate, ThreadMode.CONFINED) ? 1 : 0;
    }
    SplittableRandom random = new SplittableRandom(seed("r23"));
    int draws = tier().choose(10, 42, 420, 420);
    for (int i = 0; i < draws; i++) {
      // From 2^20 to 2^62, one from each part of the range.
      long keys = (long) StrictMath.pow(2, 20 + 42 * (i + random.nextDouble()) / draws);
      double rate = StrictMath.pow(10, -6 * random.nextDouble());
      if (rate < 1 && rate >= FilterSpec.lowestRate(keys)) {
        tooLarge += checkRefusedIfTooLarge(keys, rate, Subject.modeOf(i)) ? 1 : 0;
      }
    }
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(tooLarge > 0, () -> "no spec was too large for a heap of " + heap + " bytes");
  }

  private boolean checkRefusedIfTooLarge(long keys, double rate, ThreadMode mode) {
    boolean fits = fits(keys, rate);
    if (!fits) {
      Filter small = subject().create(1 + keys % 500, Math.max(Subject.ALWAYS_RATE, rate), mode);
      checkRefused(FilterSpec.of(keys, rate), mode);
      subject().checkCreates(small);
    }
    return !fits;
  }

  private boolean fits(long keys, double rate) {
    return subject()
        .planIfOffered(keys, rate)
        .filter(plan -> plan.sizeInBits() / Byte.SIZE <= Runtime.getRuntime().maxMemory())
        .isPresent();
  }

  /**
   * Returns a number of keys that does not fit although one less does, or the largest of a rate.
   */
  private long leastTooLarge(double rate) {
    long most = 1L << 62;
    while (rate < FilterSpec.lowestRate(most)) {
      most /= 2;
    }
    long fitting = 0;
    long least = most;
    while (least - fitting > 1) {
      long middle = fitting + (least - fitting) / 2;
      if (fits(middle, rate)) {
        fitting = middle;
      } else {
        least = middle;
      }
    }
    return least;
  }

  // Catches OutOfMemoryError, on which JUnit would abort the whole run.
  private void create(FilterSpec spec, ThreadMode mode) {
    try {
      subject().provider().create(spec, mode);
    } catch (OutOfMemoryError e) {
      throw new AssertionError("memory was taken for " + spec, e);
    }
  }

  private void checkRefusal(FilterSpec spec, ThreadMode mode) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> create(spec, mode), () -> "creating " + spec);
    assertTrue(
        String.valueOf(refusal.getMessage()).length() > 20, () -> "reason for refusing " + spec);
  }

  private void checkRefused(FilterSpec spec, ThreadMode mode) {
    long allowed = (1 << 20) + subject().allocatedByPlan(spec);
    // Calls of StrictMath.pow leave garbage until they are compiled.
    long least = Allocation.least(20, allowed - 1, () -> checkRefusal(spec, mode));
    assertTrue(
        least < allowed,
        () ->
            least
                + " bytes were allocated before refusing "
                + spec
                + ", each time; less than "
                + allowed
                + " must be");
  }
}
