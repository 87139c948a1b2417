package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Sampling;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The rules on membership queries. */
public final class MembershipRules extends RuleGroup {

  private static final Domain FOUND =
      Domain.everyFilter()
          .maxPut(50_000)
          .smallDraws(24)
          .edges(new long[] {1, 2, 3, 63, 64, 65, 100, 1_000}, 0.999_999, 0.5, 0.01, 1e-4)
          .edges(List.of(LifeRules.BEYOND_TWO_BYTES));

  private static final Domain EXTREME =
      Domain.everyFilter().maxPut(5_000).edges(new long[] {1, 100, 10_000}, 0.01);

  private static final Domain ANSWERED =
      Domain.everyFilter()
          .maxPut(20_000)
          .smallDraws(24)
          .edges(new long[] {10, 1_000, 20_000}, 0.5)
          .edges(new long[] {10, 1_000}, 0.01, 1e-4, 1e-6);

  private static final Domain EMPTY =
      Domain.everyFilter().edges(new long[] {1, 100, 10_000}, 0.999_999, 0.5, 0.01);

  /** Zero, minus one, the ends of the range, powers of two, and these from the other end. */
  private static final long[] EXTREMES = extremes();

  private static final int SOME_EXTREMES = 40;

  /** The maximum size of a filter up to which each extreme hash gets its own. */
  private static final int MAX_BYTES_OF_MANY = 1 << 14;

  /** The maximum number of hashes in a batch that contains an extreme one. */
  private static final int MAX_AMONG = 100;

  private static final int MAX_ANSWERS = 20_000;
  private static final int MORE_ANSWERS = 1_000;
  private static final int MAX_ABSENT = 8_000;
  private static final String OTHER_HASH = "conformance/other";

  private static final Domain TOLD_APART =
      Domain.everyFilter()
          .keys(1_000, 200_000)
          .rates(1e-6, 1e-3)
          .filled()
          .uniform()
          .each(drawn -> drawn.withTimes(1))
          .edges(new long[] {1_000}, 1e-6, 1e-5, 2e-4, 1e-3)
          .edges(List.of(Case.of(1_000, 1e-3).withHashId(OTHER_HASH)));

  /** The number of hashes that are queried as soon as they are put. */
  private static final int AT_ONCE = 3_000;

  private static final int AT_ONCE_IN_FILLED = 300;

  public MembershipRules(RuleContext context) {
    super(context);
  }

  public void everyHashPutIsFoundAtEverySize() {
    forAll(FOUND, this::checkAllFound);
  }

  private void checkAllFound(Case drawn) {
    FilledFilter empty = new FilledFilter(subject(), drawn.withPut(0));
    if (subject().takesPuts()) {
      checkFoundAtOnce(empty, Math.min(drawn.put(), AT_ONCE));
    }
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = filled.hashes();
    Subject.checkFound(filled.filter(), hashes);
    int[] hits = new int[hashes.length];
    assertEquals(
        hashes.length,
        filled.filter().select(hashes, 0, hashes.length, hits),
        () -> "hashes found by select in " + Subject.text(filled.filter()));
    evidence().found(2L * hashes.length);
    if (subject().takesPuts()) {
      checkFoundAtOnce(filled, tier().some(AT_ONCE_IN_FILLED));
    }
  }

  private static void checkFoundAtOnce(FilledFilter filled, int count) {
    Hashes others = filled.others();
    for (int i = 0; i < count; i++) {
      long hash = others.next();
      if (Subject.isTaken(filled.filter(), hash)) {
        assertTrue(
            filled.filter().mightContain(hash),
            () -> "hash " + hash + " is lost at once in " + Subject.text(filled.filter()));
      }
    }
  }

  public void extremeHashesCanBePutAndAreFound() {
    forAll(EXTREME, this::checkExtremes);
  }

