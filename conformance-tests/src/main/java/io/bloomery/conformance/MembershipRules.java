package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.cases.Case;
import io.bloomery.conformance.cases.Domain;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.DoubleStream;

/** What is in a filter, and what is not. */
final class MembershipRules extends Topic {

  private static final Domain FOUND =
      Domain.everyFilter()
          .edges(new long[] {1, 2, 3, 63, 64, 65, 100, 1_000}, 0.999_999, 0.5, 0.01, 1e-4);

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

  /** How many hashes are looked for as soon as they are put. */
  private static final int AT_ONCE = 3_000;

  MembershipRules(RuleContext context) {
    super(context);
  }

  void everyHashPutIsFoundAtEverySize() {
    forAll(FOUND, this::checkAllFound);
  }

  private void checkAllFound(Case drawn) {
    checkFoundAtOnce(drawn);
    Given given = new Given(subject(), drawn);
    long[] hashes = given.hashes();
    for (long hash : hashes) {
      assertTrue(
          given.filter().mightContain(hash),
          () -> "hash " + hash + " is lost in " + given.filter());
    }
    int[] hits = new int[hashes.length];
    assertEquals(
        hashes.length,
        given.filter().select(hashes, 0, hashes.length, hits),
        () -> "hashes found by select in " + given.filter());
    evidence().found(2L * hashes.length);
  }

  private void checkFoundAtOnce(Case drawn) {
    Given given = new Given(subject(), drawn.withPut(0));
    Hashes others = given.others();
    for (int i = Math.min(drawn.put(), AT_ONCE); i > 0; i--) {
      long hash = others.next();
      if (Subject.isTaken(given.filter(), hash)) {
        assertTrue(
            given.filter().mightContain(hash),
            () -> "hash " + hash + " is lost at once in " + given.filter());
      }
    }
  }

  void extremeHashesCanBePutAndAreFound() {
    for (int size : new int[] {1, 100, 10_000}) {
      checkExtreme(size, 0);
      checkExtreme(size, Long.MAX_VALUE);
      for (int shift = 0; shift < Long.SIZE; shift++) {
        checkExtreme(size, 1L << shift);
        checkExtreme(size, -1L << shift);
        checkExtreme(size, ~(1L << shift));
      }
    }
  }

  private void checkExtreme(int size, long hash) {
    Filter filter = subject().create(size, 0.01);
    filter.put(hash);
    assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
  }

  void putReturnsTheOppositeOfMightContain() {
    for (int size : new int[] {10, 1_000, 20_000}) {
      // Every other hash is a false positive in the end, so that both answers are seen.
      Filter filter = subject().create(size, 0.5);
      for (long hash : hashes("r03", size)) {
        boolean absent = !filter.mightContain(hash);
        assertEquals(absent, filter.put(hash), () -> "put of " + hash + " into " + filter);
        assertFalse(filter.put(hash), () -> "second put of " + hash + " into " + filter);
      }
    }
  }

  void anEmptyFilterContainsNothing() {
    for (int size : new int[] {1, 100, 10_000}) {
      Filter filter = subject().create(size, 0.5);
      for (long hash : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertFalse(filter.mightContain(hash), () -> "hash " + hash + " in empty " + filter);
      }
      for (long hash : hashes("r04", 10_000)) {
        assertFalse(filter.mightContain(hash), () -> "hash " + hash + " in empty " + filter);
      }
    }
  }

  void hashesThatAgreeInThirtyTwoBitsAreToldApart() {
    double rate =
        DoubleStream.of(1e-6, 1e-5, 2e-4)
            .filter(low -> subject().planIfOffered(1 << 19, low).isPresent())
            .findFirst()
            .orElse(1e-3);
    forAll(TOLD_APART, this::checkParts);
    checkDigest(rate, FilterSpec.RAW);
    checkDigest(rate, OTHER_HASH);
  }

  // Each probe differs from a hash that was put in all bits on one side of a bit. Were these bits
  // not used, all probes would hit; those that fall into the same block or word still hit rarely. A
  // single bit may well leave a small filter's positions where they were.
  private void checkParts(Case drawn) {
    Given given = new Given(subject(), drawn);
    Filter filter = given.filter();
    Hashes hashes = given.others();
    long[] put = Arrays.copyOf(given.hashes(), Math.min(given.hashes().length, 300));
    // A block has many bits of the hash that was put, and at higher rates few others are looked at.
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

  private static void checkDifference(
      Filter filter, long[] put, IntToLongFunction difference, int most, String what) {
    int hits = 0;
    for (int i = 0; i < put.length; i++) {
      hits += filter.mightContain(put[i] ^ difference.applyAsLong(i)) ? 1 : 0;
    }
    int found = hits;
    assertTrue(
        found < most,
        () -> found + " of " + put.length + " are found that differ from a hash put in " + what);
  }

  // A digest of w bits adds n N / 2^w hits to the N p of the filter itself: 32 for 32 bits.
  private void checkDigest(double rate, String hashId) {
    int size = tier().choose(1 << 18, 1 << 23, 1 << 23);
    int trials = tier().choose(1 << 19, 1 << 26, 1 << 26);
    FilterSpec spec = FilterSpec.of(size, rate, hashId);
    Sampling sampling = new Sampling(context(), spec, size, 1, trials);
    RateSample sample = sampling.take("r05/digest");
    verdict().notAbove(RateBound.of(sampling.plan(), sample), sample);
  }
}
