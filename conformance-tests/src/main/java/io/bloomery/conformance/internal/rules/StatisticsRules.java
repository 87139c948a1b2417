package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterStats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** The rules on statistics. */
public final class StatisticsRules extends RuleGroup {

  private static final Domain MEASURED =
      Domain.everyFilter()
          .keys(1_000, 1_000_000)
          .rates(2e-4, 0.97) // at lower rates this many trials have no hits
          .uniform()
          .draws(12)
          .maxPut(200_000)
          .each(StatisticsRules::quarterToTwice)
          .edges(
              LongStream.of(2_500, 5_000, 10_000, 15_000, 20_000)
                  .mapToObj(put -> Case.of(10_000, 0.1).withPut((int) put))
                  .toList());

  private static final Domain GROWN =
      Domain.everyFilter()
          .keys(300, 3_000)
          .rates(0.03, 0.5)
          .uniform()
          .draws(5)
          .each(StatisticsRules::tenfoldAndMore);

  /** So many hashes in filters for so few that estimates are useful however often these grew. */
  private static final Domain GROWN_FAR =
      Domain.everyFilter()
          .keys(10, 10_000)
          .rates(1e-5, 0.15)
          .uniform()
          .draws(12)
          .each(StatisticsRules::grownFar)
          .edges(List.of(Case.of(1_000, 0.01).withPut(20_000)));

  private static final Domain ESTIMATED =
      Domain.everyFilter()
          .keys(1_000, 200_000)
          .uniform()
          .each(StatisticsRules::halfToAll)
          .edges(List.of(Case.of(20_000, 0.01), Case.of(20_000, 0.01).withPut(10_000)));

  /** While few bits are set, nearly each is of one key, and a formula may leave out collisions. */
  private static final Domain SPARSE =
      Domain.everyFilter()
          .keys(10_000, 200_000)
          .uniform()
          .draws(4)
          .each(StatisticsRules::tenthToHalf)
          .edges(List.of(Case.of(20_000, 0.01).withPut(6_000)));

  /** The maximum number of hashes per bit, weighted by probes, for which estimates are useful. */
  private static final double MAX_LOAD = 3.5;

  private static final Domain OVERFULL =
      Domain.everyFilter()
          .keys(10_000, 30_000)
          .rates(1e-6, 0.1)
          .uniform()
          .draws(4)
          .edges(List.of(Case.of(20_000, 0.01)));

  private static final Domain FULL =
      Domain.everyFilter()
          .keys(1, 40)
          .rates(1e-3, 0.97)
          .uniform()
          .draws(8)
          .edges(new long[] {1, 20}, 0.5);

  private static final Domain SANE =
      Domain.everyFilter()
          .maxPut(50_000)
          .edges(
              List.of(
                  Case.of(100, 0.01).withPut(300),
                  Case.of(10_000, 0.01).withPut(30_000),
                  Case.of(20_000, 0.3).withPut(60_000)));

  private static final Domain EMPTY =
      Domain.everyFilter()
          .each(drawn -> drawn.withPut(0).withTimes(1))
          .edges(new long[] {1, 100, 10_000}, 0.01);

  /**
   * The permitted hits for each key and pair of bits. If the probes of a hash are an arithmetic
   * progression, all of them coincide with those of a key with a probability of 4 in the square of
   * the bits, and up to three times that with some of them in bits of other keys: bits that are set
   * do not show it.
   */
  private static final double COINCIDING = 16;

  /**
   * The permitted error of an estimate, in standard errors of one table: eight for tables of small
   * blocks, whose errors are up to 3.3 times as large, and an allowance for their bias.
   */
  private static final double DEVIATIONS = 30;

  public StatisticsRules(RuleContext context) {
    super(context);
  }

  public void theRateInStatsIsTheRateMeasured() {
    forAll(MEASURED, this::checkRate);
    if (Capability.GROWTH.isOfferedBy(subject().provider())) {
      // The rate of many tables is their joint rate.
      for (double rate : new double[] {0.3, 0.05}) {
        checkRate(Case.of(1_000, rate).withPut(7_000).withSeed(seed("r14/few")));
        checkRate(Case.of(1_000, rate).withPut(31_000).withSeed(seed("r14/many")));
      }
      forAll(GROWN, this::checkRate);
    }
  }

