package io.bloomery.conformance;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.io.IOException;

/**
 * Filters with a known fault that a rule must detect, or the run is inconclusive: one for each
 * technique by which rules detect faults.
 */
enum Canary {
  /** Put does not set the last bit of a hash. */
  LEAVES_OUT_A_BIT(Rule.R01),
  /** The table has half the bits that the rate requires. */
  HALF_THE_SIZE(Rule.R11),
  /** A layout is read from a file without checks. */
  TRUSTS_LAYOUTS(Rule.R38),
  /** Writes of two threads to one word are not synchronised. */
  LOSES_UPDATES(Rule.R40);

  private final Rule rule;

  Canary(Rule rule) {
    this.rule = rule;
  }

  /** Returns the rule that must detect the fault. */
  Rule rule() {
    return rule;
  }

  FilterProvider provider() {
    return switch (this) {
      case LEAVES_OUT_A_BIT -> new TableCanary(2, 1);
      case HALF_THE_SIZE -> new TableCanary(1, 0);
      case TRUSTS_LAYOUTS -> new Trusting();
      case LOSES_UPDATES -> new Careless();
    };
  }

  /** A minimal Bloom filter with some bits or probes missing. */
  private static class TableCanary extends TableProvider {
    private final int halvesOfSize;
    private final int bitsLeftOut;

    TableCanary(int halvesOfSize, int bitsLeftOut) {
      this.halvesOfSize = halvesOfSize;
      this.bitsLeftOut = bitsLeftOut;
    }

    @Override
    public String variant() {
      return "canary";
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout needed = TableLayout.smallest(spec);
      long words = needed.bits() / Long.SIZE * halvesOfSize / 2;
      return TableLayout.ofBits(Math.max(1, words) * Long.SIZE).withProbes(needed.probes());
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      return layout.falsePositiveRate(keys);
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      int probes = layout.probes();
      return new TableFilter(this, spec, layout, table) {
        @Override
        public boolean put(long hash) {
          boolean changed = false;
          long probe = hash;
          for (int i = 0; i < Math.max(1, probes - bitsLeftOut); i++) {
            changed |= table.set(Probes.within(table.sizeInBits()).position(probe));
            probe = Probes.next(probe);
          }
          return changed;
        }

        @Override
        public boolean mightContain(long hash) {
          long probe = hash;
          for (int i = 0; i < probes; i++) {
            if (!table.get(Probes.within(table.sizeInBits()).position(probe))) {
              return false;
            }
            probe = Probes.next(probe);
          }
          return true;
        }
      };
    }
  }

  /** A provider without faults but in how it reads. */
  private static final class Trusting implements FilterProvider {
    private final FilterProvider sound = new TableCanary(2, 0);

    @Override
    public String variant() {
      return sound.variant();
    }

    @Override
    public Class<? extends Filter> filterType() {
      return sound.filterType();
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return sound.plan(spec);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      return sound.create(spec, mode, limits);
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      TableLayout trusted = TableLayout.of(layout);
      return sound.read(spec, trusted.toLayout(), in, mode, limits);
    }
  }

  /** A provider whose tables are all for one thread. */
  private static final class Careless extends TableCanary {
    Careless() {
      super(2, 0);
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      BitTable confined = new BitTable(layout.bits(), ThreadMode.CONFINED);
      confined.or(table);
      return super.wrap(spec, layout, confined);
    }
  }
}
