package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Folding;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.spi.TableLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The rules on bit positions: in tables too large to build, and in those that are folded. */
public final class PositionRules extends RuleGroup {

  /**
   * A number of bits that is a whole number of words and blocks, and of the regions that are
   * counted.
   */
  private static final long UNIT = 1L << 12;

  /**
   * Sizes in bits around which arithmetic is likely to fail. Tables have the next multiple of
   * {@link #UNIT} bits for each probe, so that no part of them is unused.
   */
  private static final List<Long> SIZES =
      List.of(
          1L,
          1L << 20,
          (1L << 31) - UNIT * TableLayout.MAX_PROBES,
          (1L << 31) + 1,
          1L << 32,
          3L << 31,
          (1L << 33) + 1,
          1L << 37,
          137_000_000_000L,
          1L << 40);

  private static final Domain NAMED =
      Domain.everyFilter().maxPut(30_000).edges(new long[] {1, 100, 3_000}, 0.5, 0.1, 0.01, 1e-3);

  private static final Domain FOLDED =
      Domain.everyFilter()
          .keys(1, 300_000)
          .maxPut(20_000)
          .draws(12)
          .smallDraws(24)
          .edges(new long[] {1, 100, 3_000, 20_000}, 0.5, 0.1, 0.01, 1e-3)
          .edges(List.of(Case.of(300_000, 0.005).withPut(3_000)));

  /** The number of factors that a filter is folded by, if it has as many. */
  private static final int FACTORS = 4;

  public PositionRules(RuleContext context) {
    super(context);
  }

  private long[] positions(long hash, long bits, int probes) {
    return subject().provider().positions(hash, bits, probes).orElseThrow();
  }

  public void positionsAreEvenAtEverySize() {
    forAll(NAMED, this::checkNamed);
    int probes = subject().plan(10_000, 0.01).probes();
    for (long size : SIZES) {
      checkEven(size, probes, tier().choose(100_000, 100_000, 5_000_000, 5_000_000));
    }
    SplittableRandom random = new SplittableRandom(seed("r71"));
    int draws = tier().choose(6, 6, 20, 20);
    for (int i = 0; i < draws; i++) {
      double power = 20 + 20 * (i + random.nextDouble()) / draws;
      double rate = StrictMath.pow(10, -3 * random.nextDouble());
      int drawnProbes = subject().plan(10_000, Math.min(rate, 0.97)).probes();
      checkEven(
          (long) StrictMath.pow(2, power),
          drawnProbes,
          tier().choose(100_000, 100_000, 5_000_000, 5_000_000));
    }
    for (double rate : new double[] {0.1, 1e-3}) {
      subject().planIfOffered(10_000, rate).ifPresent(plan -> checkApart(plan.probes()));
    }
  }

  // Among 2^32 choices or fewer, some hundred thousand coincide by chance; among the number
  // required for a large table hardly any two do.
  private void checkApart(int probes) {
    long bits = whole(1L << 40, probes);
    long[] choices = new long[600_000];
    Hashes random = hashes("r71/apart");
    for (int i = 0; i < choices.length; i++) {
      choices[i] = positions(random.next(), bits, probes)[i % probes];
    }
    uniformity().apart(choices, (double) bits, "positions in a table of " + bits + " bits");
  }

  private static long whole(long bits, int probes) {
    long multiple = UNIT * probes;
    return (bits + multiple - 1) / multiple * multiple;
  }

  // If the reported positions are those in use, they determine exactly which hashes are found.
  private void checkNamed(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    int probes = subject().provider().plan(drawn.spec()).probes();
    long bits = filter.stats().sizeInBits();
    LongHashSet set = new LongHashSet();
    for (long hash : filled.hashes()) {
      set.addAll(positions(hash, bits, probes));
    }
    assertEquals(set.size(), filter.stats().setBits(), () -> "bits set by " + Subject.text(filter));
    for (long hash : filled.others().next(tier().some(2_000))) {
      boolean found = Arrays.stream(positions(hash, bits, probes)).allMatch(set::contains);
      assertEquals(
          found, filter.mightContain(hash), () -> "is " + hash + " in " + Subject.text(filter));
    }
  }

  public void aFoldedFilterIsTheFilterOfItsLayout() {
    forAll(FOLDED, this::checkFolded);
  }

  private void checkFolded(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    FilledFilter filled = new FilledFilter(subject(), drawn, DrawnAttributes.of(random));
    MergeableFilter filter = (MergeableFilter) filled.filter();
    byte[] before = Subject.write(filter);
    Folding folding = filter.folding();
    int[] factors = folding.factors();
    for (int i = 0; i < Math.min(FACTORS, factors.length); i++) {
      // The greatest, the least, and others.
      int index = i < 2 ? i * (factors.length - 1) : random.nextInt(factors.length);
      checkFolded(filled, factors[index]);
    }
    int largest = factors.length == 0 ? 1 : factors[factors.length - 1];
    for (int factor : new int[] {Integer.MIN_VALUE, -1, 0, largest + 1, Integer.MAX_VALUE}) {
      String reason = folding.refusal(factor).orElse("");
      assertFalse(reason.isBlank(), () -> "no reason not to fold by " + factor);
      assertThrows(IllegalArgumentException.class, () -> filter.folded(factor), reason);
    }
    assertArrayEquals(before, Subject.write(filter), "the filter that was folded");
  }

