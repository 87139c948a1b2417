package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A Bloom filter with one drawn fault, and right in all else. */
public final class FaultyTable implements MergeableFilter, FaultWindow.Situation {

  private final Provider provider;
  private final FilterSpec spec;
  private final TableLayout layout;
  private final BitTable table;
  private final FilterLimits limits;
  private final TableFault fault; // null outside of the window
  private final int segment;
  private final Set<Step> past;
  private int puts;
  private FilterStats told; // when last asked
  private FilterStats kept; // and still told, if it is not null

  private FaultyTable(
      Provider provider,
      FilterSpec spec,
      TableLayout layout,
      BitTable table,
      FilterLimits limits,
      Set<Step> past,
      int puts) {
    this.provider = provider;
    this.spec = spec;
    this.layout = layout;
    this.table = table;
    this.limits = limits;
    this.fault = provider.at(spec, layout);
    this.segment = (int) (provider.drawn.share() * words(layout) * 0.999_999);
    this.past = past;
    this.puts = puts;
  }

  private static int words(TableLayout layout) {
    return (int) (layout.bits() / Long.SIZE);
  }

  /** Makes filters with one fault. */
  public record Provider(TableFault.Drawn drawn) implements FilterProvider {

    private TableFault at(FilterSpec spec, TableLayout layout) {
      return drawn.fault() != null && drawn.window().has(spec, layout.bits() / Byte.SIZE)
          ? drawn.fault()
          : null;
    }

    @Override
    public String variant() {
      return "faulty-table";
    }

    @Override
    public Class<? extends Filter> filterType() {
      return FaultyTable.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      return new Plan(spec, layout, Optional.ofNullable(at(spec, layout)));
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Objects.requireNonNull(mode, "mode");
      TableLayout layout = TableLayout.smallest(spec);
      limits.check(layout.bits() / Byte.SIZE);
      BitTable table = new BitTable(layout.bits(), mode);
      return new FaultyTable(this, spec, layout, table, limits, EnumSet.noneOf(Step.class), 0);
    }

    @Override
    public Filter read(
        FilterSpec spec,
        FilterLayout numbers,
        PayloadInput in,
        ThreadMode mode,
        FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(limits, "limits");
      TableLayout layout = ReferenceProvider.layout(numbers, in);
      TableFault fault = at(spec, layout);
      long bytes = layout.bits() / Byte.SIZE;
      boolean takesMore =
          fault == TableFault.READ_TAKES_A_WORD_MORE && in.size() == bytes + Long.BYTES;
      if (in.size() != bytes && !takesMore) {
        throw in.malformed("payload must have " + bytes + " bytes, but has " + in.size());
      }
      BitTable table = BitTable.read(layout.bits(), in, mode);
      if (takesMore) {
        in.readLongs(1);
      }
      FilterSpec made =
          fault == TableFault.READ_FORGETS_ATTRIBUTES ? spec.withAttributes(Map.of()) : spec;
      if (fault == TableFault.READ_PLANS_THE_LAYOUT_AGAIN) {
        TableLayout planned = TableLayout.smallest(spec);
        if (planned.bits() == layout.bits()) {
          layout = planned;
        } else {
          throw in.malformed("bits must be those planned");
        }
      }
      int puts =
          table.countSetBits() == layout.bits()
              ? Integer.MAX_VALUE / 2
              : (int) Math.round(Sizing.keys(table.countSetBits(), layout.bits(), layout.probes()));
      FaultyTable read =
          new FaultyTable(this, made, layout, table, limits, EnumSet.of(Step.READ), puts);
      if (read.is(TableFault.READ_DROPS_A_WORD)) {
        read.dropWord(table);
      }
      return read;
    }

    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      FaultyTable view =
          (FaultyTable)
              read(
                  spec,
                  layout,
                  withoutMore(spec, layout, in),
                  ThreadMode.SHARED,
                  FilterLimits.HEAP);
      if (view.is(TableFault.MAP_DROPS_A_WORD)) {
        view.dropWord(view.table);
      }
      return view.is(TableFault.MAP_SHARES_A_BUFFER) ? new Sharing(view) : view;
    }

