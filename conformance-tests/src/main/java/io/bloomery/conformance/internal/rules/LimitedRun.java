package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.Secrets;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A filter with limits under random operations, an equal one that is given only the accepted ones,
 * and an exact multiset of the expected content of both.
 */
final class LimitedRun {

  private static final int MAX_REFUSALS = 20;

  private static final int MAX_BATCH = 5_000;

  private final RuleContext context;
  private final ThreadMode mode;
  private final SplittableRandom random;
  private final LongIntHashMap contained = new LongIntHashMap();
  private final LongArrayList known = new LongArrayList(); // put at least once, and perhaps removed
  private FilterLimits limits;
  private Filter filter;
  private Filter accepted;
  private int refusals;

  LimitedRun(
      RuleContext context,
      FilterSpec spec,
      ThreadMode mode,
      FilterLimits limits,
      SplittableRandom random) {
    this.context = context;
    this.mode = mode;
    this.random = random;
    this.limits = limits;
    this.filter = context.provider().create(spec, mode, limits);
    this.accepted = context.provider().create(spec, mode, limits);
    checkLimits();
  }

  /**
   * Draws limits: with no further room, with room for a few more counts or layers, close to a power
   * of two, or beyond the range of an int.
   */
  static FilterLimits limits(long smallest, SplittableRandom random) {
    return FilterLimits.ofBytes(
        switch (random.nextInt(8)) {
          case 0, 1 -> smallest;
          case 2, 3 -> smallest + random.nextInt(100);
          case 4 -> Math.max(smallest, 2 * Long.highestOneBit(smallest) + random.nextInt(17) - 8);
          case 5 -> beyondInt(smallest, random);
          default -> smallest + random.nextLong(10 * smallest);
        });
  }

