package io.bloomery.conformance.broken;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;

/** A Bloom filter in as few lines as possible, and right until a method is overridden. */
public class ReferenceProvider extends TableProvider {

  @Override
  public String variant() {
    return "reference";
  }

  @Override
  protected TableLayout layoutFor(FilterSpec spec) {
    return TableLayout.smallest(spec);
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return Sizing.rate(keys, layout.bits(), layout.probes());
  }

  /** Returns the layout of content that is read, of bits and probes alone. */
  static TableLayout layout(FilterLayout numbers, PayloadInput in) throws FilterFormatException {
    try {
      return TableLayout.of(numbers);
    } catch (IllegalArgumentException e) {
      throw in.malformed(e.getMessage());
    }
  }

  /** Returns where the i-th bit of a hash lies. */
  protected long position(long hash, int i, long bits) {
    long probe = hash;
    for (int step = 0; step < i; step++) {
      probe = Probes.next(probe);
    }
    return Probes.within(bits).position(probe);
  }

  /** Sets all bits of a hash, and returns whether one of them was clear. */
  protected boolean set(BitTable table, long hash, int probes) {
    int stripe = table.lock(hash);
    try {
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        changed |= table.set(position(hash, i, table.sizeInBits()));
      }
      return changed;
    } finally {
      table.unlock(stripe);
    }
  }

  /** Returns whether all bits of a hash are set. */
  protected boolean contains(BitTable table, long hash, int probes) {
    for (int i = 0; i < probes; i++) {
      if (!table.get(position(hash, i, table.sizeInBits()))) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected final TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
    return new ReferenceFilter(spec, layout, table);
  }

  private final class ReferenceFilter extends TableFilter {
    private final int probes;

    ReferenceFilter(FilterSpec spec, TableLayout layout, BitTable table) {
      super(ReferenceProvider.this, spec, layout, table);
      this.probes = layout.probes();
    }

    @Override
    public boolean put(long hash) {
      return !mightContain(hash) && set(table(), hash, probes);
    }

    @Override
    public boolean mightContain(long hash) {
      return contains(table(), hash, probes);
    }
  }
}
