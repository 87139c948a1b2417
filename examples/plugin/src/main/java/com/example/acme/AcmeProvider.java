package com.example.acme;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;

/** Provides filters whose table has a power of two bits. */
public final class AcmeProvider extends TableProvider {

  /** For ServiceLoader. */
  public AcmeProvider() {}

  @Override
  public String variant() {
    return "acme-power-of-two";
  }

  @Override
  protected TableLayout layoutFor(FilterSpec spec) {
    TableLayout smallest = TableLayout.smallest(spec);
    // More bits with as many probes: the rate can only fall.
    long bits = Long.highestOneBit(2 * smallest.bits() - 1);
    return TableLayout.ofBits(bits).withProbes(smallest.probes());
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return layout.falsePositiveRate(keys);
  }

  @Override
  protected FilterDescription describe(TableLayout layout) {
    return FilterDescription.of(
            "one bit array whose size is a power of two", layout.probes() + " reads")
        .meaning("bits", "bits that queries choose from, a power of two")
        .meaning("probes", "bits that a query looks at, at most");
  }

  @Override
  protected void checkLayout(TableLayout layout) {
    if (Long.bitCount(layout.bits()) != 1) {
      throw new IllegalArgumentException("bits must be a power of two, but was " + layout.bits());
    }
  }

  @Override
  protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
    return new AcmeFilter(this, spec, layout, table);
  }
}
