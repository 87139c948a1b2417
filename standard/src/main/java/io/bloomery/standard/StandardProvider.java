package io.bloomery.standard;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Folding;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.PayloadInput;
import io.bloomery.internal.Sizing;
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
 * The provider of the standard Bloom filter, the smallest of the family that takes puts, at every
 * rate: 9.6 bits per key at 1 %. Source: Bloom, 1970, doi.org/10.1145/362686.362692.
 */
public final class StandardProvider extends TableProvider {

  /** Creates a provider, for ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public StandardProvider() {}

  @Override
  public String variant() {
    return "standard";
  }

  @Override
  protected TableLayout layoutFor(FilterSpec spec) {
    TableLayout layout = TableLayout.smallest(spec);
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(spec.expectedKeys());
    double excess;
    while ((excess = rate(spec.expectedKeys(), layout) / rate - 1) > 0) {
      long words = layout.bits() / Long.SIZE;
      // A table larger by a small share has a rate lower by less than k times that share.
      long more = 1 + (long) (words * excess / layout.probes());
      long bits = (words + more) * Long.SIZE;
      if (bits > BitTable.MAX_BITS) {
        throw TableLayout.tooLarge(spec, (double) bits);
      }
      layout = TableLayout.ofBits(bits).withProbes(layout.probes());
    }
    return layout;
  }

  @Override
  protected double rate(long keys, TableLayout layout) {
    int probes = layout.probes();
    return StrictMath.pow(Sizing.fill(keys, layout.bits() / Long.SIZE, probes), probes);
  }

  @Override
  protected Folding folding(TableLayout layout) {
    return Folding.of(layout.bits() / Long.SIZE, 1);
  }

  @Override
  protected FilterDescription describe(TableLayout layout) {
    return description(layout);
  }

  static FilterDescription description(TableLayout layout) {
    return FilterDescription.of(
            "one bit array; the bits of a key lie anywhere in it",
            layout.probes() == 1 ? "1 read" : layout.probes() + " reads")
        .meaning("bits", "bits that queries choose from")
        .meaning("probes", "bits that a query looks at, at most");
  }

  @Override
  protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
    return new StandardFilter(this, spec, layout, table);
  }

  @Override
  protected FilterView view(FilterSpec spec, TableLayout layout, PayloadInput in)
      throws IOException {
    return new MappedStandard(MappedTable.map(layout, in), spec, layout);
  }

  @Override
  protected Optional<Function<LiveTable, LivePuts>> livePuts(FilterSpec spec, TableLayout layout) {
    return Optional.of(
        table -> new LiveStandard(table, new MappedStandard(table.mapped(), spec, layout), layout));
  }

  @Override
  protected Optional<KeyEstimator> estimator(TableLayout layout) {
    return Optional.of(layout.estimator());
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    long[] positions = new long[probes];
    for (int i = 0; i < probes; i++) {
      positions[i] = WordProbes.position(hash, i, bits / Long.SIZE);
    }
    return Optional.of(positions);
  }
}
