package io.bloomery.spi;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterBits;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.Folding;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * A skeleton of filters that store their bits in one {@link BitTable}. It implements everything
 * except {@link #put} and {@link #mightContain}, each of which belongs in one flat loop in the
 * variant's own class.
 */
public abstract class TableFilter implements MergeableFilter {

  private final TableProvider provider;
  private final FilterSpec spec;
  private final TableLayout layout;
  private final BitTable table;
  private FilterLimits limits = FilterLimits.HEAP;

  /**
   * Creates a filter over a table, of which it takes ownership.
   *
   * @throws IllegalArgumentException if the table and the layout differ in the number of bits
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

  /** Returns the table of bits. */
  protected final BitTable table() {
    return table;
  }

  /** Returns the layout that this filter was created with. */
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

  /** Sets the limits, before this filter is published. */
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

  /**
   * {@inheritDoc} A variant whose probes are not uniform over the whole table overrides this
   * method.
   */
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

  /** {@inheritDoc} If the larger of two filters would fit when folded, the reason says so. */
  @Override
  public Optional<String> incompatibility(Filter other) {
    return MergeableFilter.super
        .incompatibility(other)
        .map(reason -> other instanceof TableFilter table ? reason + hint(table) : reason);
  }

  private String hint(TableFilter other) {
    boolean isLarger = layout.bits() > other.layout.bits();
    TableFilter larger = isLarger ? this : other;
    TableFilter smaller = isLarger ? other : this;
    int factor = (int) (larger.layout.bits() / smaller.layout.bits());
    return getClass() == other.getClass()
            && spec.hashId().equals(other.spec.hashId())
            && spec.keyForm().equals(other.spec.keyForm())
            && factor > 1
            && larger.folding().refusal(factor).isEmpty()
            && larger.provider.folded(larger.layout, factor).equals(smaller.layout)
        ? "; the larger one fits after folded(" + factor + ")"
        : "";
  }

  @Override
  public final Folding folding() {
    return provider.folding(spec, layout);
  }

  @Override
  public final MergeableFilter folded(int factor) {
    Folding folding = folding();
    folding
        .refusal(factor)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filter cannot be folded: " + reason);
            });
    if (factor == 1) {
      return (MergeableFilter) copy();
    }
    TableLayout smaller = provider.folded(layout, factor);
    return provider.wrap(
        provider.folded(spec, smaller),
        smaller,
        table.folded(smaller.bits(), factor, folding.wordsPerPlace()),
        limits);
  }

  @Override
  public final MergeableFilter intersection(Filter other) {
    intersectionRefusal(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("there is no intersection: " + reason);
            });
    FilterSpec marked = spec.intersection(other.spec());
    return provider.wrap(marked, layout, table.and(((TableFilter) other).table), limits);
  }

  @Override
  public final boolean hasIntersections() {
    return true;
  }

  @Override
  public final Optional<FilterBits> overlapBits() {
    return provider.overlapBits(spec, layout, i -> table.word((int) i));
  }

  /**
   * Sets every bit that is set in {@code other}, a table of the same layout, bit by bit. A variant
   * whose shared puts write whole words under a stripe overrides this method to lock the same
   * stripes, or a put would overwrite bits set by a concurrent merge.
   */
  protected void merge(BitTable other) {
    table.or(other);
  }

  @Override
  public final String toString() {
    return variant() + layout() + " for " + spec;
  }
}
