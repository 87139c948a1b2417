package io.bloomery.filter;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The factory of one variant of filters: it plans, creates and reads them.
 *
 * <p>To add a variant, implement this interface in a public class with a public constructor without
 * arguments and name the class both in {@code META-INF/services/io.bloomery.filter.FilterProvider}
 * and under {@code provides} in the module descriptor; {@link io.bloomery.Bloomery#installed} then
 * finds it. The package {@code io.bloomery.spi} has what most variants need: {@link
 * io.bloomery.spi.TableProvider} and {@link io.bloomery.spi.TableFilter} leave little more to
 * implement than put, mightContain and the size. The module {@code bloomery-conformance-tests}
 * tests implementations.
 *
 * <p>Providers are immutable and thread-safe. Methods added in later versions will have default
 * implementations.
 */
public interface FilterProvider {

  /**
   * Returns the name of the variant: lower-case words joined by hyphens, unique among all providers
   * and stored in files. Prefix it with the name of your organisation to keep it unique.
   */
  String variant();

  /**
   * Plans the smallest filter whose false-positive probability at {@code spec.expectedKeys()} is at
   * most {@code spec.falsePositiveRate()}, without creating it. Equal specs have equal plans on
   * every JVM.
   *
   * @throws IllegalArgumentException if this variant cannot satisfy the spec; the message names a
   *     spec that it can satisfy, or another variant
   */
  FilterPlan plan(FilterSpec spec);

  /**
   * Returns a common type of all filters of this variant. It shows the optional operations of its
   * filters before one is created: whether it is a {@link RemovableFilter}, a {@link
   * MergeableFilter} or neither.
   */
  Class<? extends Filter> filterType();

  /**
   * Creates an empty filter as planned.
   *
   * @throws IllegalArgumentException as for {@link #plan}, or if the filter exceeds the limits or
   *     the heap
   */
  Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits);

  /** Creates an empty filter that only the heap limits. */
  default Filter create(FilterSpec spec, ThreadMode mode) {
    return create(spec, mode, FilterLimits.HEAP);
  }

  /**
   * Reads a filter that {@link Filter#writePayload} wrote. The layout is authoritative: it is
   * checked for range and against the size of the payload, and never recomputed from the spec. The
   * caller has checked the size of the payload against the limits, which also bound later growth.
   *
   * @throws FilterFormatException if layout or content could not have been written by this variant;
   *     nothing else, whatever the bytes
   * @throws IOException if the content cannot be read, or does not fit in memory
   */
  Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException;

  /**
   * Returns a view that queries a filter's content in place, in its memory-mapped file. The default
   * implementation reads the content into memory by {@link #read}, which works for every variant.
   * Variants that query the mapping itself override it; they must read and map in the order of the
   * content, and check layout and size as {@link #read} does.
   *
   * @throws FilterFormatException as for {@link #read}
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
   */
  default void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
  }

  /**
   * Returns the number of leading bits of a payload that may be set, if filters of this variant are
   * merged by the bitwise or of their payloads, or empty if they are not. It lets {@link
   * io.bloomery.file.FilterFiles#merge} merge files without loading them.
   *
   * @throws IllegalArgumentException if no filter of this variant has this layout, or a payload of
   *     this size with it; the reason is that of {@link #read}
   */
  default OptionalLong unionBits(FilterLayout layout, long payloadSize) {
    return OptionalLong.empty();
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
