package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Model;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Faults in what a filter contains, and in creating, copying and clearing. */
public final class BrokenContent {

  private BrokenContent() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R64, "loses hashes in tables of a million keys", LosesInLarge::new),
        fault(Rule.R01, "misses some hashes in filters for 65 keys", LosesAtBoundary::new),
        fault(Rule.R01, "drops what comes after the expected keys, if they are many", Full::new),
        fault(Rule.R02, "takes the hash 0 for no hash", NoZero::new),
        fault(Rule.R03, "put into a large table always returns true", AlwaysNew::new),
        fault(Rule.R03, "put returns whether the hash was there", Inverted::new),
        fault(Rule.R04, "a table not yet allocated contains everything", Unallocated::new),
        fault(Rule.R05, "leaves out 24 bits of hashes", LeavesOutBits::new),
        fault(Rule.R05, "folds hashes to 32 bits", Folded::new),
        fault(Rule.R05, "uses the low 32 bits of hashes", LowHalf::new),
        fault(Rule.R06, "reuses the last 256 small tables", new Recycling()),
        fault(Rule.R07, "clear leaves the last hash in a large table", LeavesLast::new),
        fault(Rule.R07, "clear does nothing", NeverClears::new),
        fault(Rule.R08, "copies of large tables share the table", SharesLarge::new),
        fault(Rule.R08, "copies share the table", Shares::new),
        fault(Rule.R09, "to describe a filter changes it", DescribingPuts::new),
        fault(Rule.R09, "a large batch query puts its last hash", QueryPuts::new),
        fault(Rule.R10, "a large table depends on the order of puts", OrderMatters::new));
  }

  private static final class Full extends PatchedFilter {
    private long put;

    Full(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public synchronized boolean put(long hash) {
      if (put == spec().expectedKeys() && put > Model.HASHES) {
        return !mightContain(hash);
      }
      boolean absent = super.put(hash);
      put += absent ? 1 : 0;
      return absent;
    }

    @Override
    public Filter copy() {
      Full copy = (Full) super.copy();
      copy.put = put;
      return copy;
    }

    @Override
    public void clear() {
      super.clear();
      put = 0;
    }
  }

  private static final class NoZero extends PatchedFilter {
    NoZero(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return hash == 0 || super.put(hash);
    }
  }

  private static final class AlwaysNew extends PatchedFilter {
    AlwaysNew(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return super.put(hash) || large();
    }
  }

  private static final class Inverted extends PatchedFilter {
    Inverted(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return !super.put(hash);
    }
  }

  private static final class Unallocated extends PatchedFilter {
    private volatile boolean allocated;

    Unallocated(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
      allocated = inner.stats().setBits() > 0;
    }

    @Override
    public synchronized boolean put(long hash) {
      boolean absent = super.put(hash) && allocated;
      allocated = true;
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return !allocated || super.mightContain(hash);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      allocated = inner.stats().setBits() > 0;
    }

    @Override
    public void clear() {
      super.clear();
      allocated = false;
    }
  }

  /** Loses some bits of a hash, and mixes the others so that they fill 64 bits again. */
  private abstract static class Narrowed extends PatchedFilter {
    Narrowed(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    abstract long narrow(long hash);

    private long mixed(long hash) {
      long mixed = narrow(hash) * 0x9e3779b97f4a7c15L;
      return (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    }

    @Override
    public boolean put(long hash) {
      return super.put(mixed(hash));
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(mixed(hash));
    }
  }

  private static final class Folded extends Narrowed {
    Folded(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    long narrow(long hash) {
      return Long.hashCode(hash);
    }
  }

  private static final class LowHalf extends Narrowed {
    LowHalf(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    long narrow(long hash) {
      return (int) hash;
    }
  }

  /** Keys of one kind come with hashes that need no more than 16 bits, it thinks. */
  static final class TrustsId extends Narrowed {
    TrustsId(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    long narrow(long hash) {
      return spec().hashId().endsWith("i64") ? hash & 0xffff : hash;
    }
  }

  private static final class Recycling extends PatchedProvider {
    private final Deque<PatchedFilter> used = new ArrayDeque<>();

    @Override
    public synchronized Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      if (used.size() >= 256) {
        PatchedFilter oldest = used.remove();
        if (oldest.spec().equals(spec) && oldest.mode == mode && oldest.limits().equals(limits)) {
          oldest.clear();
          used.add(oldest);
          return oldest;
        }
      }
      PatchedFilter filter = (PatchedFilter) super.create(spec, mode, limits);
      if (!filter.large()) {
        used.add(filter);
      }
      return filter;
    }
  }

  private static final class LeavesLast extends PatchedFilter {
    private long last;

    LeavesLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      last = hash;
      return super.put(hash);
    }

    @Override
    public void clear() {
      super.clear();
      if (large()) {
        super.put(last);
      }
    }
  }

  private static final class NeverClears extends PatchedFilter {
    NeverClears(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void clear() {}
  }

  private static final class SharesLarge extends PatchedFilter {
    SharesLarge(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return large() ? provider.wrap(inner, mode) : super.copy();
    }
  }

  private static final class Shares extends PatchedFilter {
    Shares(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return provider.wrap(inner, mode);
    }
  }

  private static final class LeavesOutBits extends PatchedFilter {
    private static final long USED = -1L << 24;

    LeavesOutBits(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return super.put(hash & USED);
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(hash & USED);
    }
  }

  private static final class DescribingPuts extends PatchedFilter {
    DescribingPuts(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public String toString() {
      // Where others look as well, it is too late.
      if (spec().expectedKeys() == 500) {
        put(0);
      }
      return super.toString();
    }
  }

  private static final class QueryPuts extends PatchedFilter {
    QueryPuts(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      int found = super.select(hashes, from, to, hits);
      if (to - from >= 1_000) {
        put(hashes[to - 1]);
      }
      return found;
    }
  }

  /** Now and then what it sets depends on two hashes that were put one after the other. */
  private static final class OrderMatters extends PatchedFilter {
    private long last;

    OrderMatters(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      if (large() && last < hash && ((last ^ hash) & 0xff) == 0) {
        super.put(last + hash);
      }
      last = hash;
      return super.put(hash);
    }

    @Override
    public void clear() {
      super.clear();
      last = 0;
    }
  }

  private static final class LosesInLarge extends PatchedFilter {
    LosesInLarge(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      boolean lost = spec().expectedKeys() > 5_000_000 && (hash & 0xffff) == 0;
      return !lost && super.mightContain(hash);
    }
  }

  private static final class LosesAtBoundary extends PatchedFilter {
    LosesAtBoundary(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      boolean lost = spec().expectedKeys() == 65 && (hash & 31) == 0;
      return !lost && super.mightContain(hash);
    }
  }
}
