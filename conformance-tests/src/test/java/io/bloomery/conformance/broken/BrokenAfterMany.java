package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.List;

/** Faults that show when something was done 256 times, and in threads that are interrupted. */
public final class BrokenAfterMany {

  private static final int MANY = 256;

  private BrokenAfterMany() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R07, "the 256th clear does nothing", ClearsTo256::new),
        fault(Rule.R08, "the 256th copy is empty", CopiesTo256::new),
        fault(Rule.R09, "the 256th statistics have a bit more", CountsTo256::new),
        fault(Rule.R10, "loses what an interrupted thread puts", LosesInterrupted::new),
        fault(Rule.R10, "an interrupted thread cannot put", ThrowsInterrupted::new),
        fault(Rule.R27, "the 256th merge does nothing", MergesTo256::new));
  }

  private static final class ClearsTo256 extends PatchedFilter {
    private int clears;

    ClearsTo256(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void clear() {
      if (++clears % MANY != 0) {
        super.clear();
      }
    }
  }

  private static final class CopiesTo256 extends PatchedFilter {
    private int copies;

    CopiesTo256(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      Filter copy = super.copy();
      if (++copies % MANY == 0) {
        copy.clear();
      }
      return copy;
    }
  }

  private static final class CountsTo256 extends PatchedFilter {
    private int asked;

    CountsTo256(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterStats stats() {
      if (++asked % MANY == 0) {
        inner.put(asked);
      }
      return super.stats();
    }
  }

  private static final class LosesInterrupted extends PatchedFilter {
    LosesInterrupted(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return Thread.currentThread().isInterrupted() ? !mightContain(hash) : super.put(hash);
    }
  }

  private static final class ThrowsInterrupted extends PatchedFilter {
    ThrowsInterrupted(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while waiting for a lock");
      }
      return super.put(hash);
    }
  }

  private static final class MergesTo256 extends PatchedFilter {
    private int merges;

    MergesTo256(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (++merges % MANY != 0) {
        super.putAll(other);
      }
    }
  }
}
