package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
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
        fault(Rule.R78, "cuts limits to 32 bits", new CutsLimits()),
        fault(Rule.R78, "what is merged into takes over the limits of the other", TakesLimits::new),
        fault(Rule.R78, "grows beyond its limits", growing(GrowsBeyond::new)),
        fault(
            Rule.R78, "a put beyond the limits leaves its bits", growing(LeavesBitsAtLimits::new)),
        fault(Rule.R78, "refuses with room left after clear", growing(NeverGetsBack::new)),
        fault(Rule.R78, "copies have no limits", UnlimitedCopies::new),
        fault(Rule.R78, "what is read has no limits", new ReadsWithoutLimits()),
        fault(Rule.R78, "makes filters whatever the limits", new CreatesBeyond()),
        fault(Rule.R78, "makes a filter to see whether it is too large", new CreatesFirst()),
        fault(Rule.R78, "merges, and says then that there is no room", RefusesMerged::new),
        fault(Rule.R78, "loses a key when it refuses another", ForgetsWhenFull::new));
  }

  private static GrowingReference.Provider growing(GrowingReference.Constructor constructor) {
    return new GrowingReference.Provider(constructor);
  }

  private static final class GrowsBeyond extends GrowingReference {
    GrowsBeyond(Shape shape) {
      super(shape);
    }

    @Override
    void checkRoom(long bytes) {}
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

  /** Counts the bytes of all slices that there ever were. */
  private static final class NeverGetsBack extends GrowingReference {
    private long before;

    NeverGetsBack(Shape shape) {
      super(shape);
    }

    @Override
    void checkRoom(long bytes) {
      super.checkRoom(limits().equals(FilterLimits.HEAP) ? bytes : before + bytes);
    }

    @Override
    public synchronized void clear() {
      before = payloadSize();
      super.clear();
    }
  }

  private static final class UnlimitedCopies extends PatchedFilter {
    private final boolean copied;

    UnlimitedCopies(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      this(provider, inner, mode, false);
    }

    private UnlimitedCopies(
        PatchedProvider provider, MergeableFilter inner, ThreadMode mode, boolean copied) {
      super(provider, inner, mode);
      this.copied = copied;
    }

    @Override
    public FilterLimits limits() {
      return copied ? FilterLimits.HEAP : super.limits();
    }

    @Override
    public Filter copy() {
      return new UnlimitedCopies(provider, (MergeableFilter) inner.copy(), mode, true);
    }
  }

  private static final class ReadsWithoutLimits extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(limits, "limits");
      return super.read(spec, layout, in, mode, FilterLimits.HEAP);
    }
  }

  /** Has the limits that it was given, but does not look at them. */
  private static final class CreatesBeyond extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Objects.requireNonNull(limits, "limits");
      Filter large = super.create(spec, mode, FilterLimits.HEAP);
      try {
        return read(spec, large.layout(), Payload.of(large).reread(), mode, limits);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class CreatesFirst extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      limits.check(super.create(spec, mode, FilterLimits.HEAP).payloadSize());
      return super.create(spec, mode, limits);
    }
  }

  private static final class RefusesMerged extends PatchedFilter {
    RefusesMerged(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      if (!limits().equals(FilterLimits.HEAP)) {
        throw new FilterFullException("the merge does not fit; make a larger filter");
      }
    }
  }

  private static final class ForgetsWhenFull extends PatchedFilter {
    ForgetsWhenFull(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      if (!limits().equals(FilterLimits.HEAP) && inner.stats().fill() > 0.4) {
        inner.clear();
        throw new FilterFullException("the filter is full, and now it is empty");
      }
      return super.put(hash);
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

  private static final class CutsLimits extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      limits.check(plan(spec).sizeInBits() / Byte.SIZE);
      if (!limits.equals(FilterLimits.HEAP)) {
        FilterLimits.ofBytes(Math.max(1, limits.maxBytes() & 0xffff_ffffL))
            .check(plan(spec).sizeInBits() / Byte.SIZE);
      }
      return super.create(spec, mode, limits);
    }
  }

  private static final class TakesLimits extends PatchedFilter {
    TakesLimits(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private FilterLimits taken;

    @Override
    public FilterLimits limits() {
      return taken == null ? super.limits() : taken;
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      if (!other.limits().equals(FilterLimits.HEAP)) {
        taken = other.limits();
      }
    }
  }
}
