package io.bloomery.conformance.broken;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What each call of a provider and of its filters does. All are right until a {@link Patch}
 * replaces some; outside of a window filters are right whatever was replaced.
 *
 * <p>Calls of filters are given the {@link PatchedFilter}, whose {@link PatchedFilter#inner} is
 * right; those of a provider a right provider.
 */
public final class Calls {

  /** Those that are right. */
  static final Calls RIGHT = new Calls(FaultWindow.EVERYWHERE);

  private final FaultWindow window;

  HashCall put = (filter, hash) -> filter.inner.put(hash);
  HashCall mightContain = (filter, hash) -> filter.inner.mightContain(hash);
  PutBatch putAll = PatchedFilter::putEach;
  Selection select = PatchedFilter::selectEach;
  BiFunction<PatchedFilter, FilterSpec, FilterSpec> spec = (filter, spec) -> spec;
  BiFunction<PatchedFilter, FilterLimits, FilterLimits> limits = (filter, limits) -> limits;
  BiFunction<PatchedFilter, FilterStats, FilterStats> stats = (filter, stats) -> stats;
  BiFunction<PatchedFilter, FilterDescription, FilterDescription> description =
      (filter, description) -> description;
  BiFunction<PatchedFilter, String, String> text = (filter, text) -> text;
  Function<PatchedFilter, Filter> copy = PatchedFilter::rightCopy;
  Consumer<PatchedFilter> clear = filter -> filter.inner.clear();
  Merge merge = PatchedFilter::rightMerge;
  BiFunction<PatchedFilter, Filter, Optional<String>> incompatibility =
      PatchedFilter::rightIncompatibility;
  BiFunction<PatchedFilter, Integer, MergeableFilter> folded =
      (filter, factor) -> filter.inner.folded(factor);
  BiFunction<PatchedFilter, Filter, PatchedFilter> intersection = PatchedFilter::rightIntersection;
  Writing write = (filter, out) -> filter.inner.writePayload(out);

  BiFunction<FilterProvider, FilterSpec, FilterPlan> plan = FilterProvider::plan;
  Creating create = FilterProvider::create;
  Reading read = FilterProvider::read;
  Mapping map = FilterProvider::map;
  Checking check = FilterProvider::check;
  BiFunction<FilterLayout, Long, OptionalLong> unionBits = (layout, size) -> OptionalLong.empty();

  /** Puts a hash, or asks for it. */
  public interface HashCall {
    boolean call(PatchedFilter filter, long hash);
  }

  /** Puts a batch. */
  public interface PutBatch {
    int putAll(PatchedFilter filter, long[] hashes, int from, int to);
  }

  /** Asks for a batch. */
  public interface Selection {
    int select(PatchedFilter filter, long[] hashes, int from, int to, int[] hits);
  }

  /** Merges another filter into one. */
  public interface Merge {
    void putAll(PatchedFilter filter, Filter other);
  }

  /** Writes the content of a filter. */
  public interface Writing {
    void write(PatchedFilter filter, PayloadOutput out) throws IOException;
  }

  /** Creates a filter. */
  public interface Creating {
    Filter create(FilterProvider right, FilterSpec spec, ThreadMode mode, FilterLimits limits);
  }

  /** Reads a filter. */
  public interface Reading {
    Filter read(
        FilterProvider right,
        FilterSpec spec,
        FilterLayout layout,
        PayloadInput in,
        ThreadMode mode,
        FilterLimits limits)
        throws IOException;
  }

  /** Maps a filter. */
  public interface Mapping {
    FilterView map(FilterProvider right, FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException;
  }

  /** Checks the content of a filter. */
  public interface Checking {
    void check(FilterProvider right, FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException;
  }

  /** Replaces calls by patches, within a window. */
  Calls(FaultWindow window, Patch... patches) {
    this.window = window;
    for (Patch patch : patches) {
      patch.accept(this);
    }
  }

  boolean isFor(MergeableFilter filter) {
    return window.has(filter.spec(), filter.payloadSize());
  }

  boolean isFor(PatchedFilter filter, long hash) {
    return window.has(filter.inner, filter, hash);
  }
}
