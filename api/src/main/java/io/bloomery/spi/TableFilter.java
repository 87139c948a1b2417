package io.bloomery.spi;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;

/**
 * A filter that keeps its bits in one {@link BitTable}: everything but {@link #put} and {@link
 * #mightContain}, which belong in one flat loop each in the variant's own class.
 */
public abstract class TableFilter implements MergeableFilter {

  private final TableProvider provider;
  private final FilterSpec spec;
  private final TableLayout layout;
  private final BitTable table;
  private FilterLimits limits = FilterLimits.HEAP;

  /**
   * Makes a filter over a table, which it owns from now on.
   *
   * @throws IllegalArgumentException if the table has not as many bits as the layout
   */
  protected TableFilter(
      TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
    if (table.sizeInBits() != layout.bits()) {
      throw new IllegalArgumentException(
          "table must have the bits of its layout " + layout + ", but has " + table.sizeInBits());
    }
    this.provider = provider;
    this.spec = spec;
    this.layout = layout;
    this.table = table;
  }

  /** Returns the bits. */
  protected final BitTable table() {
    return table;
  }

  /** Returns the layout that it was made with. */
  protected final TableLayout tableLayout() {
    return layout;
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }

  @Override
  public final FilterLimits limits() {
    return limits;
  }

  /** Sets the limits, before anybody else sees this filter. */
  final void limit(FilterLimits limits) {
    this.limits = limits;
  }

  @Override
  public final FilterDescription description() {
    return provider.describe(layout);
  }

  @Override
  public final String variant() {
    return provider.variant();
  }

  @Override
  public final FilterLayout layout() {
    return layout.toLayout();
  }

  /** {@inheritDoc} A variant whose probes do not fall anywhere in the table measures it itself. */
  @Override
  public FilterStats stats() {
    return layout.stats(spec, table.countSetBits());
  }

  @Override
  public final Filter copy() {
    return provider.wrap(spec, layout, table.copy(), limits);
  }

  @Override
  public final void clear() {
    table.clear();
  }

  @Override
  public final long payloadSize() {
    return table.sizeInBits() / Byte.SIZE;
  }

  @Override
  public final void writePayload(PayloadOutput out) throws IOException {
    out.begin(payloadSize());
    table.write(out);
  }

  @Override
  public final void putAll(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
    merge(((TableFilter) other).table);
  }

  /**
   * Sets every bit that is set in {@code other}, a table of the same layout, bit by bit. A variant
   * whose shared puts write whole words under a stripe overrides this to take the same stripes, or
   * a put would undo what a merge does beside it.
   */
  protected void merge(BitTable other) {
    table.or(other);
  }

  @Override
  public final String toString() {
    return variant() + layout() + " for " + spec;
  }
}
