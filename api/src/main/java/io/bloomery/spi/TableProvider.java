package io.bloomery.spi;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.PayloadInput;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** A provider of {@link TableFilter}s: planning, creating and reading, given the sizes. */
public abstract class TableProvider implements FilterProvider {

  /** For subclasses. */
  protected TableProvider() {}

  /**
   * Returns the smallest layout that keeps {@code spec}.
   *
   * @throws IllegalArgumentException if there is none; the message says what could be kept
   */
  protected abstract TableLayout smallest(FilterSpec spec);

  /** Returns the rate to expect after so many different keys, for hashes that never collide. */
  protected abstract double rate(long keys, TableLayout layout);

  /** Makes a filter over bits that are clear, copied or read from a file. */
  protected abstract TableFilter over(FilterSpec spec, BitTable table, int probes);

  /**
   * Checks a layout that stands in a file, beyond the ranges of {@link TableLayout}.
   *
   * @throws IllegalArgumentException if no filter of this variant has it
   */
  protected void check(TableLayout layout) {}

  /**
   * Checks bits that stand in a file.
   *
   * @throws IllegalArgumentException if no filter of this variant has them
   */
  protected void check(BitTable table, int probes) {}

  @Override
  public final FilterPlan plan(FilterSpec spec) {
    return new TablePlan(this, spec, smallest(spec));
  }

  @Override
  public final Filter create(FilterSpec spec, ThreadMode mode) {
    Objects.requireNonNull(mode, "mode");
    TableLayout layout = smallest(spec);
    return over(spec, new BitTable(layout.bits(), mode), layout.probes());
  }

  @Override
  public final Filter read(
      FilterSpec spec, Map<String, Long> numbers, PayloadInput in, ThreadMode mode)
      throws IOException {
    TableLayout layout = layout(numbers, in);
    BitTable table = BitTable.read(layout.bits(), in, mode);
    try {
      check(table, layout.probes());
    } catch (IllegalArgumentException e) {
      throw in.malformed(e.getMessage());
    }
    return over(spec, table, layout.probes());
  }

  /**
   * Returns the layout that stands in a file, if a filter of this variant has it, and as much
   * content.
   */
  protected final TableLayout layout(Map<String, Long> numbers, PayloadInput in)
      throws FilterFormatException {
    TableLayout layout;
    try {
      layout = TableLayout.of(numbers);
      check(layout);
    } catch (IllegalArgumentException e) {
      throw in.malformed(e.getMessage());
    }
    if (in.size() != layout.bits() / Byte.SIZE) {
      throw in.malformed(
          "payload must have "
              + layout.bits() / Byte.SIZE
              + " bytes for "
              + layout.bits()
              + " bits, but has "
              + in.size());
    }
    return layout;
  }

  private record TablePlan(TableProvider provider, FilterSpec spec, TableLayout layout)
      implements FilterPlan {

    @Override
    public String variant() {
      return provider.variant();
    }

    @Override
    public long sizeInBits() {
      return layout.bits();
    }

    @Override
    public int probes() {
      return layout.probes();
    }

    @Override
    public double rate(long keys) {
      return Math.min(1, provider.rate(keys, layout) + Sizing.collisionRate(keys));
    }
  }
}
