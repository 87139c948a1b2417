package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.List;
import java.util.Objects;

/** Faults of what is kept for the next call, which may be another thread's or come too late. */
public final class BrokenCaches {

  private BrokenCaches() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R10, "a thread remembers its last puts beyond a clear", RemembersPuts::new),
        fault(
            Rule.R42,
            "a mapped filter keeps its last answer",
            Patch.map((right, spec, layout, in) -> new KeepsAnswers(right.map(spec, layout, in)))),
        fault(Rule.R25, "select does not ask again what was absent last", KeepsAbsent::new),
        fault(Rule.R74, "a provider keeps its last plan without a lock", new KeepsPlan()));
  }

  private static final class RemembersPuts extends PatchedFilter {
    private static final int REMEMBERED = 64;

    private final ThreadLocal<long[]> recent = ThreadLocal.withInitial(() -> new long[REMEMBERED]);

    RemembersPuts(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      long[] mine = recent.get();
      int place = (int) hash & (REMEMBERED - 1);
      if (hash != 0 && mine[place] == hash) {
        return false;
      }
      mine[place] = hash;
      return super.put(hash);
    }

    @Override
    public void clear() {
      recent.remove(); // that of the thread which clears
      super.clear();
    }
  }

  /** Knows of puts that it may have to ask again, but not of merges. */
  private static final class KeepsAbsent extends PatchedFilter {
    private boolean isKnown;
    private long absent;

    KeepsAbsent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      isKnown = false;
      return super.put(hash);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      isKnown = false;
      return super.putAll(hashes, from, to);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      Objects.checkFromToIndex(from, to, hashes.length);
      int first = isKnown && from < to && hashes[from] == absent ? from + 1 : from;
      int found = super.select(hashes, first, to, hits);
      if (from < to) {
        isKnown = found == 0 || hits[found - 1] != to - 1;
        absent = hashes[to - 1];
      }
      return found;
    }
  }

  private static final class KeepsAnswers extends PatchedView {
    private boolean isAsked;
    private boolean answer;
    private long asked;

    KeepsAnswers(FilterView view) {
      super(view);
    }

    @Override
    public boolean mightContain(long hash) {
      if (isAsked && hash == asked) {
        return answer;
      }
      boolean found = super.mightContain(hash);
      answer = found;
      asked = hash;
      isAsked = true;
      return found;
    }
  }

  private static final class KeepsPlan extends PatchedProvider {
    private FilterSpec last;
    private FilterPlan plan;

    @Override
    public FilterPlan plan(FilterSpec spec) {
      if (spec.equals(last)) {
        return plan;
      }
      FilterPlan planned = super.plan(spec);
      last = spec;
      plan = planned;
      return planned;
    }
  }
}
