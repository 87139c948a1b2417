package com.example.acme;

import io.bloomery.filter.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;

/** A Bloom filter whose table has a power of two bits, so that a position is a shift away. */
final class AcmeFilter extends TableFilter {

  private final int shift;
  private final int probes;

  AcmeFilter(TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
    super(provider, spec, layout, table);
    this.shift = 1 + Long.numberOfLeadingZeros(table.sizeInBits());
    this.probes = layout.probes();
  }

  @Override
  public boolean mightContain(long hash) {
    boolean all = true;
    long probe = hash;
    for (int i = 0; i < probes && all; i++) {
      all = table().get(probe >>> shift);
      probe = Probes.next(probe);
    }
    return all;
  }

  @Override
  public boolean put(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    int stripe = table().lock(hash);
    try {
      boolean changed = false;
      long probe = hash;
      for (int i = 0; i < probes; i++) {
        changed |= table().set(probe >>> shift);
        probe = Probes.next(probe);
      }
      return changed;
    } finally {
      table().unlock(stripe);
    }
  }
}
