package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** A counting filter with one drawn fault, and right in all else. */
public final class FaultyCounts extends CountingReference implements FaultWindow.Situation {

  private final CountFault.Drawn drawn;
  private final CountFault fault; // null outside of the window
  private final Set<Step> past = EnumSet.noneOf(Step.class);

  private FaultyCounts(Shape shape, CountFault.Drawn drawn) {
    super(shape);
    this.drawn = drawn;
    this.fault =
        drawn.fault() != null
                && drawn.window().has(shape.spec(), (long) Integer.BYTES * counts.length)
            ? drawn.fault()
            : null;
  }

  /** Makes filters with one fault. */
  public static FilterProvider provider(CountFault.Drawn drawn) {
    return new Provider(shape -> new FaultyCounts(shape, drawn));
  }

  @Override
  void wasRead() {
    past.add(Step.READ);
    if (is(CountFault.READ_DROPS_THE_LAST_COUNT)) {
      counts[counts.length - 1] = 0;
    }
  }

  private boolean is(CountFault wanted) {
    return fault == wanted && drawn.window().has(this, this, 0);
  }

  private boolean is(CountFault wanted, int from, int to) {
    return from < to && from >= drawn.minFrom() && to - from >= drawn.minLength() && is(wanted);
  }

  @Override
  public double filled() {
    return 1;
  }

  @Override
  public boolean has(Step step) {
    return past.contains(step);
  }

  @Override
  public ThreadMode mode() {
    return ThreadMode.SHARED;
  }

  @Override
  int incremented(int count) {
    return is(CountFault.COUNT_STICKS) ? Math.min(drawn.high(), count + 1) : count + 1;
  }

  @Override
  int decremented(int count) {
    // A remove that is not alone may find what it was to take out gone.
    return fault == null ? count - 1 : Math.max(0, count - 1);
  }

  @Override
  public synchronized boolean put(long hash) {
    if (is(CountFault.PUT_OF_WHAT_IS_THERE_COUNTS_ONCE)
        && super.approximateCount(hash) >= drawn.high()) {
      return false;
    }
    boolean absent = super.put(hash);
    int[] positions = positions(hash);
    if (is(CountFault.PUT_LEAVES_OUT_A_POSITION) && counts[positions[0]] > 1) {
      counts[positions[0]]--;
    }
    return absent;
  }

  @Override
  public boolean remove(long hash) {
    if (is(CountFault.REMOVE_WITHOUT_A_LOCK)) {
      if (!isCounted(hash)) {
        return false;
      }
      takeOut(hash);
      return true;
    }
    synchronized (this) {
      return removeLocked(hash);
    }
  }

  private boolean removeLocked(long hash) {
    int[] positions = positions(hash);
    if (is(CountFault.REMOVE_OF_WHAT_IS_ABSENT_COUNTS) && !isCounted(hash)) {
      counts[positions[0]] = Math.max(0, counts[positions[0]] - 1);
      return false;
    }
    if (is(CountFault.REMOVE_OF_THE_LAST_LEAVES_IT) && super.approximateCount(hash) == 1) {
      return true;
    }
    boolean removed = super.remove(hash);
    if (removed && is(CountFault.REMOVE_LEAVES_A_POSITION)) {
      counts[positions[positions.length - 1]]++;
    }
    if (removed && is(CountFault.REMOVE_TAKES_ONE_TOO_MANY)) {
      counts[positions[0]] = Math.max(0, counts[positions[0]] - 1);
    }
    return removed && !is(CountFault.REMOVE_SAYS_NO);
  }

  @Override
  public int removeAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int skipped = is(CountFault.REMOVE_ALL_SKIPS_ITS_LAST, from, to) ? 1 : 0;
    int removed = super.removeAll(hashes, from, to - skipped);
    return is(CountFault.REMOVE_ALL_COUNTS_ALL, from, to) ? to - from : removed;
  }

  @Override
  int summary(int[] ofPositions) {
    int count = super.summary(ofPositions);
    if (count >= drawn.high() && is(CountFault.COUNT_IS_ONE_TOO_LOW)) {
      return count - 1;
    }
    return count >= drawn.high() && is(CountFault.COUNT_IS_TWICE_TOO_HIGH) ? 2 * count : count;
  }

  private void forgetHighCounts() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Math.min(counts[i], drawn.high());
    }
  }

  @Override
  public synchronized Filter copy() {
    FaultyCounts copy = (FaultyCounts) super.copy();
    copy.past.addAll(past);
    copy.past.add(Step.COPY);
    if (is(CountFault.COPY_FORGETS_HIGH_COUNTS)) {
      copy.forgetHighCounts();
    }
    return copy;
  }

  @Override
  public synchronized void clear() {
    int last = is(CountFault.CLEAR_LEAVES_A_COUNT) ? counts[counts.length - 1] : 0;
    super.clear();
    counts[counts.length - 1] = last;
    past.add(Step.CLEAR);
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    int[] before = counts.clone();
    if (is(CountFault.WRITE_FORGETS_HIGH_COUNTS)) {
      forgetHighCounts();
    }
    if (is(CountFault.WRITE_DROPS_THE_LAST_COUNT)) {
      counts[counts.length - 1] = 0;
    }
    try {
      super.writePayload(out);
    } finally {
      System.arraycopy(before, 0, counts, 0, before.length);
    }
  }

  @Override
  int merged(int here, int there) {
    if (is(CountFault.MERGE_TAKES_THE_HIGHER_COUNT)) {
      return Math.max(here, there);
    }
    int sum = here + there;
    return is(CountFault.MERGE_FORGETS_HIGH_COUNTS) && sum > drawn.high()
        ? Math.max(Math.max(here, there), drawn.high())
        : sum;
  }

  @Override
  public void putAll(Filter other) {
    super.putAll(other);
    past.add(Step.MERGE);
  }

  @Override
  public String toString() {
    return Arrays.stream(counts).filter(count -> count > 0).count() + " counts of " + spec();
  }
}
