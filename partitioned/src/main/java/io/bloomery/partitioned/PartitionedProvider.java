package io.bloomery.partitioned;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Folding;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.PayloadInput;
import io.bloomery.internal.WordProbes;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.LiveTable;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * The provider of the partitioned Bloom filter: k slices of equal size, with one bit of each key in
 * every slice. Its rate is an exact formula, not a bound, and each slice is a range of words that
 * can be stored and queried separately. It takes the bits of the standard filter, or up to k words
 * more. Source: Almeida, Baquero, Preguica, Hutchison, 2007, doi.org/10.1016/j.ipl.2006.10.007.
 */
public final class PartitionedProvider extends TableProvider {

  /** Creates a provider, for ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public PartitionedProvider() {}

  @Override
  public String variant() {
    return "partitioned";
  }

  @Override
  protected TableLayout layoutFor(FilterSpec spec) {
    return SliceSizing.smallest(spec);
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    long sliceWords = sliceWords(layout.bits(), layout.probes());
    return SliceSizing.rate(keys, sliceWords, layout.probes());
  }

  @Override
  protected Folding folding(TableLayout layout) {
    return Folding.of(sliceWords(layout.bits(), layout.probes()), 1);
  }

  @Override
  protected FilterDescription describe(TableLayout layout) {
    return description(layout);
  }

  static FilterDescription description(TableLayout layout) {
    return FilterDescription.of(
            "one slice of the bit array per hash function; a key has one bit in each",
            layout.probes() == 1 ? "1 read" : layout.probes() + " reads")
        .meaning("bits", "bits of all slices")
        .meaning("probes", "bits that a query looks at, at most")
        .part("slices", layout.probes(), "one for each hash function")
        .part(
            "slice-bits",
            sliceWords(layout.bits(), layout.probes()) * Long.SIZE,
            "bits of each slice");
  }

  @Override
  protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
    return new PartitionedFilter(this, spec, layout, table);
  }

  @Override
  protected FilterView view(FilterSpec spec, TableLayout layout, PayloadInput in)
      throws IOException {
    return new MappedPartitioned(MappedTable.map(layout, in), spec, layout);
  }

  @Override
  protected Optional<Function<LiveTable, LivePuts>> livePuts(FilterSpec spec, TableLayout layout) {
    return Optional.of(
        table ->
            new LivePartitioned(
                table, new MappedPartitioned(table.mapped(), spec, layout), layout));
  }

  @Override
  protected Optional<KeyEstimator> estimator(TableLayout layout) {
    int slices = layout.probes();
    return Optional.of(new SliceEstimator(slices, sliceWords(layout.bits(), slices)));
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    long sliceWords = sliceWords(bits, probes);
    long[] positions = new long[probes];
    for (int i = 0; i < probes; i++) {
      long inSlice = WordProbes.position(hash, i, sliceWords);
      positions[i] = i * sliceWords * Long.SIZE + inSlice;
    }
    return Optional.of(positions);
  }

  @Override
  protected void checkLayout(TableLayout layout) {
    if (sliceWords(layout.bits(), layout.probes()) == 0) {
      throw new IllegalArgumentException(
          "each slice must have at least one word of 64 bits, but "
              + layout.probes()
              + " slices share "
              + layout.bits()
              + " bits");
    }
  }

  @Override
  protected long usableBits(TableLayout layout) {
    return layout.probes() * sliceWords(layout.bits(), layout.probes()) * Long.SIZE;
  }

  /** Returns the number of words per slice; fewer than {@code slices} words remain. */
  static long sliceWords(long bits, int slices) {
    return bits / Long.SIZE / slices;
  }
}