    /** Returns the content without a word behind it, if that is the fault. */
    private PayloadInput withoutMore(FilterSpec spec, FilterLayout numbers, PayloadInput in)
        throws IOException {
      TableLayout layout = ReferenceProvider.layout(numbers, in);
      long bytes = layout.bits() / Byte.SIZE;
      return at(spec, layout) == TableFault.MAP_TAKES_A_WORD_MORE && in.size() == bytes + Long.BYTES
          ? new Payload(bytes, in.readLongs(bytes / Long.BYTES))
          : in;
    }

    @Override
    public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
      FaultyTable checked =
          (FaultyTable) read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
      if (checked.is(TableFault.CHECK_REFUSES_EMPTY_FILTERS) && checked.puts == 0) {
        throw in.malformed("a bit must be set");
      }
    }
  }

  /** A view whose threads have one place for what they select. */
  private static final class Sharing extends PatchedView {
    private int[] shared = new int[0];

    Sharing(FaultyTable table) {
      super(table);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      if (shared.length < hits.length) {
        shared = new int[hits.length];
      }
      int found = super.select(hashes, from, to, shared);
      System.arraycopy(shared, 0, hits, 0, found);
      return found;
    }
  }

  private record Plan(FilterSpec spec, TableLayout layout, Optional<TableFault> fault)
      implements FilterPlan {

    @Override
    public String variant() {
      return "faulty-table";
    }

    @Override
    public long sizeInBits() {
      long words = layout.bits() / Long.SIZE;
      if (fault.isPresent() && fault.get() == TableFault.PLAN_SAYS_FEWER_BITS) {
        words -= Math.max(1, words / 8);
      } else if (fault.isPresent() && fault.get() == TableFault.PLAN_SAYS_MORE_BITS) {
        words += Math.max(1, words / 8);
      }
      return words * Long.SIZE;
    }

    @Override
    public int probes() {
      return layout.probes();
    }

    @Override
    public double falsePositiveRate(long keys) {
      double rate =
          Math.min(
              1, Sizing.rate(keys, layout.bits(), layout.probes()) + Sizing.collisionRate(keys));
      if (fault.isEmpty()) {
        return rate;
      }
      return switch (fault.get()) {
        case PLAN_SAYS_TOO_LOW_A_RATE -> rate / 2;
        case PLAN_SAYS_TOO_HIGH_A_RATE ->
            Math.min(1, Math.max(rate, Math.nextUp(spec.falsePositiveRate()) * rate / base()));
        case PLAN_FALLS_WITH_KEYS -> keys > 2 * spec.expectedKeys() ? rate / 8 : rate;
        default -> rate;
      };
    }

    private double base() {
      return Sizing.rate(spec.expectedKeys(), layout.bits(), layout.probes());
    }
  }

  private boolean is(TableFault wanted) {
    return is(wanted, 0);
  }

  private boolean is(TableFault wanted, long hash) {
    return fault == wanted && provider.drawn.window().has(this, this, hash);
  }

  private boolean is(TableFault wanted, int from, int to) {
    return from < to
        && from >= provider.drawn.minFrom()
        && to - from >= provider.drawn.minLength()
        && is(wanted);
  }

  @Override
  public double filled() {
    return (double) puts / spec.expectedKeys();
  }

  @Override
  public boolean has(Step step) {
    return past.contains(step);
  }

  @Override
  public ThreadMode mode() {
    return table.mode();
  }

  private void dropWord(BitTable from) {
    from.sharedWords()[segment] = 0;
  }

  private long first(long hash) {
    if (fault != TableFault.USES_HALF_THE_HASH) {
      return hash;
    }
    long half = provider.drawn.share() < 0.5 ? hash << Integer.SIZE : hash & -1L << Integer.SIZE;
    return half * 0xbf58476d1ce4e5b9L;
  }

  private long bits() {
    return fault == TableFault.USES_FEWER_BITS
        ? (long) (table.sizeInBits() * (0.85 - 0.45 * provider.drawn.share()))
        : table.sizeInBits();
  }

  @Override
  public boolean put(long hash) {
    boolean isThere = mightContain(hash);
    boolean unlocked =
        is(TableFault.NO_STRIPE) || (is(TableFault.PLAIN_WRITES) && provider.drawn.share() < 0.5);
    if (isThere) {
      if (is(TableFault.SETS_A_BIT_FOR_WHAT_IS_THERE, hash)) {
        table.set(Probes.within(table.sizeInBits()).position(Long.reverse(hash)));
      }
      return is(TableFault.SAYS_NEW_OF_WHAT_IS_THERE, hash);
    }
    if (unlocked) {
      return set(hash);
    }
    int stripe =
        table.lock(is(TableFault.STRIPE_BY_THREAD) ? Thread.currentThread().getId() : hash);
    try {
      return set(hash);
    } finally {
      table.unlock(stripe);
    }
  }

  private boolean set(long hash) {
    puts++;
    kept = null;
    int probes = layout.probes() - (is(TableFault.LOSES_A_BIT, hash) ? 1 : 0);
    boolean losesSegment = is(TableFault.LOSES_A_SEGMENT, hash);
    boolean isPlain = is(TableFault.PLAIN_WRITES);
    Probes within = Probes.within(bits());
    long probe = first(hash);
    boolean changed = false;
    for (int i = 0; i < probes; i++) {
      long bit = within.position(probe);
      probe = Probes.next(probe);
      if (losesSegment && isInSegment(bit)) {
        changed = true;
      } else if (isPlain) {
        int word = (int) (bit >>> 6);
        changed |= !table.get(bit);
        table.sharedWords()[word] |= 1L << bit;
      } else {
        changed |= table.set(bit);
      }
    }
    return changed && !is(TableFault.SAYS_OLD_OF_WHAT_IS_NEW, hash);
  }

  /** Returns whether a bit lies in a sixteenth of the table, or in one word of a small one. */
  private boolean isInSegment(long bit) {
    int word = (int) (bit >>> 6);
    return word >= segment && word <= segment + words(layout) / 16;
  }

  @Override
  public boolean mightContain(long hash) {
    int probes =
        Math.max(1, layout.probes() - (fault == TableFault.QUERIES_ONE_PROBE_FEWER ? 1 : 0));
    Probes within = Probes.within(bits());
    long probe = first(hash);
    for (int i = 0; i < probes; i++) {
      if (!table.get(within.position(probe))) {
        return false;
      }
      probe = Probes.next(probe);
    }
    return true;
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int skipped = is(TableFault.PUT_ALL_SKIPS_ITS_LAST, from, to) ? 1 : 0;
    if (is(TableFault.LOSES_AN_EXTREME_HASH_OF_A_BATCH)
        && from < to
        && hashes[to - 1] == extreme()) {
      skipped = 1;
    }
    boolean countsAll = is(TableFault.PUT_ALL_COUNTS_WHAT_IS_THERE, from, to);
    boolean isUnlocked = is(TableFault.NO_STRIPE_IN_BATCHES);
    int added = is(TableFault.PUT_ALL_COUNTS_ONE_MORE, from, to) ? 1 : 0;
    for (int i = from; i < to - skipped; i++) {
      long hash = hashes[i];
      boolean isNew = isUnlocked ? !mightContain(hash) && set(hash) : put(hash);
      added += isNew || countsAll ? 1 : 0;
    }
    return added;
  }

  private long extreme() {
    long[] extremes = {
      0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << (int) (64 * provider.drawn.share())
    };
    return extremes[(int) (provider.drawn.share() * 5 * 0.999_999)];
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    int found = MergeableFilter.super.select(hashes, from, to, hits);
    if (found > 0 && is(TableFault.SELECT_LOSES_ITS_LAST_HIT, from, to)) {
      return found - 1;
    }
    if (found > 0 && is(TableFault.SELECT_LOSES_ITS_FIRST_HIT, from, to)) {
      System.arraycopy(hits, 1, hits, 0, found - 1);
      return found - 1;
    }
    if (is(TableFault.SELECT_COUNTS_FROM_ZERO, from, to)) {
      for (int i = 0; i < found; i++) {
        hits[i] -= from;
      }
    }
    return found;
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public FilterLimits limits() {
    return limits;
  }

  @Override
  public String variant() {
    return provider.variant();
  }

  @Override
  public FilterLayout layout() {
    return layout.toLayout();
  }

  @Override
  public FilterStats stats() {
    if (kept != null) {
      return kept;
    }
    FilterStats stats = layout.stats(spec, table.countSetBits());
    told = stats;
    if (is(TableFault.STATS_SAY_IT_GROWS)) {
      return stats.toBuilder().grows().build();
    }
    if (stats.setBits() == 0) {
      return is(TableFault.STATS_COUNT_IN_EMPTY_FILTERS)
          ? stats.toBuilder().approximateKeys(1).build()
          : stats;
    }
    if (is(TableFault.STATS_SAY_TOO_LOW_A_RATE)) {
      return stats.toBuilder().falsePositiveRate(stats.falsePositiveRate() / 1.25).build();
    }
    if (is(TableFault.STATS_SAY_TOO_HIGH_A_RATE)) {
      double rate = Math.min(1, 1.25 * stats.falsePositiveRate());
      return stats.toBuilder().falsePositiveRate(rate).build();
    }
    if (is(TableFault.STATS_SAY_TOO_MANY_KEYS) && stats.approximateKeys().isPresent()) {
      long keys = stats.approximateKeys().getAsLong();
      return stats.toBuilder().approximateKeys(OptionalLong.of(keys + keys / 8)).build();
    }
    return stats;
  }

  private Set<Step> pastAnd(Step step) {
    Set<Step> more = EnumSet.of(step);
    more.addAll(past);
    return more;
  }

  @Override
  public Filter copy() {
    BitTable copied = is(TableFault.COPY_SHARES_THE_TABLE) ? table : table.copy();
    if (is(TableFault.COPY_DROPS_A_WORD)) {
      dropWord(copied);
    }
    FilterSpec copiedSpec =
        is(TableFault.COPY_FORGETS_THE_HASH_ID)
            ? FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate())
                .withAttributes(spec.attributes())
            : spec;
    FilterLimits copiedLimits = is(TableFault.COPY_FORGETS_LIMITS) ? FilterLimits.HEAP : limits;
    FaultyTable copy =
        new FaultyTable(
            provider, copiedSpec, layout, copied, copiedLimits, pastAnd(Step.COPY), puts);
    copy.kept = is(TableFault.COPY_KEEPS_OLD_STATS) ? told : null;
    return copy;
  }

  @Override
  public void clear() {
    long left = is(TableFault.CLEAR_LEAVES_A_WORD) ? table.sharedWords()[segment] : 0;
    table.clear();
    table.sharedWords()[segment] = left;
    puts = 0;
    kept = null;
    past.add(Step.CLEAR);
  }

  @Override
  public long payloadSize() {
    return layout.bits() / Byte.SIZE + (is(TableFault.PAYLOAD_SIZE_IS_WRONG) ? Long.BYTES : 0);
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    out.begin(layout.bits() / Byte.SIZE);
    if (is(TableFault.WRITE_DROPS_A_WORD)) {
      BitTable written = table.copy();
      dropWord(written);
      written.write(out);
    } else {
      table.write(out);
    }
  }

  @Override
  public void putAll(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters do not fit: " + reason);
            });
    FaultyTable from = (FaultyTable) other;
    BitTable merged = from.table;
    if (is(TableFault.MERGE_DROPS_A_WORD)) {
      merged = merged.copy();
      dropWord(merged);
    }
    table.or(merged);
    if (is(TableFault.MERGE_CHANGES_ITS_ARGUMENT)) {
      from.table.sharedWords()[segment] |= table.sharedWords()[segment];
    }
    puts += from.puts;
    kept = null;
    past.add(Step.MERGE);
  }

  @Override
  public Optional<String> incompatibility(Filter other) {
    Optional<String> reason = MergeableFilter.super.incompatibility(other);
    if (is(TableFault.MERGE_REFUSES_WHAT_FITS)) {
      return reason.or(() -> Optional.of("filters must be alike, but are not"));
    }
    if (is(TableFault.MERGE_TAKES_OTHER_HASH_IDS)
        && other instanceof FaultyTable like
        && like.layout.equals(layout)
        && like.spec.keyForm().equals(spec.keyForm())) {
      return Optional.empty();
    }
    return reason;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (is(TableFault.EQUALS_ITS_COPY)
            && other instanceof FaultyTable table
            && table.spec.equals(spec)
            && Arrays.equals(table.table.sharedWords(), this.table.sharedWords()));
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec;
  }
}
