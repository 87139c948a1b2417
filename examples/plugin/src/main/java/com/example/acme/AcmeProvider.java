package com.example.acme;

import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Sizing;
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
  protected TableLayout smallest(FilterSpec spec) {
    TableLayout least = Sizing.smallest(spec);
    // More bits with as many probes: the rate can only fall.
    long bits = Long.highestOneBit(2 * least.bits() - 1);
    return new TableLayout(bits, least.probes());
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return Sizing.rate(keys, layout.bits(), layout.probes());
  }

  @Override
  protected void check(TableLayout layout) {
    if (Long.bitCount(layout.bits()) != 1) {
      throw new IllegalArgumentException("bits must be a power of two, but was " + layout.bits());
    }
  }

  @Override
  protected TableFilter over(FilterSpec spec, BitTable table, int probes) {
    return new AcmeFilter(this, spec, table, probes);
  }
}
