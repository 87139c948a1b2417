package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A right filter, each call of which a {@link Habit} makes. */
class WrappedFilter extends ForwardingFilter<Filter> implements FaultWindow.Situation {

  private static final Habit RIGHT = new Habit();

  final WrappedProvider provider;
  final Filter inner;
  final Habit habit;
  private final ThreadMode mode;
  private final Set<Step> past = EnumSet.noneOf(Step.class);
  private long puts;

  private WrappedFilter(WrappedProvider provider, Filter inner, ThreadMode mode, Habit habit) {
    this.provider = provider;
    this.inner = inner;
    this.mode = mode;
    this.habit = habit;
  }

  /** Wraps a filter in a type that merges and removes as it does. */
  static WrappedFilter of(WrappedProvider provider, Filter inner, ThreadMode mode, Habit habit) {
    if (inner instanceof RemovableFilter) {
      return new Counting(provider, inner, mode, habit);
    }
    return inner instanceof MergeableFilter
        ? new Merging(provider, inner, mode, habit)
        : new WrappedFilter(provider, inner, mode, habit);
  }

  static Class<? extends Filter> type(Filter inner) {
    return of(null, inner, null, null).getClass();
  }

  /** Makes the calls of one filter, all right until overridden, one at a time. */
  static class Habit {
    boolean put(WrappedFilter filter, long hash) {
      return filter.inner.put(hash);
    }

    int putAll(WrappedFilter filter, long[] hashes, int from, int to) {
      return filter.inner.putAll(hashes, from, to);
    }

    boolean ask(WrappedFilter filter, long hash) {
      return filter.inner.mightContain(hash);
    }

    int select(WrappedFilter filter, long[] hashes, int from, int to, int[] hits) {
      return filter.inner.select(hashes, from, to, hits);
    }

    FilterStats stats(WrappedFilter filter) {
      return filter.inner.stats();
    }

    void clear(WrappedFilter filter) {
      filter.inner.clear();
    }

    Filter copy(WrappedFilter filter) {
      return filter.inner.copy();
    }

    /** Returns the habit of a copy. */
    Habit ofCopy(WrappedFilter filter) {
      return filter.provider.habit(filter.inner.spec());
    }

    void write(WrappedFilter filter, PayloadOutput out) throws IOException {
      filter.inner.writePayload(out);
    }

    void merge(WrappedFilter filter, Filter other) {
      ((MergeableFilter) filter.inner).putAll(unwrap(other));
    }

    Optional<String> incompatibility(WrappedFilter filter, Filter other) {
      return ((MergeableFilter) filter.inner).incompatibility(unwrap(other));
    }

    boolean remove(WrappedFilter filter, long hash) {
      return ((RemovableFilter) filter.inner).remove(hash);
    }

    int removeAll(WrappedFilter filter, long[] hashes, int from, int to) {
      return ((RemovableFilter) filter.inner).removeAll(hashes, from, to);
    }

    long count(WrappedFilter filter, long hash) {
      return ((RemovableFilter) filter.inner).approximateCount(hash);
    }

    FilterDescription description(WrappedFilter filter) {
      return filter.inner.description();
    }

    FilterSpec spec(WrappedFilter filter) {
      return filter.inner.spec();
    }

    String text(WrappedFilter filter) {
      return filter.inner.toString();
    }
  }

  static Filter unwrap(Filter filter) {
    return filter instanceof WrappedFilter wrapped ? wrapped.inner : filter;
  }

  @Override
  protected final Filter inner() {
    return inner;
  }

  /** Returns what makes its calls: nothing but what is right outside of the window. */
  final Habit calls() {
    return provider.isInWindow(this) ? habit : RIGHT;
  }

  final void remember(Step step) {
    past.add(step);
  }

  @Override
  public final boolean has(Step step) {
    return past.contains(step);
  }

  @Override
  public final double filled() {
    return (double) puts / inner.spec().expectedKeys();
  }

  @Override
  public final ThreadMode mode() {
    return mode;
  }

  @Override
  public boolean put(long hash) {
    synchronized (habit) {
      puts++;
      return calls().put(this, hash);
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    synchronized (habit) {
      puts += to - from;
      return calls().putAll(this, hashes, from, to);
    }
  }

  @Override
  public boolean mightContain(long hash) {
    synchronized (habit) {
      return calls().ask(this, hash);
    }
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    synchronized (habit) {
      return calls().select(this, hashes, from, to, hits);
    }
  }

  @Override
  public FilterSpec spec() {
    return calls().spec(this);
  }

  @Override
  public FilterStats stats() {
    synchronized (habit) {
      return calls().stats(this);
    }
  }

  @Override
  public FilterDescription description() {
    return calls().description(this);
  }

  @Override
  public Filter copy() {
    synchronized (habit) {
      WrappedFilter copy = of(provider, calls().copy(this), mode, calls().ofCopy(this));
      copy.past.addAll(past);
      copy.past.add(Step.COPY);
      copy.puts = puts;
      return copy;
    }
  }

  @Override
  public void clear() {
    synchronized (habit) {
      calls().clear(this);
    }
    past.add(Step.CLEAR);
    puts = 0;
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    calls().write(this, out);
  }

  @Override
  public String toString() {
    return calls().text(this);
  }

  private static class Merging extends WrappedFilter implements MergeableFilter {
    Merging(WrappedProvider provider, Filter inner, ThreadMode mode, Habit habit) {
      super(provider, inner, mode, habit);
    }

    @Override
    public void putAll(Filter other) {
      synchronized (habit) {
        calls().merge(this, other);
      }
      remember(Step.MERGE);
      super.puts += other instanceof WrappedFilter wrapped ? wrapped.puts : 0;
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return calls().incompatibility(this, other);
    }
  }

  private static final class Counting extends Merging implements RemovableFilter {
    Counting(WrappedProvider provider, Filter inner, ThreadMode mode, Habit habit) {
      super(provider, inner, mode, habit);
    }

    @Override
    public boolean remove(long hash) {
      synchronized (habit) {
        return calls().remove(this, hash);
      }
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      synchronized (habit) {
        return calls().removeAll(this, hashes, from, to);
      }
    }

    @Override
    public long approximateCount(long hash) {
      synchronized (habit) {
        return calls().count(this, hash);
      }
    }
  }
}
