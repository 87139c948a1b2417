package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.FilterView;
import io.bloomery.MappedPayload;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.ProbePositions;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.util.Map;

/**
 * Provides the Bloom filter that keeps all bits of a key in one block of 256 bits, the fastest of
 * the family: a query reads half a cache line, whatever the rate. It takes 15 % more bits than the
 * standard filter at a rate of 5 %, 9 % more at 1 %, 17 % more at 0.1 % and 2.2 times as many at
 * 10^-6, which is the lowest rate it keeps. Source of the idea: Putze, Sanders, Singler, 2007,
 * doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class SplitBlockProvider extends TableProvider implements ProbePositions {

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public SplitBlockProvider() {}

  @Override
  public String variant() {
    return "split-block";
  }

  @Override
  protected TableLayout smallest(FilterSpec spec) {
    return new TableLayout(Blocks.fewest(spec) * Blocks.BLOCK_BITS, Blocks.PROBES);
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    return Blocks.rate(keys, layout.bits() / Blocks.BLOCK_BITS);
  }

  @Override
  protected TableFilter over(FilterSpec spec, BitTable table, int probes) {
    return new SplitBlockFilter(this, spec, table);
  }

  @Override
  public FilterView map(FilterSpec spec, Map<String, Long> numbers, MappedPayload in)
      throws IOException {
    TableLayout layout = layout(numbers, in);
    return new MappedSplitBlock(MappedTable.map(layout.bits(), in));
  }

  @Override
  public long[] positions(long hash, long bits, int probes) {
    return SplitBlockFilter.positions(hash, bits / Blocks.BLOCK_BITS);
  }

  @Override
  protected void check(TableLayout layout) {
    if (layout.bits() % Blocks.BLOCK_BITS != 0) {
      throw new IllegalArgumentException(
          "bits must be whole blocks of "
              + Blocks.BLOCK_BITS
              + " in a split-block filter, but was "
              + layout.bits());
    }
    if (layout.probes() != Blocks.PROBES) {
      throw new IllegalArgumentException(
          "probes must be "
              + Blocks.PROBES
              + " in a split-block filter, but was "
              + layout.probes());
    }
  }
}
