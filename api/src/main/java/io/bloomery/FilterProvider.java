package io.bloomery;

import java.io.IOException;
import java.util.Map;

/**
 * Creates, plans and reads the filters of one variant.
 *
 * <p>To add a variant, implement this interface in a public class with a public constructor without
 * arguments and name the class both in {@code META-INF/services/io.bloomery.FilterProvider} and
 * under {@code provides} in the module descriptor; {@link Bloomery#installed} then finds it. The
 * package {@code io.bloomery.spi} has what most variants need: {@link
 * io.bloomery.spi.TableProvider} and {@link io.bloomery.spi.TableFilter} leave little more to write
 * than put, mightContain and the size. The module {@code bloomery-conformance-tests} proves the
 * result right.
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
   * Creates an empty filter as planned.
   *
   * @throws IllegalArgumentException as for {@link #plan}, or if the memory needed exceeds the heap
   */
  Filter create(FilterSpec spec, ThreadMode mode);

  /**
   * Reads a filter that {@link Filter#writePayload} wrote. The layout is the truth: it is checked
   * for range and against the size of the payload, never computed again from the spec.
   *
   * @throws FilterFormatException if layout or content could not have been written by this variant;
   *     nothing else, whatever the bytes
   */
  Filter read(FilterSpec spec, Map<String, Long> layout, PayloadInput in, ThreadMode mode)
      throws IOException;

  /**
   * Makes what answers queries from a filter's content where it lies in its file. This method reads
   * the content into memory and answers from the filter that {@link #read} makes of it, which suits
   * every variant; those that answer from the mapping itself override it, and then read and map in
   * the order of the content, checking layout and size as {@link #read} does.
   *
   * @throws FilterFormatException as for {@link #read}
   */
  default FilterView map(FilterSpec spec, Map<String, Long> layout, MappedPayload in)
      throws IOException {
    return read(spec, layout, in, ThreadMode.SHARED);
  }
}