  private static Case quarterToTwice(Case drawn) {
    int put = (int) Math.max(drawn.keys() / 4, Math.min(drawn.put(), 2 * drawn.keys()));
    return drawn.withPut(Math.min(put, 200_000)).withTimes(1);
  }

  /** Returns a case with 10 to 40 times the expected keys, in four layers and more. */
  private static Case tenfoldAndMore(Case drawn) {
    double times = 10 * StrictMath.pow(4, new SplittableRandom(drawn.seed()).nextDouble());
    return drawn.withPut((int) (times * drawn.keys())).withTimes(1).withHistory(List.of());
  }

  private static Case grownFar(Case drawn) {
    double times = 2 * StrictMath.pow(20, new SplittableRandom(drawn.seed()).nextDouble());
    int put = (int) Math.max(10_000, Math.min(times * (double) drawn.keys(), 40_000));
    return drawn.withPut(put).withTimes(1).withHistory(List.of());
  }

  private void checkRate(Case drawn) {
    int wantedHits = tier().choose(20_000, 60_000, 60_000);
    int most = tier().choose(20_000, 2_000_000, 4_000_000, 4_000_000);
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    FilterPlan plan = subject().provider().plan(drawn.spec());
    FilterStats stats = filter.stats();
    double stated = stats.falsePositiveRate();
    int trials = (int) Math.max(tier().some(50_000), Math.min(most, wantedHits / stated));
    Hashes others = filled.others();
    long hits = subject().countFound(filter, others::next, trials);
    int keys = filled.hashes().length;
    // From release 19 on, Java prints all digits of some numbers differently.
    String what =
        String.format(Locale.ROOT, "%d of %d keys, stated rate %.6g", keys, drawn.keys(), stated);
    RateSample sample =
        new RateSample(what, keys, 1, plan.probes(), plan.sizeInBits(), trials, hits);
    double coinciding = COINCIDING * keys / stats.sizeInBits() / stats.sizeInBits();
    verdict().notAbove(Math.min(1, 1.05 * stated + coinciding), sample);
    verdict().notBelow(0.95 * stated, sample);
  }

  public void theEstimateOfKeysIsWithinFivePercent() {
    if (Capability.GROWTH.isOfferedBy(subject().provider())) {
      forAll(GROWN_FAR, this::checkGrownEstimate);
    }
    forAll(ESTIMATED, this::checkEstimate);
    if (canBeFull()) {
      // Unevenly filled blocks bias the estimate.
      forAll(OVERFULL, drawn -> checkEstimateWithin(0.15, overfilled(drawn)));
    }
    // The standard error is 0.3 % for one table, and below 0.8 % for tables of small blocks.
    checkEstimate(Case.of(10_000, 0.01).withSeed(seed("r15")), 500);
    checkEstimate(Case.of(10_000, 0.01).withPut(5_000).withSeed(seed("r15")), 250);
    forAll(SPARSE, this::checkEstimate);
  }

  private static Case halfToAll(Case drawn) {
    long put = Math.max((drawn.keys() + 1) / 2, Math.min(drawn.put(), drawn.keys()));
    return drawn.withPut((int) put);
  }

  private static Case tenthToHalf(Case drawn) {
    double share = 0.1 * StrictMath.pow(5, new SplittableRandom(drawn.seed()).nextDouble());
    return drawn.withPut((int) (share * drawn.keys()));
  }

  /** Fills a filter with three to seven times the expected keys, as long as some bits are clear. */
  private Case overfilled(Case drawn) {
    FilterPlan plan = subject().provider().plan(drawn.spec());
    double times = 3 + new SplittableRandom(drawn.seed()).nextDouble() * 4;
    double most = MAX_LOAD * (double) plan.sizeInBits() / plan.probes();
    return drawn.withPut((int) Math.min(times * (double) drawn.keys(), most)).withTimes(1);
  }

  private void checkEstimate(Case drawn) {
    checkEstimateWithin(0.05, drawn);
  }

  private void checkEstimateWithin(double share, Case drawn) {
    FilterPlan plan = subject().provider().plan(drawn.spec());
    double bits = plan.sizeInBits();
    double load = plan.probes() * drawn.put() / bits;
    double standardError =
        StrictMath.sqrt(bits * (StrictMath.exp(load) - load - 1)) / plan.probes();
    checkEstimate(drawn, Math.max(share * drawn.put(), DEVIATIONS * standardError));
  }

