package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Secrets;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The rules on filters with a limit on keys or bytes. */
public final class LimitRules extends RuleGroup {

  /**
   * The permitted cost of a rejection, such as its message, for a filter that begins with a few
   * bytes.
   */
  private static final long SMALL_CHANGE = 1 << 16;

  /** The maximum number of hashes put into a filter until it is full. */
  private static final long MAX_PUT = 2_000_000;

  private static final Domain FULL =
      Domain.everyFilter().keys(1, 20_000).draws(12).edges(fullEdges());

  private static final Domain LIMITED = Domain.everyFilter().maxPut(500).draws(12).smallDraws(12);

  /**
   * The number of rejections of a spec after which compilation has removed the garbage of its plan.
   */
  private static final int WARM_UP = 20;

  public LimitRules(RuleContext context) {
    super(context);
  }

  private static List<Case> fullEdges() {
    List<Case> edges = new ArrayList<>();
    for (int keys : new int[] {1, 10, 500}) {
      for (ThreadMode mode : ThreadMode.values()) {
        edges.add(Case.of(keys, 0.01).withPut(0).withMode(mode));
      }
    }
    return edges;
  }

  public void aFullFilterRefusesAndStaysAsItIs() {
    forAll(FULL, this::checkFull);
  }

  private void checkFull(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    Hashes hashes = filled.others();
    long last = 0;
    long next = hashes.next();
    boolean isFull = false;
    for (long i = Math.min(1_000 * drawn.keys(), MAX_PUT); i > 0 && !isFull; i--) {
      isFull = !Subject.isTaken(filter, next);
      last = isFull ? last : next;
      next = isFull ? next : hashes.next();
    }
    if (!isFull || last == 0) {
      return; // only smaller filters have a limit, or its history filled it
    }
    byte[] full = Subject.write(filter);
    for (int i = 0; i < 20; i++) {
      long refused = hashes.next();
      if (!filter.mightContain(refused)) {
        checkRefused(filter, refused);
        checkBatch(filter.copy(), last, refused);
      }
    }
    assertArrayEquals(full, Subject.write(filter), () -> "bytes of a filter that refused");
    Filter read = subject().read(full, drawn.otherMode());
    assertArrayEquals(full, Subject.write(read), "bytes of a full filter");
    long refused = hashes.next();
    if (!read.mightContain(refused)) {
      checkRefused(read, refused);
      checkRefused(filter.copy(), refused);
    }
    assertArrayEquals(full, Subject.write(read), "bytes of a full filter read, after a refusal");
    assertTrue(filter.mightContain(last), "what was put last");
    assertFalse(filter.put(last), "a put of what is there");
    Filter equal = filter.copy();
    long[] some = {last, hashes.next(), hashes.next()};
    if (!Subject.isTaken(filter, absent(filter, hashes))) {
      EveryCall.checkEqual(equal, filter, some, drawn.seed(), "after a refused put");
    }
  }

  private static long absent(Filter filter, Hashes hashes) {
    long hash = hashes.next();
    while (filter.mightContain(hash)) {
      hash = hashes.next();
    }
    return hash;
  }

  private static void checkRefused(Filter filter, long hash) {
    FilterFullException refusal =
        assertThrows(FilterFullException.class, () -> filter.put(hash), "put into a full filter");
    new Secrets(hash).checkNotIn(refusal);
    assertFalse(filter.mightContain(hash), "a hash that was refused");
  }

  private static void checkBatch(Filter filter, long there, long refused) {
    Filter expected = filter.copy();
    expected.put(there);
    expected.put(there);
    long[] batch = {there, there, refused, there, refused};
    FilterFullException refusal =
        assertThrows(
            FilterFullException.class,
            () -> filter.putAll(batch, 0, batch.length),
            "a batch with one that does not fit");
    assertTrue(refusal.getMessage().contains("2"), () -> "how many are in: " + refusal);
    new Secrets(batch).checkNotIn(refusal);
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after what came before was put");
  }

