package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Offer;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Filters for races. Writers to a large table are separated by stripes, one per KiB up to some
 * number, so that a fault in one number of stripes need not show in another: tables of each class
 * are drawn, besides all others.
 */
public final class StripedTables {

  /** The minimum sizes of tables in KiB; the maximum is less than twice that. */
  private static final int[] CLASSES = {1, 4, 16, 64, 128, 256, 2_400};

  /** Steps that may create another table, or other stripes: the race then needs both. */
  private static final List<Step> STEPS =
      List.of(Step.COPY, Step.READ, Step.CLEAR, Step.MERGE, Step.MERGE_INTO_OTHER, Step.BATCH);

  /** The size in bits above which a table counts as large: 1 MiB. */
  private static final long LARGE = 1L << 23;

  private static final double HIGHEST_RATE = 0.1;
  private static final double LOWEST_RATE = 1e-6;

  private StripedTables() {}

  /**
   * Returns shared filters with a table of each class, each with three steps of a history and each
   * step in three of them, and {@code draws} further ones.
   *
   * @param maxPut the maximum number of hashes put, never more than expected
   */
  public static Domain domain(RuleContext context, String purpose, int draws, int maxPut) {
    Offer offer = context.subject().offer();
    SplittableRandom random = new SplittableRandom(context.seed(purpose + "/stripes"));
    List<Step> steps = new ArrayList<>(STEPS);
    Collections.shuffle(steps, new Random(random.nextLong()));
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < CLASSES.length; i++) {
      int kibibytes = CLASSES[i];
      long bits = (long) (kibibytes * (1 + random.nextDouble()) * 1024 * Byte.SIZE);
      double rate = HIGHEST_RATE * Math.pow(LOWEST_RATE / HIGHEST_RATE, random.nextDouble());
      if (offer.plan(1_000, rate).isEmpty()) {
        rate = Math.max(rate, Subject.ALWAYS_RATE);
      }
      cases.add(Case.of(keysOf(offer, bits, rate), rate).withHistory(threeFrom(i, steps)));
    }
    // Counting takes several times as long.
    int limit = Capability.REMOVAL.isOfferedBy(context.provider()) ? maxPut / 3 : maxPut;
    return Domain.everyFilter()
        .keys(10, 100_000)
        .rates(LOWEST_RATE, 0.5)
        .draws(draws)
        .maxPut(limit)
        .edges(cases)
        .each(drawn -> shared(drawn, limit));
  }

  /** Returns the number of rounds of a tier, reduced for large tables, which take long to copy. */
  public static int rounds(RuleContext context, Case drawn, int quick, int full, int nightly) {
    long bits = context.subject().plan(drawn.keys(), drawn.rate()).sizeInBits();
    return Math.max(1, context.tier().choose(quick, full, nightly) / (bits > LARGE ? 5 : 1));
  }

  private static List<Step> threeFrom(int first, List<Step> steps) {
    return IntStream.range(first, first + 3).mapToObj(i -> steps.get(i % steps.size())).toList();
  }

  /** Returns a case in which two threads may use the filter, and neither fills it. */
  public static Case shared(Case drawn, int maxPut) {
    int put = (int) Math.min(Math.min(drawn.put(), maxPut), drawn.keys());
    return drawn
        .withMode(ThreadMode.SHARED)
        .withTimes(1)
        .withPut(put)
        .withHistory(
            drawn.history().stream().filter(step -> step != Step.READ_IN_OTHER_MODE).toList());
  }

  /** Returns the minimum number of keys whose filter has this many bits. */
  private static long keysOf(Offer offer, long bits, double rate) {
    long enough = 1;
    while (bits(offer, enough, rate) < bits) {
      enough *= 2;
    }
    for (long step = enough / 4; step > 0; step /= 2) {
      if (bits(offer, enough - step, rate) >= bits) {
        enough -= step;
      }
    }
    return enough;
  }

  private static long bits(Offer offer, long keys, double rate) {
    return offer.plan(keys, rate).map(FilterPlan::sizeInBits).orElse(Long.MAX_VALUE);
  }
}