  private void checkFolded(FilledFilter filled, int factor) {
    MergeableFilter filter = (MergeableFilter) filled.filter();
    MergeableFilter folded = filter.folded(factor);
    FilterSpec spec = folded.spec();
    String what = filter + " folded by " + factor;
    assertEquals(
        FilterSpec.of(
                filter.spec().expectedKeys(), spec.falsePositiveRate(), filter.spec().hashId())
            .withAttributes(filter.spec().attributes()),
        spec,
        what);
    assertEquals(filter.limits(), folded.limits(), what);
    assertTrue(filter.payloadSize() / factor >= folded.payloadSize(), what);
    assertEquals(filter.getClass(), folded.getClass(), what);
    Filter expected = folded.copy();
    expected.clear();
    checkRate(expected.copy(), what);
    assertEquals(
        filled.hashes().length,
        folded.select(filled.hashes(), 0, filled.hashes().length, new int[filled.hashes().length]),
        () -> "hashes found in " + what);
    // A limit of fewer bits than those of all hashes refuses some, though folding keeps them.
    if (!Subject.put(expected, filled.hashes())) {
      return;
    }
    assertArrayEquals(Subject.write(expected), Subject.write(folded), what);
    assertArrayEquals(
        Subject.write(expected), Subject.write(subject().read(Subject.write(folded))), what);
    // What is folded remains a filter of its own.
    MergeableFilter union = (MergeableFilter) expected;
    long[] others = filled.others().next(20);
    Filter partner = filled.partner(new long[0], others.length);
    if (!Subject.put(union, others)) {
      return;
    }
    folded.putAll(((MergeableFilter) partner).folded(factor));
    assertArrayEquals(Subject.write(union), Subject.write(folded), () -> "a merge into " + what);
  }

  /** Fills an empty filter with the expected keys, and asks for others. */
  private void checkRate(Filter empty, String what) {
    int keys = (int) Math.min(empty.spec().expectedKeys(), tier().some(20_000));
    int probes = empty.layout().toMap().getOrDefault("probes", 1L).intValue();
    Hashes random = hashes("r85/" + keys);
    if (!Subject.put(empty, random.next(keys))) {
      return;
    }
    int trials = tier().some(2_000);
    long hits = subject().countFound(empty, random::next, trials);
    RateSample sample =
        new RateSample(what, keys, 1, probes, empty.stats().sizeInBits(), trials, hits);
    double bound = empty.spec().falsePositiveRate() * (1 + RateBound.slack(sample));
    if (bound < 1) {
      verdict().notAbove(bound, sample);
    }
  }

  private void checkEven(long size, int probes, int hashes) {
    long bits = whole(size, probes);
    long[] regions = new long[1_024];
    long[] bitsOfWords = new long[Long.SIZE];
    long lowest = bits;
    long highest = 0;
    Hashes random = hashes("r71/" + bits);
    for (int i = 0; i < hashes; i++) {
      long hash = random.next();
      long[] positions = positions(hash, bits, probes);
      assertEquals(probes, positions.length, "positions of a hash");
      for (long position : positions) {
        assertTrue(
            position >= 0 && position < bits,
            () -> "position " + position + " of " + hash + " must be below " + bits);
        lowest = Math.min(lowest, position);
        highest = Math.max(highest, position);
      }
      // One position per hash: those of the same hash need not be independent.
      long one = positions[i % probes];
      regions[(int) (one / (bits / regions.length))]++;
      bitsOfWords[(int) (one % Long.SIZE)]++;
    }
    long first = lowest;
    long last = highest;
    // The highest of N positions is lower than the end by a fraction of 28/N with a probability of
    // 1e-12.
    long unused = Long.SIZE + bits / (hashes / 32);
    assertTrue(first <= unused, () -> "the lowest position is " + first + " of " + bits);
    assertTrue(last >= bits - unused, () -> "the highest position is " + last + " of " + bits);
    // If blocks overlap, the words at both ends are in half as many blocks as all others.
    int end = (int) ((Long.SIZE - 1) / (bits / regions.length)) + 1;
    uniformity()
        .even(
            Arrays.copyOfRange(regions, end, regions.length - end),
            "positions in a table of " + bits + " bits, but for its ends");
    uniformity().even(bitsOfWords, "positions within words of a table of " + bits + " bits");
  }
}
