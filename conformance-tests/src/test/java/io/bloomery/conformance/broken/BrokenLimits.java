package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Faults in filters that take no more than they have room for. */
public final class BrokenLimits {

  private BrokenLimits() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R72, "a put that is refused leaves its bits", LeavesBits::new),
        fault(Rule.R72, "a refusal shows the hash", ShowsHash::new),
        fault(Rule.R72, "refuses what is there", RefusesAll::new),
        fault(
            Rule.R78,
            "cuts limits to 32 bits",
            Patch.create(
                (right, spec, mode, limits) -> {
                  long bytes = right.plan(spec).sizeInBits() / Byte.SIZE;
                  limits.check(bytes);
                  if (!limits.equals(FilterLimits.HEAP)) {
                    long cut = Math.max(1, limits.maxBytes() & 0xffff_ffffL);
                    FilterLimits.ofBytes(cut).check(bytes);
                  }
                  return right.create(spec, mode, limits);
                })),
        fault(
            Rule.R78,
            "what is merged into takes over the limits of the other",
            Patch.limits(
                (filter, limits) -> filter.kept instanceof FilterLimits taken ? taken : limits),
            Patch.merge(
                (filter, other) -> {
                  filter.rightMerge(other);
                  if (!other.limits().equals(FilterLimits.HEAP)) {
                    filter.kept = other.limits();
                  }
                })),
        fault(Rule.R78, "grows beyond its limits", growing(GrowsBeyond::new)),
        fault(
            Rule.R78, "a put beyond the limits leaves its bits", growing(LeavesBitsAtLimits::new)),
        fault(Rule.R78, "refuses with room left after clear", growing(NeverGetsBack::new)),
        fault(Rule.R78, "copies have no limits", TableFault.COPY_FORGETS_LIMITS.everywhere()),
        fault(
            Rule.R78,
            "what is read has no limits",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  Objects.requireNonNull(limits, "limits");
                  return right.read(spec, layout, in, mode, FilterLimits.HEAP);
                })),
        fault(
            Rule.R78,
            "makes filters whatever the limits",
            // It has the limits that it was given, but does not look at them.
            Patch.create(
                (right, spec, mode, limits) -> {
                  Objects.requireNonNull(limits, "limits");
                  Filter large = right.create(spec, mode, FilterLimits.HEAP);
                  try {
                    Payload content = Payload.of(large).reread();
                    return right.read(spec, large.layout(), content, mode, limits);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })),
        fault(
            Rule.R78,
            "makes a filter to see whether it is too large",
            Patch.create(
                (right, spec, mode, limits) -> {
                  limits.check(right.create(spec, mode, FilterLimits.HEAP).payloadSize());
                  return right.create(spec, mode, limits);
                })),
        fault(
            Rule.R78,
            "merges, and says then that there is no room",
            Patch.merge(
                (filter, other) -> {
                  filter.rightMerge(other);
                  if (!filter.limits().equals(FilterLimits.HEAP)) {
                    throw new FilterFullException("the merge does not fit; make a larger filter");
                  }
                })),
        fault(
            Rule.R78,
            "loses a key when it refuses another",
            Patch.put(
                (filter, hash) -> {
                  boolean isLimited = !filter.limits().equals(FilterLimits.HEAP);
                  if (isLimited && filter.inner.stats().fill() > 0.4) {
                    filter.inner.clear();
                    throw new FilterFullException("the filter is full, and now it is empty");
                  }
                  return filter.inner.put(hash);
                })));
  }

  private static GrowingReference.Provider growing(GrowingReference.Constructor constructor) {
    return new GrowingReference.Provider(constructor);
  }

  private static final class GrowsBeyond extends GrowingReference {
    GrowsBeyond(Shape shape) {
      super(shape);
    }

    @Override
    protected void checkRoom(long bytes) {}
  }

  private static final class LeavesBitsAtLimits extends GrowingReference {
    LeavesBitsAtLimits(Shape shape) {
      super(shape);
    }

    @Override
    public boolean put(long hash) {
      try {
        return super.put(hash);
      } catch (FilterFullException e) {
        putNewest(hash);
        throw e;
      }
    }
  }

  /** Counts the bytes of all layers that there ever were. */
  private static final class NeverGetsBack extends GrowingReference {
    private long before;

    NeverGetsBack(Shape shape) {
      super(shape);
    }

    @Override
    protected void checkRoom(long bytes) {
      super.checkRoom(limits().equals(FilterLimits.HEAP) ? bytes : before + bytes);
    }

    @Override
    public synchronized void clear() {
      before = payloadSize();
      super.clear();
    }
  }

  /** A filter that refuses hashes when 19 of 20 bits are set, if it is small. */
  public static class Limited extends PatchedFilter {
    public Limited(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    final boolean isFull() {
      // Where the rate asked is high, as many bits may be set by the keys expected.
      return !large() && spec().falsePositiveRate() < 0.5 && inner.stats().fill() > 0.95;
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