  /**
   * Puts them into empty filters, one into each if these are small, and into the filter of a case.
   */
  private void checkExtremes(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    boolean isSmall =
        tier().isAtLeast(Tier.QUICK) && filled.filter().payloadSize() <= MAX_BYTES_OF_MANY;
    Filter empty = filled.empty();
    long[] extremes = extremes(drawn);
    for (long hash : extremes) {
      checkExtreme(empty, hash);
      checkExtreme(filled.filter(), hash);
      if (isSmall) {
        empty = filled.empty();
      }
    }
    Filter batched = filled.empty();
    try {
      batched.putAll(EXTREMES, 0, EXTREMES.length);
    } catch (FilterFullException e) {
      return; // it may have a limit
    }
    for (long hash : EXTREMES) {
      assertTrue(
          batched.mightContain(hash),
          () -> "hash " + hash + " of a batch is lost in " + Subject.text(batched));
    }
    assertEquals(
        EXTREMES.length,
        batched.select(EXTREMES, 0, EXTREMES.length, new int[EXTREMES.length]),
        () -> "extreme hashes found by select in " + Subject.text(batched));
    checkAmongOthers(filled, drawn, extremes);
  }

  /** Returns all, or some random ones if calls are slow. */
  private long[] extremes(Case drawn) {
    return tier().isAtLeast(Tier.QUICK)
        ? EXTREMES
        : new SplittableRandom(drawn.seed())
            .ints(SOME_EXTREMES, 0, EXTREMES.length)
            .mapToLong(i -> EXTREMES[i])
            .toArray();
  }

  /** Puts each at the start, within and at the end of a batch of others, and queries it there. */
  private static void checkAmongOthers(FilledFilter filled, Case drawn, long... extremes) {
    int length = (int) Math.max(2, Math.min(Math.min(drawn.length(), drawn.keys()), MAX_AMONG));
    long batches = Math.max(1, drawn.keys() / length); // until the filter has the expected keys
    int from = drawn.from() % MAX_AMONG;
    for (int at : new int[] {from, from + length / 2, from + length - 1}) {
      Filter filter = filled.empty();
      for (int i = 0; i < extremes.length; i++) {
        if (i % batches == 0) {
          filter.clear();
        }
        long[] batch = filled.others().next(from + length);
        batch[at] = extremes[i];
        try {
          filter.putAll(batch, from, batch.length);
        } catch (FilterFullException e) {
          return; // it may have a limit
        }
        checkAmong(filter, batch, from, at);
      }
    }
  }

  private static void checkAmong(Filter filter, long[] batch, int from, int at) {
    int length = batch.length - from;
    assertTrue(
        filter.mightContain(batch[at]),
        () ->
            "hash "
                + batch[at]
                + ", number "
                + (at - from)
                + " of "
                + length
                + ", in "
                + Subject.text(filter));
    assertEquals(
        length,
        filter.select(batch, from, batch.length, new int[length]),
        () -> "found by select of a batch with hash " + batch[at] + " in " + Subject.text(filter));
  }

  private static void checkExtreme(Filter filter, long hash) {
    if (Subject.isTaken(filter, hash)) {
      assertTrue(
          filter.mightContain(hash), () -> "hash " + hash + " is lost in " + Subject.text(filter));
    }
  }

  private static long[] extremes() {
    return LongStream.concat(
            LongStream.of(0, Long.MAX_VALUE),
            IntStream.range(0, Long.SIZE)
                .mapToObj(i -> LongStream.of(1L << i, -1L << i, ~(1L << i)))
                .flatMapToLong(hashes -> hashes))
        .toArray();
  }

  public void putReturnsTheOppositeOfMightContain() {
    forAll(ANSWERED, this::checkAnswers);
  }

  /**
   * Fills an empty filter, and continues with the filter of a case, by hashes that are present or
   * absent.
   */
  private void checkAnswers(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter empty = filled.empty();
    long[] hashes = filled.hashes();
    checkAnswers(empty, Arrays.copyOf(hashes, Math.min(hashes.length, MAX_ANSWERS)));
    long[] asked = filled.others().next(2 * tier().some(MORE_ANSWERS));
    if (hashes.length > 0) {
      for (int i = 1; i < asked.length; i += 2) {
        asked[i] = hashes[(int) ((long) i * hashes.length / asked.length)];
      }
    }
    checkAnswers(filled.filter(), asked);
  }

  private static void checkAnswers(Filter filter, long[] asked) {
    for (long hash : asked) {
      checkAnswer(filter, hash);
    }
  }

