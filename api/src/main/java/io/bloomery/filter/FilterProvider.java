package io.bloomery.filter;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Creates, plans and reads the filters of one variant.
 *
 * <p>To add a variant, implement this interface in a public class with a public constructor without
 * arguments and name the class both in {@code META-INF/services/io.bloomery.filter.FilterProvider}
 * and under {@code provides} in the module descriptor; {@link io.bloomery.Bloomery#installed} then
 * finds it. The package {@code io.bloomery.spi} has what most variants need: {@link
 * io.bloomery.spi.TableProvider} and {@link io.bloomery.spi.TableFilter} leave little more to write
 * than put, mightContain and the size. The module {@code bloomery-conformance-tests} tests the
 * result.
 *
 * <p>Providers have no state that changes and may be used by any number of threads. New methods of
 * this interface will have defaults.
 */
public interface FilterProvider {

  /**
   * Returns the variant's name: lower-case words joined by hyphens, unique among all providers and
   * written in files. Start it with your organisation's name to keep it so.
   */
  String variant();

  /**
   * Finds the smallest filter whose rate at {@code spec.expectedKeys()} is at most {@code
   * spec.falsePositiveRate()}, without building it. The same spec gives the same plan on every JVM.
   *
   * @throws IllegalArgumentException if this variant cannot meet the spec; the message says what
   *     could be met, or by which variant
   */
  FilterPlan plan(FilterSpec spec);

  /**
   * Returns the type that every filter of this variant has. It tells what its filters can do before
   * there is one: whether it is a {@link RemovableFilter}, a {@link MergeableFilter} or neither.
   */
  Class<? extends Filter> filterType();

  /**
   * Creates an empty filter as planned.
   *
   * @throws IllegalArgumentException as for {@link #plan}, or if the memory needed exceeds the
   *     limits or the heap
   */
  Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits);

  /** Creates an empty filter with no limit but the heap. */
  default Filter create(FilterSpec spec, ThreadMode mode) {
    return create(spec, mode, FilterLimits.HEAP);
  }

  /**
   * Reads a filter that {@link Filter#writePayload} wrote. The layout is the truth: it is checked
   * for range and against the size of the payload, never computed again from the spec. The payload
   * is within the limits, which bound what the filter may grow to.
   *
   * @throws FilterFormatException if layout or content could not have been written by this variant;
   *     nothing else, whatever the bytes
   * @throws IOException if the content cannot be read, or does not fit in memory
   */
  Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException;

  /**
   * Makes what answers queries from a filter's content where it lies in its file. This method reads
   * the content into memory and answers from the filter that {@link #read} makes of it, which suits
   * every variant; those that answer from the mapping itself override it, and then read and map in
   * the order of the content, checking layout and size as {@link #read} does.
   *
   * @throws FilterFormatException as for {@link #read}
   */
  default FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return read(spec, layout, in, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  /**
   * Checks a filter's content without making the filter: refuses exactly what {@link #read}
   * refuses. This method reads it; variants that can do with less memory override it.
   *
   * @throws FilterFormatException as for {@link #read}
   */
  default void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
  }

  /**
   * Returns how many bits of a payload, from the first on, may be set, if filters of this variant
   * merge by the bitwise or of their payloads: {@link io.bloomery.file.FilterFiles#merge} then
   * merges files without loading them. Empty if they do not.
   *
   * @throws IllegalArgumentException if no filter of this variant has this layout, or a payload of
   *     this size with it; the reason is that of {@link #read}
   */
  default OptionalLong unionBits(FilterLayout layout, long payloadSize) {
    return OptionalLong.empty();
  }

  /**
   * Returns the positions that a query for a hash looks at in a table of any size, each from 0 to
   * {@code bits - 1}, one for each probe; empty if the variant does not tell. The conformance suite
   * compares them with small filters and tests how evenly they fall on tables too large to build:
   * where an {@code int} overflows, or a remainder prefers low positions, small tables show
   * nothing.
   *
   * @param bits the number of bits that queries look at, as in {@link FilterStats#sizeInBits}: that
   *     of a filter, or any other multiple of 4,096 for each probe
   * @param probes how many probes there are, as planned
   */
  default Optional<long[]> positions(long hash, long bits, int probes) {
    return Optional.empty();
  }
}
