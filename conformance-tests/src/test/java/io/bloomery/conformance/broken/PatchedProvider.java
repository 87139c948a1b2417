package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;

/** A provider that is right but for what its {@link Patch} says, until a method is overridden. */
public class PatchedProvider implements FilterProvider {

  final Calls calls;
  private final FilterProvider inner;
  private final FilterProvider right = new Right();

  public PatchedProvider() {
    this(new StandardProvider());
  }

  public PatchedProvider(FilterProvider inner) {
    this(inner, Calls.RIGHT);
  }

  PatchedProvider(FilterProvider inner, Calls calls) {
    this.inner = inner;
    this.calls = calls;
  }

  /** Returns a standard provider with some calls replaced. */
  public static PatchedProvider with(Patch... patches) {
    return with(FaultWindow.EVERYWHERE, patches);
  }

  /** Returns a standard provider with some calls replaced, of filters within a window. */
  static PatchedProvider with(FaultWindow window, Patch... patches) {
    return new PatchedProvider(new StandardProvider(), new Calls(window, patches));
  }

  /** Makes a filter that may be wrong from a right one. */
  public interface Constructor {
    PatchedFilter make(PatchedProvider provider, MergeableFilter inner, ThreadMode mode);
  }

  /** Makes a provider whose filters, whether created, copied or read, are of a class. */
  public static PatchedProvider of(Constructor constructor) {
    return new PatchedProvider() {
      @Override
      protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
        return constructor.make(this, filter, mode);
      }
    };
  }

  protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
    return new PatchedFilter(this, filter, mode);
  }

  @Override
  public String variant() {
    return inner.variant();
  }

  @Override
  public Class<? extends Filter> filterType() {
    return PatchedFilter.class;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return calls.plan.apply(right, spec);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    return calls.create.create(right, spec, mode, limits);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return calls.read.read(right, spec, layout, in, mode, limits);
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return calls.map.map(right, spec, layout, in);
  }

  @Override
  public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    calls.check.check(right, spec, layout, in);
  }

  @Override
  public OptionalLong unionBits(FilterLayout layout, long payloadSize) {
    return calls.unionBits.apply(layout, payloadSize);
  }

  /** The same provider without patches; the filters have theirs. */
  private final class Right implements FilterProvider {
    @Override
    public String variant() {
      return inner.variant();
    }

    @Override
    public Class<? extends Filter> filterType() {
      return PatchedFilter.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return inner.plan(spec);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      return wrap((MergeableFilter) inner.create(spec, mode, limits), mode);
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PatchedFilter read = wrap((MergeableFilter) inner.read(spec, layout, in, mode, limits), mode);
      read.remember(Step.READ);
      return read;
    }

    /** Reads what may be read wrongly. */
    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      return PatchedProvider.this.read(spec, layout, in, ThreadMode.SHARED, FilterLimits.HEAP);
    }

    /** Reads what may be read wrongly. */
    @Override
    public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
      PatchedProvider.this.read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
    }
  }

  /** Reads words that a right filter might have written. */
  final Filter read(FilterSpec spec, FilterLayout layout, long... words) {
    try {
      Payload payload = new Payload((long) Long.BYTES * words.length, words);
      return inner.read(spec, layout, payload, ThreadMode.CONFINED, FilterLimits.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
