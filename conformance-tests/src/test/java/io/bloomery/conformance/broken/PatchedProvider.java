package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A provider that is right until a method is overridden. */
public class PatchedProvider implements FilterProvider {

  private final FilterProvider inner;

  public PatchedProvider() {
    this(new StandardProvider());
  }

  public PatchedProvider(FilterProvider inner) {
    this.inner = inner;
  }

  /** Wraps a right filter into one that may be wrong. */
  public interface Patch {
    PatchedFilter apply(PatchedProvider provider, MergeableFilter inner, ThreadMode mode);
  }

  /** Makes a provider whose filters, whether created, copied or read, are patched. */
  public static PatchedProvider of(Patch patch) {
    return new PatchedProvider() {
      @Override
      protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
        return patch.apply(this, filter, mode);
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
    return wrap((MergeableFilter) inner.read(spec, layout, in, mode, limits), mode);
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