  private static long beyondInt(long smallest, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> Long.MAX_VALUE - random.nextInt(2);
      case 1 -> (1L << 32) + random.nextLong(2 * smallest);
      case 2 -> (1L << 31) - 2 + random.nextInt(5);
      default -> 1L << random.nextInt(32, 63);
    };
  }

  /** Performs this many operations, or as many until the filter has rejected some. */
  void check(int operations) {
    for (int i = 0; i < operations && refusals < MAX_REFUSALS; i++) {
      switch (random.nextInt(16)) {
        case 0 -> continueOnCopy();
        case 1 ->
            continueOnFile(random.nextInt(3) > 0 ? limits : limits(filter.payloadSize(), random));
        case 2 -> putBatch();
        case 3 -> merge();
        case 4, 5, 6 -> remove();
        case 7 -> clearSeldom();
        default -> put();
      }
      checkLimits();
    }
    checkContained();
    // A filter read with no additional room can only be queried.
    continueOnFile(FilterLimits.ofBytes(filter.payloadSize()));
    for (int i = 0; i < MAX_REFUSALS; i++) {
      put();
      checkLimits();
    }
    checkContained();
    int before = refusals;
    for (int i = 0; i < 10 * MAX_REFUSALS && refusals == before; i++) {
      put();
    }
    if (refusals > before) {
      long[] some = random.longs(4).toArray();
      if (!known.isEmpty()) {
        some[0] = known.get(0);
      }
      EveryCall.checkEqual(accepted, filter, some, random.nextLong(), "after a refused put");
    }
  }

  private void checkLimits() {
    assertEquals(limits, filter.limits(), () -> "limits of " + Subject.text(filter));
    assertTrue(
        filter.payloadSize() <= limits.maxBytes(),
        () ->
            filter.payloadSize()
                + " bytes in a filter with "
                + limits
                + ": "
                + Subject.text(filter));
  }

  private void checkContained() {
    for (LongIntCursor hash : contained) {
      assertTrue(
          filter.mightContain(hash.key), () -> hash.key + " is lost in " + Subject.text(filter));
    }
    context.evidence().found(contained.size());
  }

  /** Checks that a rejection has changed nothing, and was for lack of room. */
  private void checkRefused(FilterFullException refusal, Action action, long... passed) {
    refusals++;
    new Secrets(passed).checkNotIn(refusal);
    assertFalse(
        refusal.getMessage() == null || refusal.getMessage().isBlank(), "message of a refusal");
    assertArrayEquals(
        Subject.write(accepted), Subject.write(filter), () -> "bytes after refusing: " + refusal);
    Filter unlimited = read(FilterLimits.HEAP);
    try {
      action.apply(unlimited);
    } catch (FilterFullException e) {
      // The equal filter has a limit of its own, too.
      return;
    }
    assertTrue(
        unlimited.payloadSize() > limits.maxBytes(),
        () ->
            "there was room: "
                + unlimited.payloadSize()
                + " bytes of "
                + limits.maxBytes()
                + ", but "
                + refusal);
  }

  /** An operation on a filter. */
  private interface Action {
    void apply(Filter filter);
  }

  /** Performs an operation on the filter and, if it is accepted, on its equal. */
  private boolean isAccepted(Action action, long... passed) {
    try {
      action.apply(filter);
    } catch (FilterFullException e) {
      checkRefused(e, action, passed);
      return false;
    }
    action.apply(accepted);
    return true;
  }

  private long drawn() {
    return !known.isEmpty() && random.nextInt(3) == 0
        ? known.get(random.nextInt(known.size()))
        : random.nextLong();
  }

  private void add(long hash, int times) {
    if (contained.addTo(hash, times) == times) {
      known.add(hash);
    }
  }

  // Often enough, with some hashes, to exceed the highest count of small counters.
  private void put() {
    long hash = drawn();
    for (int times = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1; times > 0; times--) {
      boolean absent = !filter.mightContain(hash);
      if (!isAccepted(into -> assertEquals(absent, into.put(hash), "put of a hash"), hash)) {
        return;
      }
      add(hash, 1);
    }
  }

  private void putBatch() {
    // Sometimes as many as make a filter grow, or fill it.
    int most = (int) Math.min(MAX_BATCH, 4 * filter.spec().expectedKeys());
    long[] batch = new long[1 + random.nextInt(random.nextInt(4) == 0 ? Math.max(70, most) : 70)];
    Arrays.setAll(batch, i -> drawn());
    Filter singly = filter.copy();
    int added = 0;
    int done = 0;
    for (boolean taken = true; taken && done < batch.length; done += taken ? 1 : 0) {
      boolean absent = !singly.mightContain(batch[done]);
      taken = Subject.isTaken(singly, batch[done]);
      added += taken && absent ? 1 : 0;
    }
    int fitting = done;
    if (done == batch.length) {
      assertEquals(added, filter.putAll(batch, 0, done), "how many of a batch were new");
      accepted.putAll(batch, 0, done);
    } else {
      FilterFullException refusal =
          assertThrows(
              FilterFullException.class,
              () -> filter.putAll(batch, 0, batch.length),
              "a batch with one that does not fit");
      assertTrue(
          refusal.getMessage().contains(Integer.toString(fitting)),
          () -> "how many of a batch are in: " + refusal);
      accepted.putAll(batch, 0, done);
      checkRefused(refusal, into -> into.put(batch[fitting]), batch);
    }
    assertArrayEquals(Subject.write(singly), Subject.write(filter), "bytes after a batch");
    for (int i = 0; i < done; i++) {
      add(batch[i], 1);
    }
  }

  private void merge() {
    if (!(filter instanceof MergeableFilter)) {
      return;
    }
    Filter other = partner();
    long[] hashes = new long[1 + random.nextInt(10)];
    int[] counts = new int[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = drawn();
      counts[i] = 1 + random.nextInt(8);
      for (int times = 0; times < counts[i]; times++) {
        other.put(hashes[i]);
      }
    }
    byte[] before = Subject.write(other);
    if (isAccepted(into -> ((MergeableFilter) into).putAll(other), hashes)) {
      for (int i = 0; i < hashes.length; i++) {
        add(hashes[i], counts[i]);
      }
    }
    assertArrayEquals(before, Subject.write(other), "bytes of a filter merged from");
  }

  /** Returns a filter with limits of its own, or one read with limits. */
  private Filter partner() {
    Filter other = context.provider().create(filter.spec(), mode);
    return random.nextBoolean()
        ? other
        : context
            .subject()
            .readAs(
                filter.spec(),
                other,
                Subject.modeOf(random.nextInt()),
                limits(100 * filter.payloadSize(), random));
  }

  private void remove() {
    long hash = known.isEmpty() ? 0 : known.get(random.nextInt(known.size()));
    if (!(filter instanceof RemovableFilter) || !contained.containsKey(hash)) {
      return;
    }
    for (Filter from : new Filter[] {filter, accepted}) {
      assertTrue(((RemovableFilter) from).remove(hash), "remove of what is there");
    }
    if (contained.addTo(hash, -1) == 0) {
      contained.remove(hash);
    }
  }

  private void clearSeldom() {
    if (random.nextInt(8) == 0) {
      filter.clear();
      accepted.clear();
      contained.clear();
    }
  }

  /** Continues with a copy; later changes to the original must not affect it. */
  private void continueOnCopy() {
    Filter original = filter;
    filter = filter.copy();
    byte[] bytes = Subject.write(filter);
    assertEquals(limits, original.limits(), "limits of a filter that was copied");
    Subject.put(original, random.longs(20).toArray());
    original.clear();
    assertArrayEquals(bytes, Subject.write(filter), "bytes of a copy whose original was cleared");
  }

  private void continueOnFile(FilterLimits limits) {
    Filter read = read(limits);
    assertArrayEquals(Subject.write(filter), Subject.write(read), "bytes of a filter read");
    accepted = read(limits);
    filter = read;
    this.limits = limits;
  }

  private Filter read(FilterLimits limits) {
    return context.subject().readAs(filter.spec(), filter, mode, limits);
  }
}
