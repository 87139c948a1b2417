package io.bloomery;

import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;

/** A variant written the plainest way, for tests of what all variants share. */
public class PlainProvider extends TableProvider {

  private final String variant;

  public PlainProvider() {
    this("plain");
  }

  PlainProvider(String variant) {
    this.variant = variant;
  }

  @Override
  public String variant() {
    return variant;
  }

  @Override
  protected TableLayout smallest(FilterSpec spec) {
    return TableLayout.smallest(spec);
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return Sizing.rate(keys, layout.bits(), layout.probes());
  }

  @Override
  protected TableFilter wrap(FilterSpec spec, BitTable table, int probes) {
    return new PlainFilter(this, spec, table, probes);
  }

  private static final class PlainFilter extends TableFilter {
    private final int probes;

    PlainFilter(PlainProvider provider, FilterSpec spec, BitTable table, int probes) {
      super(provider, spec, table, probes);
      this.probes = probes;
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
          changed |= table().set(Probes.position(probe, table().sizeInBits()));
          probe = Probes.next(probe);
        }
        return changed;
      } finally {
        table().unlock(stripe);
      }
    }

    @Override
    public boolean mightContain(long hash) {
      long probe = hash;
      for (int i = 0; i < probes; i++) {
        if (!table().get(Probes.position(probe, table().sizeInBits()))) {
          return false;
        }
        probe = Probes.next(probe);
      }
      return true;
    }
  }
}
