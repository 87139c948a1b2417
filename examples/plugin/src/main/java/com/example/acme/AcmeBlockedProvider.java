package com.example.acme;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableBlocks;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Provides filters that keep all bits of a key in one cache line: a whole variant in one file. */
public final class AcmeBlockedProvider extends TableProvider {

  private static final TableBlocks BLOCKS = TableBlocks.ofBits(512);

  @Override
  public String variant() {
    return "acme-blocked";
  }

  @Override
  protected TableLayout layoutFor(FilterSpec spec) {
    return BLOCKS.smallest(spec);
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return BLOCKS.falsePositiveRate(keys, layout);
  }

  @Override
  protected Set<String> furtherNumbers() {
    return Set.of(TableBlocks.BLOCK_BITS);
  }

  @Override
  protected void checkLayout(TableLayout layout) {
    BLOCKS.check(layout);
  }

  @Override
  protected FilterDescription describe(TableLayout layout) {
    return FilterDescription.of("blocks; all bits of a key lie in one of them", "1 cache line")
        .meaning("bits", "bits of all blocks")
        .meaning("probes", "bits that a query looks at, at most")
        .meaning(TableBlocks.BLOCK_BITS, "bits of each block");
  }

  @Override
  protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
    return new Blocked(this, spec, layout, table);
  }

  @Override
  protected FilterView view(FilterSpec spec, TableLayout layout, PayloadInput in)
      throws IOException {
    return new MappedBlocked(this, spec, layout, MappedTable.map(layout, in));
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    long[] positions = new long[probes];
    long block = blocks(bits).position(hash) << 9;
    long probe = Probes.next(hash);
    for (int i = 0; i < probes; i++, probe = Probes.next(probe)) {
      positions[i] = block | probe >>> 55;
    }
    return Optional.of(positions);
  }

  /** Returns what maps hashes to the blocks of a table; nine bits of a probe pick a bit of one. */
  private static Probes blocks(long bits) {
    return Probes.within(bits >>> 9);
  }

  private static final class Blocked extends TableFilter {
    Blocked(TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
      super(provider, spec, layout, table);
    }

    @Override
    public boolean mightContain(long hash) {
      boolean all = true;
      long block = blocks(tableLayout().bits()).position(hash) << 9;
      long probe = Probes.next(hash);
      for (int i = 0; i < tableLayout().probes() && all; i++, probe = Probes.next(probe)) {
        all = table().get(block | probe >>> 55);
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
        long block = blocks(tableLayout().bits()).position(hash) << 9;
        long probe = Probes.next(hash);
        for (int i = 0; i < tableLayout().probes(); i++, probe = Probes.next(probe)) {
          changed |= table().set(block | probe >>> 55);
        }
        return changed;
      } finally {
        table().unlock(stripe);
      }
    }

    @Override
    public FilterStats stats() {
      return BLOCKS.stats(spec(), tableLayout(), table());
    }
  }

  private record MappedBlocked(
      AcmeBlockedProvider provider, FilterSpec spec, TableLayout layout, MappedTable table)
      implements FilterView {
    @Override
    public boolean mightContain(long hash) {
      boolean all = true;
      long block = blocks(layout.bits()).position(hash) << 9;
      long probe = Probes.next(hash);
      for (int i = 0; i < layout.probes() && all; i++, probe = Probes.next(probe)) {
        all = table.get(block | probe >>> 55);
      }
      return all;
    }

    @Override
    public FilterStats stats() {
      return BLOCKS.stats(spec, layout, table);
    }

    @Override
    public FilterDescription description() {
      return provider.describe(layout);
    }
  }
}