  private static void checkAnswer(Filter filter, long hash) {
    boolean absent = !filter.mightContain(hash);
    try {
      assertEquals(
          absent, filter.put(hash), () -> "put of " + hash + " into " + Subject.text(filter));
      assertTrue(
          filter.mightContain(hash),
          () -> hash + ", absent before, is lost in " + Subject.text(filter));
      assertFalse(
          filter.put(hash), () -> "second put of " + hash + " into " + Subject.text(filter));
    } catch (FilterFullException e) {
      // The filter may have a limit.
    }
  }

  public void anEmptyFilterContainsNothing() {
    forAll(EMPTY, this::checkEmpty);
  }

  private void checkEmpty(Case drawn) {
    Filter filter = subject().provider().create(drawn.spec(), drawn.mode());
    Hashes uniform = new Hashes(drawn.seed());
    long[] absent = Arrays.copyOf(EXTREMES, EXTREMES.length + tier().some(MAX_ABSENT));
    for (int i = EXTREMES.length; i < absent.length; i++) {
      long hash = uniform.next();
      // Hashes with a pattern set different bits than uniform ones: half of each.
      absent[i] = (i & 1) == 0 ? hash : drawn.pattern().hash(hash, i);
    }
    for (long hash : absent) {
      assertFalse(
          filter.mightContain(hash), () -> "hash " + hash + " in empty " + Subject.text(filter));
    }
    assertEquals(
        0,
        filter.select(absent, 0, absent.length, new int[absent.length]),
        () -> "hashes found by select in empty " + Subject.text(filter));
  }

  public void hashesThatAgreeInThirtyTwoBitsAreToldApart() {
    double rate =
        DoubleStream.of(1e-6, 1e-5, 2e-4)
            .filter(low -> subject().planIfOffered(1 << 19, low).isPresent())
            .findFirst()
            .orElse(1e-3);
    forAll(TOLD_APART, this::checkParts);
    if (tier().isAtLeast(Tier.QUICK)) {
      checkDigest(rate, FilterSpec.RAW);
      checkDigest(rate, OTHER_HASH);
    } else {
      evidence().note("digests of 32 bits show in filters of more keys than this tier puts");
    }
  }

  // Each query differs from a hash that was put in all bits on one side of a bit. If these bits
  // were not used, all queries would be hits; queries in the same block or word are still rarely
  // hits. A single changed bit may not change the positions in a small filter.
  private void checkParts(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    Hashes hashes = filled.others();
    long[] put = Arrays.copyOf(filled.hashes(), Math.min(filled.hashes().length, 300));
    // A block contains many bits of the hash that was put, and at higher rates few other bits are
    // read.
    int most = drawn.rate() <= 1e-5 ? put.length / 10 : put.length / 2;
    for (int bit = 0; bit < Long.SIZE; bit++) {
      long single = 1L << bit;
      if (bit >= 16) {
        checkDifference(
            filter, put, i -> (hashes.next() & (single - 1)) | 1, most, "bits below " + bit);
      }
      if (bit <= Long.SIZE - 16) {
        checkDifference(
            filter, put, i -> (hashes.next() & -single) | Long.MIN_VALUE, most, "bits from " + bit);
      }
    }
  }

  private void checkDifference(
      Filter filter, long[] put, IntToLongFunction difference, int most, String what) {
    PrimitiveIterator.OfLong differing =
        IntStream.range(0, put.length)
            .mapToLong(i -> put[i] ^ difference.applyAsLong(i))
            .iterator();
    long found = subject().countFound(filter, differing::nextLong, put.length);
    assertTrue(
        found < most,
        () -> found + " of " + put.length + " are found that differ from a hash put in " + what);
  }

  // A digest of w bits adds n N / 2^w hits to the N p of the filter itself: 32 for 32 bits.
  private void checkDigest(double rate, String hashId) {
    int size = tier().choose(1 << 18, 1 << 23, 1 << 23);
    int trials = tier().choose(1 << 19, 1 << 24, 1 << 26);
    FilterSpec spec = FilterSpec.of(size, rate, hashId);
    Sampling sampling = new Sampling(context(), spec, size, 1, trials);
    RateSample sample = sampling.take("r05/digest");
    verdict().notAbove(RateBound.of(sampling.plan(), sample), sample);
  }
}
