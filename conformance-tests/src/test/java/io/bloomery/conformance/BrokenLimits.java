package io.bloomery.conformance;

import static io.bloomery.conformance.Broken.atLeast;
import static io.bloomery.conformance.Broken.only;

import io.bloomery.FilterFullException;
import io.bloomery.MergeableFilter;
import io.bloomery.ThreadMode;
import java.util.List;

/** Faults in filters that take no more than they have room for. */
final class BrokenLimits {

  private BrokenLimits() {}

  static List<Broken> all() {
    return List.of(
        only(Rule.R72, "a put that is refused leaves its bits", LeavesBits::new),
        only(Rule.R72, "a refusal shows the hash", ShowsHash::new),
        atLeast(Rule.R72, "refuses what is there", RefusesAll::new));
  }

  /** A filter that refuses hashes when 19 of 20 bits are set, if it is small. */
  static class Limited extends PatchedFilter {
    Limited(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    final boolean isFull() {
      return !large() && inner.stats().fill() > 0.95;
    }

    /** Says that there is no room for a hash. */
    FilterFullException refuse(long hash) {
      return new FilterFullException("19 of 20 bits are set; make a larger filter");
    }

    @Override
    public boolean put(long hash) {
      if (isFull() && !mightContain(hash)) {
        throw refuse(hash);
      }
      return super.put(hash);
    }
  }

  private static final class LeavesBits extends Limited {
    LeavesBits(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterFullException refuse(long hash) {
      inner.put(hash);
      return super.refuse(hash);
    }
  }

  private static final class ShowsHash extends Limited {
    ShowsHash(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterFullException refuse(long hash) {
      return new FilterFullException("no room for " + hash + "; make a larger filter");
    }
  }

  private static final class RefusesAll extends Limited {
    RefusesAll(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      if (isFull()) {
        throw refuse(hash);
      }
      return super.put(hash);
    }
  }
}
