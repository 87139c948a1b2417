package io.bloomery.filter;

import java.io.IOException;
import java.util.Optional;

/**
 * The factory of one variant of filters: it plans and reads them. A {@link FilterProvider} also
 * creates filters that accept puts; a {@link StaticFilterProvider} builds filters that never
 * change. There is no third kind.
 *
 * <p>Providers are immutable and thread-safe: a call, accepted or refused, does not affect later
 * ones. Methods added in later versions will have default implementations.
 */
public sealed interface VariantProvider permits FilterProvider, StaticFilterProvider {

  /**
   * Returns the name of the variant: lower-case words joined by hyphens, unique among all providers
   * and stored in files. Prefix it with the name of your organisation to keep it unique.
   */
  String variant();

  /**
   * Plans the smallest filter whose false-positive probability at {@code spec.expectedKeys()} is at
   * most {@code spec.falsePositiveRate()}, without creating it; if the spec {@linkplain
   * FilterSpec#isFoldable asks for one that folds}, up to 0.5 % larger. Equal specs have equal
   * plans on every JVM.
   *
   * @throws IllegalArgumentException if this variant cannot satisfy the spec; the message names a
   *     spec that it can satisfy, or another variant
   */
  FilterPlan plan(FilterSpec spec);

  /**
   * Returns a common type of all filters of this variant. It shows the optional operations of its
   * filters before there is one: whether they accept puts ({@link Filter}), removes ({@link
   * RemovableFilter}) or merges ({@link MergeableFilter}). That of a {@link StaticFilterProvider}
   * is no {@link Filter}.
   */
  Class<? extends StoredFilter> filterType();

  /**
   * Reads a filter that {@link StoredFilter#writePayload} wrote. The layout is authoritative: it is
   * checked for range and against the size of the payload, and never recomputed from the spec. The
   * caller has checked the size of the payload against the limits, which also bound later growth.
   *
   * @throws FilterFormatException if layout or content could not have been written by this variant;
   *     nothing else, whatever the bytes
   * @throws IOException if the content cannot be read, or does not fit in memory; or if {@code in}
   *     throws it, which does not affect later calls
   */
  StoredFilter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException;

  /**
   * Returns a view that queries a filter's content in place, in its memory-mapped file. The default
   * implementation reads the content into memory by {@link #read}, which works for every variant.
   * Variants that query the mapping itself override it; they must read and map in the order of the
   * content, and check layout and size as {@link #read} does.
   *
   * @throws FilterFormatException as for {@link #read}
   * @throws IOException as for {@link #read}
   */
  default FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return read(spec, layout, in, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  /**
   * Checks a filter's content without creating the filter; rejects exactly what {@link #read}
   * rejects. The default implementation calls {@link #read}; variants that can check in less memory
   * override it.
   *
   * @throws FilterFormatException as for {@link #read}
   * @throws IOException as for {@link #read}
   */
  default void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
  }

  /**
   * Returns the bit positions that a query for a hash reads in a table of any size, each from 0 to
   * {@code bits - 1}, one per probe; empty if the variant does not support this. The conformance
   * suite compares them with small filters and tests their uniformity on tables too large to
   * allocate: an {@code int} overflow, or the bias of a remainder to low positions, does not show
   * in small tables.
   *
   * @param bits the number of bits that queries read, as in {@link FilterStats#sizeInBits}: that of
   *     a filter, or any other multiple of 4,096 per probe
   * @param probes the number of probes, as planned
   */
  default Optional<long[]> positions(long hash, long bits, int probes) {
    return Optional.empty();
  }
}