  public void limitsAreKept() {
    for (ThreadMode mode : ThreadMode.values()) {
      checkRefusedBeforeMemoryIsTaken(mode);
    }
    SplittableRandom random = new SplittableRandom(seed("r78"));
    int cases = tier().choose(10, 140, 1_400, 1_400);
    for (int i = 0; i < cases; i++) {
      // Most are small, because a run writes hundreds of filters.
      double part = (i % 20 + random.nextDouble()) / 20;
      long keys = (long) StrictMath.pow(i % 20 == 19 ? 30_000 : 1_000, part);
      double rate = StrictMath.pow(Subject.ALWAYS_RATE / 0.9, random.nextDouble()) * 0.9;
      FilterSpec spec = FilterSpec.of(keys, Math.max(Subject.ALWAYS_RATE, rate));
      ThreadMode mode = Subject.modeOf(random.nextInt());
      Filter before = subject().provider().create(spec, mode);
      long smallest = smallest(before);
      checkTooLarge(spec, mode, smallest - 1);
      checkTooLarge(spec, mode, 1 + random.nextLong(smallest - 1));
      subject().checkCreates(before);
      if (subject().takesPuts()) {
        new LimitedRun(context(), spec, mode, LimitedRun.limits(smallest, random), random)
            .check((int) Math.min(200, 20 + 2 * keys));
      }
    }
    evidence().note(cases + " filters with limits");
    forAll(LIMITED, this::checkLimitsOfCopies);
  }

  private static long smallest(Filter empty) {
    long smallest = empty.payloadSize();
    assertTrue(
        smallest >= Long.BYTES,
        () ->
            "the content of a filter must have a word, but has "
                + smallest
                + " bytes: "
                + empty.spec());
    return smallest;
  }

  /** Checks the limits of what is derived from a filter that has some, and from that again. */
  private void checkLimitsOfCopies(Case drawn) {
    Filter filled = new FilledFilter(subject(), drawn).filter();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    FilterLimits limits = LimitedRun.limits(filled.payloadSize(), random);
    Filter filter = subject().readAs(drawn.spec(), filled, drawn.mode(), limits);
    checkLimits(limits, filter);
    filter.clear();
    checkLimits(limits, filter);
    checkLimits(limits, subject().provider().create(drawn.spec(), drawn.mode(), limits));
  }

  private static void checkLimits(FilterLimits limits, Filter filter) {
    assertEquals(limits, filter.limits(), () -> "limits of " + Subject.text(filter));
    assertEquals(
        limits, filter.copy().limits(), () -> "limits of a copy of " + Subject.text(filter));
    assertEquals(limits, filter.copy().copy().limits(), () -> "limits of its copy's copy");
  }

  private void checkTooLarge(FilterSpec spec, ThreadMode mode, long maxBytes) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> subject().provider().create(spec, mode, FilterLimits.ofBytes(maxBytes)),
            () -> "creating a filter for " + spec + " with at most " + maxBytes + " bytes");
    assertTrue(refusal.getMessage().length() > 20, () -> "reason for refusing " + spec);
  }

  private void checkRefusedBeforeMemoryIsTaken(ThreadMode mode) {
    FilterSpec spec = FilterSpec.of(Subject.ALWAYS_KEYS, Subject.ALWAYS_RATE);
    // The final serialised form of a filter may be larger than the initial one.
    long smallest = smallest(subject().provider().create(spec, mode));
    for (long maxBytes : new long[] {1, Math.max(1, smallest / 2), smallest - 1}) {
      long allowed = Math.max(smallest / 2, SMALL_CHANGE) + subject().allocatedByPlan(spec);
      // A plan may leave garbage until it is compiled, for example by each StrictMath.pow.
      long least =
          Allocation.least(WARM_UP, allowed - 1, () -> checkTooLarge(spec, mode, maxBytes));
      assertTrue(
          least < allowed,
          () ->
              least
                  + " bytes were allocated before refusing to create "
                  + smallest
                  + ", where less than "
                  + allowed
                  + " are allowed");
    }
  }
}