  private void checkEstimate(Case drawn, double allowed) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    long[] hashes = filled.hashes();
    OptionalLong estimate = filter.stats().approximateKeys();
    assertTrue(
        estimate.isPresent(),
        () -> "an estimate of " + hashes.length + " in " + Subject.text(filter));
    assertEquals(
        hashes.length,
        (double) estimate.getAsLong(),
        allowed,
        () -> "keys estimated in " + Subject.text(filter));
    subject().putMany(filter, Arrays.stream(hashes).iterator()::nextLong, hashes.length);
    assertEquals(estimate, filter.stats().approximateKeys(), "after the same hashes again");
  }

  private void checkGrownEstimate(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    int keys = filled.hashes().length;
    // Hashes found in an earlier layer are not put into a later one.
    double allowed = (0.05 + drawn.rate()) * keys + DEVIATIONS * Math.sqrt(keys);
    assertEquals(
        keys,
        (double) filled.filter().stats().approximateKeys().orElseThrow(),
        allowed,
        () -> "keys estimated in grown " + Subject.text(filled.filter()));
  }

  public void aFullFilterDoesNotEstimate() {
    boolean canBeFull = canBeFull();
    forAll(FULL, drawn -> checkFull(drawn, canBeFull));
    forAll(SANE, drawn -> checkRanges(new FilledFilter(subject(), drawn).filter().stats()));
  }

  private boolean canBeFull() {
    return !Capability.GROWTH.isOfferedBy(subject().provider())
        && !Capability.LIMIT.isOfferedBy(subject().provider());
  }

  private void checkFull(Case drawn, boolean canBeFull) {
    FilledFilter filled = new FilledFilter(subject(), drawn.withPut(0));
    Filter filter = filled.filter();
    int enough = hashesToFill(filter.stats().sizeInBits());
    Hashes hashes = filled.others();
    boolean isTaken = true;
    for (int round = 0; round < 20 && isTaken; round++) {
      isTaken = subject().putMany(filter, hashes::next, enough / 20 + 1);
      checkRanges(filter.stats());
    }
    // A limit may be higher than the number of keys that would reveal it.
    if (canBeFull && isTaken) {
      FilterStats full = filter.stats();
      assertEquals(full.sizeInBits(), full.setBits(), () -> "set bits when all must be: " + full);
      assertEquals(1, full.falsePositiveRate(), "rate when every hash is found");
    }
  }

  /**
   * Returns the number of hashes, each with one bit anywhere, after which no bit is clear except
   * with a probability of 1e-13. A block as large as a cache line takes more than 2,000.
   */
  private static int hashesToFill(long bits) {
    long most = Math.min(bits, 1 << 16); // another rule rejects more for so few keys
    return Math.max(2_000, (int) (most * (Math.log((double) most) + 30)));
  }

  private static void checkRanges(FilterStats stats) {
    assertTrue(stats.setBits() >= 0, () -> "set bits of " + stats);
    assertTrue(stats.fill() >= 0 && stats.fill() <= 1, () -> "fill of " + stats);
    double rate = stats.falsePositiveRate();
    assertTrue(rate >= 0 && rate <= 1, () -> "rate of " + stats);
    boolean full = stats.setBits() == stats.sizeInBits();
    assertEquals(full, stats.approximateKeys().isEmpty(), () -> "is there an estimate? " + stats);
    assertTrue(stats.approximateKeys().orElse(0) >= 0, () -> "estimate of " + stats);
  }

  public void anEmptyFilterHasEmptyStatistics() {
    forAll(EMPTY, this::checkEmpty);
  }

  private void checkEmpty(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    checkEmpty(filled.empty().stats());
    // Regardless of earlier content that is no longer present.
    Filter filter = filled.filter();
    checkEmpty(filter.stats());
    checkEmpty(filter.copy().stats());
    Subject.put(filter, filled.others().next(20));
    filter.clear();
    checkEmpty(filter.stats());
  }

  private static void checkEmpty(FilterStats stats) {
    assertEquals(0, stats.setBits(), "set bits");
    assertEquals(0, stats.falsePositiveRate(), "rate");
    assertEquals(OptionalLong.of(0), stats.approximateKeys(), "keys");
  }
}
