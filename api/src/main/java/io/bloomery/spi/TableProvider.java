package io.bloomery.spi;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterBits;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Folding;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.PlanText;
import io.bloomery.internal.RecentValues;
import io.bloomery.internal.Sizing;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * A skeleton of providers of {@link TableFilter}s, which plans, creates and reads them from a
 * layout chosen by the subclass.
 */
public abstract class TableProvider implements FilterProvider {

  /** A table that folds is larger by at most one of so many of its places. */
  private static final int LARGER = 200;

  @SuppressWarnings("this-escape") // called for the first plan only, and not by the constructor
  private final RecentValues<FilterSpec, TableLayout> layouts = new RecentValues<>(this::planned);

  /** For subclasses. */
  protected TableProvider() {}

  /**
   * Returns the layout of filters for {@code spec}: the smallest that satisfies it. Results for
   * equal specs must be equal; those of the most recent specs are cached.
   *
   * @throws IllegalArgumentException if there is none; the message names a spec that can be
   *     satisfied
   */
  protected abstract TableLayout layoutFor(FilterSpec spec);

  /**
   * Returns the expected false-positive probability after insertion of {@code keys} distinct keys,
   * for hashes that never collide.
   */
  protected abstract double rate(long keys, TableLayout layout);

  /**
   * Returns a filter over a table of a layout, whose bits are clear, copied or read from a file.
   */
  protected abstract TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table);

  final TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table, FilterLimits limits) {
    TableFilter filter = wrap(spec, layout, table);
    filter.limit(limits);
    return filter;
  }

  /**
   * Returns a description of filters of a layout; the default implementation has the cost of a
   * query.
   */
  protected FilterDescription describe(TableLayout layout) {
    return FilterDescription.of("", layout.probes() == 1 ? "1 read" : layout.probes() + " reads");
  }

  @Override
  public Class<? extends Filter> filterType() {
    return TableFilter.class;
  }

  /**
   * Returns the names of the numbers of a layout besides {@code bits} and {@code probes}; by
   * default none. A file whose layout has other names, or lacks one of these, is rejected.
   */
  protected Set<String> furtherNumbers() {
    return Set.of();
  }

  /**
   * Checks the numbers of a layout read from a file, beyond the ranges of {@link TableLayout}.
   *
   * @throws IllegalArgumentException if no filter of this variant has it
   */
  protected void checkLayout(TableLayout layout) {}

  /** Returns the number of leading bits of the table that may ever be set. */
  protected long usableBits(TableLayout layout) {
    return layout.bits();
  }

  /**
   * Returns how tables of a layout fold; by default not at all. A variant whose tables do overrides
   * this method: every {@code f} neighbouring places of a larger table must be one place of that
   * with an {@code f}-th of the places, and the bits of a hash within its place must not depend on
   * the size.
   */
  protected Folding folding(TableLayout layout) {
    return Folding.none(MissingAbility.folding(variant()));
  }

  /** Returns how filters fold: by factors that leave a rate which a spec can have. */
  final Folding folding(FilterSpec spec, TableLayout layout) {
    if (spec.attributes().containsKey(Attributes.SHARD)) {
      return Folding.none(
          "a shard has the layout of all shards of its filter and does not fold by itself; make the"
              + " shards again for as many keys as there are");
    }
    return folding(layout).only(factor -> rateOf(spec, folded(layout, factor)) < 1);
  }

  /** Returns the layout for a spec, of a larger table if it asks for one that folds. */
  private TableLayout planned(FilterSpec spec) {
    TableLayout layout = layoutFor(spec);
    int[] factors = spec.isFoldable() ? folding(layout).factors() : new int[] {1};
    // Of a part of the table; none where it does not fold.
    long places = factors.length == 0 ? 1 : factors[factors.length - 1];
    long bitsOfPlaces = usableBits(layout) / places;
    for (long power = Long.highestOneBit(places); power > 1; power /= 2) {
      long more = (places + power - 1) / power * power;
      long bits = bitsOfPlaces * more;
      if ((more - places) * LARGER <= places && bits <= BitTable.MAX_BITS) {
        TableLayout larger = layout.with("bits", bits);
        if (new TablePlan(this, spec, larger).falsePositiveRate(spec.expectedKeys())
            <= spec.falsePositiveRate()) {
          return larger;
        }
      }
    }
    return layout;
  }

  /** Returns the layout of a table that is folded by a factor. */
  final TableLayout folded(TableLayout layout, int factor) {
    return layout.with("bits", usableBits(layout) / factor);
  }

  /** Returns the spec of a filter that is folded to a layout. */
  final FilterSpec folded(FilterSpec spec, TableLayout smaller) {
    return FilterSpec.of(spec.expectedKeys(), rateOf(spec, smaller), spec.hashId())
        .withAttributes(spec.attributes());
  }

  private double rateOf(FilterSpec spec, TableLayout smaller) {
    return Math.max(
        spec.falsePositiveRate(),
        new TablePlan(this, spec, smaller).falsePositiveRate(spec.expectedKeys()));
  }

  @Override
  public final OptionalLong unionBits(FilterLayout numbers, long payloadSize) {
    return OptionalLong.of(usableBits(layout(numbers, payloadSize)));
  }

  /**
   * Returns the estimator of the number of keys in tables of a layout, by which filters of this
   * variant are compared by {@link io.bloomery.filter.Overlap}; by default none. Its estimate,
   * rounded, is that of {@link TableFilter#stats}.
   */
  protected Optional<KeyEstimator> estimator(TableLayout layout) {
    return Optional.empty();
  }

  final Optional<FilterBits> overlapBits(
      FilterSpec spec, TableLayout layout, LongUnaryOperator words) {
    return estimator(layout)
        .map(keys -> new FilterBits(variant(), spec, layout.toLayout(), words, keys));
  }

  @Override
  public final Optional<FilterBits> overlapBits(
      FilterSpec spec, FilterLayout numbers, PayloadInput in) throws IOException {
    TableLayout layout = layout(numbers, in);
    MappedTable table = MappedTable.map(layout, in);
    return overlapBits(spec, layout, table::word);
  }

  private TableLayout layout(FilterLayout numbers, long payloadSize) {
    TableLayout layout = TableLayout.of(numbers, furtherNumbers());
    checkLayout(layout);
    if (payloadSize != layout.bits() / Byte.SIZE) {
      throw new IllegalArgumentException(
          "payload must have "
              + layout.bits() / Byte.SIZE
              + " bytes for "
              + layout.bits()
              + " bits, but has "
              + payloadSize);
    }
    return layout;
  }

  @Override
  public final FilterPlan plan(FilterSpec spec) {
    return new TablePlan(this, spec, layouts.get(spec));
  }

  @Override
  public final Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    TableLayout layout = layouts.get(spec);
    long bytes = layout.bits() / Byte.SIZE;
    limits.check(bytes);
    try {
      return wrap(spec, layout, new BitTable(layout.bits(), mode), limits);
    } catch (OutOfMemoryError e) {
      // A table that just fits leaves no room for anything else; it is unreachable by now.
      throw HeapLimit.tooLowFor("a filter", bytes);
    }
  }

  @Override
  public final Filter read(
      FilterSpec spec, FilterLayout numbers, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(limits, "limits");
    return read(spec, layout(numbers, in), in, mode, limits);
  }

  private Filter read(
      FilterSpec spec, TableLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    BitTable table = BitTable.read(layout.bits(), in, mode);
    if (usableBits(layout) < layout.bits()) {
      checkUnused(layout, table::get, in);
    }
    return wrap(spec, layout, table, limits);
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout numbers, PayloadInput in) throws IOException {
    return view(spec, layout(numbers, in), in);
  }

  /**
   * Returns a view that queries a table in place, in its memory-mapped file. The default
   * implementation reads the table into a filter; overriding methods begin with {@code
   * MappedTable.map(layout, in)}.
   *
   * @param layout the layout stored in the file, checked
   * @throws IOException if the content cannot be read, or does not fit in memory
   */
  protected FilterView view(FilterSpec spec, TableLayout layout, PayloadInput in)
      throws IOException {
    return read(spec, layout, in, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  /**
   * Returns how the bits of a hash are set in a table that lives in its file; by default empty, and
   * the variant has no such filters. They are queried by its {@link #view}.
   */
  protected Optional<Function<LiveTable, LivePuts>> livePuts(FilterSpec spec, TableLayout layout) {
    return Optional.empty();
  }

  @Override
  public final Optional<FilterLayout> liveLayout(FilterSpec spec) {
    TableLayout layout = layouts.get(spec);
    return livePuts(spec, layout).map(puts -> layout.toLayout());
  }

  @Override
  public final LivePuts livePuts(FilterSpec spec, FilterLayout numbers, LivePayload payload) {
    TableLayout layout = layout(numbers, payload.size());
    return livePuts(spec, layout)
        .orElseThrow(() -> new IllegalArgumentException(MissingAbility.living(variant())))
        .apply(new LiveTable(payload));
  }

  @Override
  public final void check(FilterSpec spec, FilterLayout numbers, PayloadInput in)
      throws IOException {
    TableLayout layout = layout(numbers, in);
    MappedTable table = MappedTable.map(layout, in);
    checkUnused(layout, table::get, in);
  }

  private void checkUnused(TableLayout layout, LongPredicate isSet, PayloadInput in)
      throws FilterFormatException {
    long end = usableBits(layout);
    for (long bit = end; bit < layout.bits(); bit++) {
      if (isSet.test(bit)) {
        throw in.malformed(
            "bits from " + end + " on are not used and must be clear, but bit " + bit + " is set");
      }
    }
  }

  /**
   * Returns the layout read from a file.
   *
   * @throws FilterFormatException if no filter of this variant has this layout, or a payload of
   *     this size with it
   */
  private TableLayout layout(FilterLayout numbers, PayloadInput in) throws FilterFormatException {
    try {
      return layout(numbers, in.size());
    } catch (IllegalArgumentException e) {
      throw in.malformed(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }

  private record TablePlan(TableProvider provider, FilterSpec spec, TableLayout layout)
      implements FilterPlan {

    @Override
    public String variant() {
      return provider.variant();
    }

    @Override
    public long sizeInBits() {
      return layout.bits();
    }

    @Override
    public int probes() {
      return layout.probes();
    }

    @Override
    public Folding folding() {
      return provider.folding(spec, layout);
    }

    @Override
    public FilterDescription description() {
      return provider.describe(layout);
    }

    @Override
    public double falsePositiveRate(long keys) {
      return Math.min(1, provider.rate(keys, layout) + Sizing.collisionRate(keys));
    }

    @Override
    public String toString() {
      return PlanText.of(
          variant(),
          spec.expectedKeys(),
          spec.falsePositiveRate(),
          sizeInBits(),
          probes(),
          falsePositiveRate(spec.expectedKeys()));
    }
  }
}
