package io.bloomery.filter;

import io.bloomery.internal.MissingAbility;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A provider of filters that accept puts.
 *
 * <p>To add a variant, implement this interface in a public class with a public constructor without
 * arguments and name the class both in {@code META-INF/services/io.bloomery.filter.FilterProvider}
 * and under {@code provides} in the module descriptor; {@link io.bloomery.Bloomery#installed} then
 * finds it. The package {@code io.bloomery.spi} has what most variants need: {@link
 * io.bloomery.spi.TableProvider} and {@link io.bloomery.spi.TableFilter} leave little more to
 * implement than put, mightContain and the size. The module {@code bloomery-conformance-tests}
 * tests implementations.
 */
public non-sealed interface FilterProvider extends VariantProvider {

  @Override
  Class<? extends Filter> filterType();

  /**
   * Creates an empty filter as planned. This allocates at most twice the planned heap and 64 KiB,
   * and so does a copy.
   *
   * @throws IllegalArgumentException as for {@link #plan}, or if the filter exceeds the limits or
   *     the heap
   */
  Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits);

  /** Creates an empty filter that only the heap limits. */
  default Filter create(FilterSpec spec, ThreadMode mode) {
    return create(spec, mode, FilterLimits.HEAP);
  }

  @Override
  Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException;

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
   * Returns the bits of a saved filter, as {@link FilterView#overlapBits} does of a filter, without
   * loading them; by default none.
   *
   * @param in the content, to be mapped
   * @throws IOException if it cannot be mapped
   */
  default Optional<FilterBits> overlapBits(FilterSpec spec, FilterLayout layout, PayloadInput in)
      throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the layout of filters for {@code spec} that live in their files: their content is a
   * mapped file, into which keys are put. Of an empty one it is all zero, and as large as planned.
   * Empty if this variant has none, as by default.
   *
   * @throws IllegalArgumentException as for {@link #plan}
   */
  default Optional<FilterLayout> liveLayout(FilterSpec spec) {
    return Optional.empty();
  }

  /**
   * Returns the puts into a filter that lives in its file. What they set is what {@link Filter#put}
   * sets in a filter of the same layout, and the view that {@link #map} returns of the same content
   * sees it.
   *
   * @throws IllegalArgumentException if this variant has no such filters, or none of this layout
   *     and size
   */
  default LivePuts livePuts(FilterSpec spec, FilterLayout layout, LivePayload payload) {
    throw new IllegalArgumentException(MissingAbility.living(variant()));
  }
}
