package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.unusual.Unusual;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Faults in rates, statistics and plans. */
public final class BrokenNumbers {

  private BrokenNumbers() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R71, "positions are ints", new IntPositions()),
        fault(Rule.R71, "names other positions than it uses", new OtherPositions()),
        fault(Rule.R11, "probes by double hashing", new DoubleHashing()),
        fault(
            Rule.R11,
            "has 40 % fewer bits for rates of 0.001 to 0.01",
            new FewerBits(0.6, 1, Long.MAX_VALUE, 1e-3, 0.01)),
        fault(
            Rule.R11,
            "has half the table for 20,000 to 90,000 keys",
            new FewerBits(0.5, 20_000, 90_000, 0, 1)),
        fault(
            Rule.R11,
            "has 15 % fewer bits for rates of 0.001 to 0.01",
            new FewerBits(0.85, 1, Long.MAX_VALUE, 1e-3, 0.01)),
        fault(
            Rule.R11,
            "has 15 % fewer bits for 20,000 to 90,000 keys",
            new FewerBits(0.85, 20_000, 90_000, 0, 1)),
        fault(
            Rule.R11,
            "has 15 % fewer bits for rates below 1e-8",
            new FewerBits(0.85, 1, Long.MAX_VALUE, 0, 1e-8)),
        fault(
            Rule.R18,
            "plans the rate asked for the expected keys alone",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public double falsePositiveRate(long keys) {
                        double rate = super.falsePositiveRate(keys);
                        return keys == spec().expectedKeys() ? rate : Math.min(1, 3 * rate);
                      }
                    })),
        fault(Rule.R12, "has no more than 17 different probes", new FewProbes()),
        fault(Rule.R14, "doubles the rate of tables of 73 to 512 KiB", DoublesRate::new),
        fault(Rule.R15, "halves the estimate for 20,000 to 90,000 keys", HalvesEstimate::new),
        fault(Rule.R15, "estimates four times the expected keys at most", CapsEstimate::new),
        fault(
            Rule.R18,
            "plans memory as an int",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public long heapBytes() {
                        return super.heapBytes() & Integer.MAX_VALUE;
                      }
                    })),
        fault(Rule.R16, "gives no estimate of large tables when nearly full", GivesUp::new),
        fault(Rule.R17, "gives the rate asked when cleared", RateWhenCleared::new),
        fault(
            Rule.R18,
            "refuses 20,000 to 90,000 keys",
            planning(
                plan -> {
                  if (isMiddle(plan.spec())) {
                    throw new IllegalArgumentException("keys must be fewer or more");
                  }
                  return plan;
                })),
        fault(
            Rule.R18,
            "plans a rate above the one asked for 20,000 to 90,000 keys",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public double falsePositiveRate(long keys) {
                        double more = isMiddle(spec()) ? 1.5 : 1;
                        return Math.min(1, more * super.falsePositiveRate(keys));
                      }
                    })),
        fault(
            Rule.R21,
            "plans 10 % more bits for 20,000 to 90,000 keys",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public long sizeInBits() {
                        return super.sizeInBits() / 10 * (isMiddle(spec()) ? 11 : 10);
                      }
                    })),
        fault(Rule.R05, "drops half of each hash in tables of 73 to 512 KiB", new DropsHalf()),
        fault(Rule.R64, "loses a bit in tables of 73 to 512 KiB", new LosesBit()),
        fault(Rule.R71, "has 32 random bits for positions", new FewPositions()),
        fault(Rule.R22, "copies forget the hash id", CopiesForget::new),
        fault(Rule.R23, "takes memory before it refuses 2^40 to 2^43 keys", new TakesMemory()),
        fault(
            Rule.R23,
            "takes memory before it refuses what is up to 1 % larger than the heap",
            new TakesMemoryNearTheHeap()),
        fault(Rule.R11, "rounds the size down to a power of two", new RoundsDown()),
        fault(Rule.R12, "plans the rate asked, whatever the table", new PlansRateAsked()),
        fault(Rule.R13, "cuts the hashes of longs to 16 bits", BrokenContent.TrustsId::new),
        fault(Rule.R14, "forgets a probe in the rate of stats", ForgetsProbe::new),
        fault(Rule.R14, "states no rate above the one asked", StatesRateAsked::new),
        fault(Rule.R15, "forgets to divide the estimate by the probes", CountsProbes::new),
        fault(Rule.R16, "estimates the largest long when full", EstimatesWhenFull::new),
        fault(Rule.R17, "gives the rate asked while empty", RateWhenEmpty::new),
        fault(
            Rule.R18,
            "plans a rate above the one asked",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public double falsePositiveRate(long keys) {
                        return Math.min(1, 1.5 * super.falsePositiveRate(keys));
                      }
                    })),
        fault(
            Rule.R19, "plans one probe more for a billion keys when asked again", new PlansAgain()),
        fault(Rule.R20, "writes 600 words of padding", AppendingProvider.padding()),
        fault(
            Rule.R21,
            "plans twice the bits of small tables",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public long sizeInBits() {
                        return super.sizeInBits() * (super.sizeInBits() < 1 << 20 ? 2 : 1);
                      }
                    })),
        fault(
            Rule.R21,
            "plans less memory than its bits take",
            planning(
                plan ->
                    new ChangedPlan(plan) {
                      @Override
                      public long heapBytes() {
                        return super.heapBytes() / 8;
                      }
                    })),
        fault(Rule.R22, "statistics say that it grows", TableFault.STATS_SAY_IT_GROWS.everywhere()),
        fault(Rule.R22, "a plan forgets the hash id", new ForgetsHashId()),
        fault(Rule.R22, "rounds the expected keys down to a power of two", RoundsKeys::new),
        fault(Rule.R23, "overflows an int when asked for too much", new Overflowing()));
  }

  private interface Planning {
    FilterPlan change(FilterPlan plan);
  }

  private static FilterProvider planning(Planning planning) {
    return new PatchedProvider() {
      @Override
      public FilterPlan plan(FilterSpec spec) {
        return planning.change(super.plan(spec));
      }
    };
  }

  private static class ChangedPlan implements FilterPlan {
    private final FilterPlan plan;

    ChangedPlan(FilterPlan plan) {
      this.plan = plan;
    }

    @Override
    public FilterSpec spec() {
      return plan.spec();
    }

    @Override
    public String variant() {
      return plan.variant();
    }

    @Override
    public long sizeInBits() {
      return plan.sizeInBits();
    }

    @Override
    public int probes() {
      return plan.probes();
    }

    @Override
    public double falsePositiveRate(long keys) {
      return plan.falsePositiveRate(keys);
    }
  }

  private static final class RoundsDown extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = super.layoutFor(spec);
      return TableLayout.ofBits(Long.highestOneBit(layout.bits())).withProbes(layout.probes());
    }
  }

  private static boolean isMiddle(FilterSpec spec) {
    return spec.expectedKeys() > 20_000 && spec.expectedKeys() < 90_000;
  }

  /** Returns whether a table of so many bits is of 73 to 512 KiB. */
  private static boolean isMiddle(long bits) {
    return bits > 73 << 13 && bits < 512 << 13;
  }

  private static final class FewerBits extends ReferenceProvider {
    private final double share;
    private final long minKeys;
    private final long maxKeys;
    private final double lowestRate;
    private final double highestRate;

    FewerBits(double share, long minKeys, long maxKeys, double lowestRate, double highestRate) {
      this.share = share;
      this.minKeys = minKeys;
      this.maxKeys = maxKeys;
      this.lowestRate = lowestRate;
      this.highestRate = highestRate;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = super.layoutFor(spec);
      long keys = spec.expectedKeys();
      double rate = spec.falsePositiveRate();
      if (keys <= minKeys || keys >= maxKeys || rate <= lowestRate || rate >= highestRate) {
        return layout;
      }
      long all = layout.bits() / Long.SIZE;
      long words = Math.max(1, (long) (share * (double) all));
      return TableLayout.ofBits(words * Long.SIZE).withProbes(layout.probes());
    }
  }

  private static final class FewProbes extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      return super.position(hash, i % 17, bits);
    }
  }

  private static final class DropsHalf extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      return super.position(isMiddle(bits) ? hash & -1L << Integer.SIZE : hash, i, bits);
    }
  }

  private static final class LosesBit extends ReferenceProvider {
    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      long bits = table.sizeInBits();
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        long position = position(hash, i, bits);
        if (!isMiddle(bits) || position != 12_345) {
          int stripe = table.lock(hash);
          try {
            changed |= table.set(position);
          } finally {
            table.unlock(stripe);
          }
        }
      }
      return changed;
    }
  }

  private static final class DoubleHashing extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      return Long.remainderUnsigned(hash + i * (hash >>> 32), bits);
    }
  }

  private static final class PlansRateAsked extends PatchedProvider {
    PlansRateAsked() {
      super(new Unusual.Larger());
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new ChangedPlan(super.plan(spec)) {
        @Override
        public double falsePositiveRate(long keys) {
          return Math.min(1, spec.falsePositiveRate() * ((double) keys / spec.expectedKeys()));
        }
      };
    }
  }

  private abstract static class ChangedStats extends PatchedFilter {
    ChangedStats(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    abstract FilterStats change(FilterStats stats);

    @Override
    public FilterStats stats() {
      return change(super.stats());
    }

    static FilterStats with(FilterStats stats, double rate) {
      return stats.toBuilder().falsePositiveRate(rate).build();
    }

    static FilterStats with(FilterStats stats, OptionalLong keys) {
      return stats.toBuilder().approximateKeys(keys).build();
    }
  }

  private static final class DoublesRate extends ChangedStats {
    DoublesRate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      double times = isMiddle(stats.sizeInBits()) ? 2 : 1;
      return with(stats, Math.min(1, times * stats.falsePositiveRate()));
    }
  }

  private static final class HalvesEstimate extends ChangedStats {
    HalvesEstimate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      OptionalLong keys = stats.approximateKeys();
      return isMiddle(spec()) && keys.isPresent()
          ? with(stats, OptionalLong.of(keys.getAsLong() / 2))
          : stats;
    }
  }

  private static final class CapsEstimate extends ChangedStats {
    CapsEstimate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      OptionalLong keys = stats.approximateKeys();
      return keys.isPresent()
          ? with(stats, OptionalLong.of(Math.min(4 * spec().expectedKeys(), keys.getAsLong())))
          : stats;
    }
  }

  private static final class GivesUp extends ChangedStats {
    GivesUp(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      return large() && stats.fill() > 0.6 ? with(stats, OptionalLong.empty()) : stats;
    }
  }

  private static final class RateWhenCleared extends ChangedStats {
    private boolean isCleared;

    RateWhenCleared(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void clear() {
      super.clear();
      isCleared = true;
    }

    @Override
    FilterStats change(FilterStats stats) {
      return isCleared && stats.setBits() == 0 ? with(stats, spec().falsePositiveRate()) : stats;
    }
  }

  private static final class CopiesForget extends PatchedFilter {
    private boolean isCopy;

    CopiesForget(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterSpec spec() {
      FilterSpec spec = super.spec();
      return isCopy ? FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate()) : spec;
    }

    @Override
    public Filter copy() {
      CopiesForget copy = new CopiesForget(provider, (MergeableFilter) inner.copy(), mode);
      copy.isCopy = true;
      return copy;
    }
  }

  private static final class TakesMemory extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      long keys = spec.expectedKeys();
      long[] table = new long[keys > 1L << 40 && keys < 1L << 43 ? 1 << 20 : 1];
      Filter filter = super.create(spec, mode, limits);
      table[0] = filter.payloadSize();
      return filter;
    }
  }

  private static final class TakesMemoryNearTheHeap extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      long heap = Runtime.getRuntime().maxMemory();
      long bytes = plan(spec).sizeInBits() / Byte.SIZE;
      long[] table = new long[bytes > heap && bytes < heap / 100 * 101 ? 1 << 20 : 1];
      Filter filter = super.create(spec, mode, limits);
      table[0] = filter.payloadSize();
      return filter;
    }
  }

  private static final class ForgetsProbe extends ChangedStats {
    ForgetsProbe(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      double rate = stats.falsePositiveRate();
      return with(stats, rate == 0 ? 0 : rate / stats.fill());
    }
  }

  private static final class StatesRateAsked extends ChangedStats {
    StatesRateAsked(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      return with(stats, Math.min(spec().falsePositiveRate(), stats.falsePositiveRate()));
    }
  }

  private static final class CountsProbes extends ChangedStats {
    CountsProbes(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      OptionalLong keys = stats.approximateKeys();
      return with(
          stats,
          keys.isEmpty() ? keys : OptionalLong.of(keys.getAsLong() * layout().get("probes")));
    }
  }

  private static final class EstimatesWhenFull extends ChangedStats {
    EstimatesWhenFull(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      return with(stats, OptionalLong.of(stats.approximateKeys().orElse(Long.MAX_VALUE)));
    }
  }

  private static final class RateWhenEmpty extends ChangedStats {
    RateWhenEmpty(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    FilterStats change(FilterStats stats) {
      return stats.setBits() == 0 ? with(stats, spec().falsePositiveRate()) : stats;
    }
  }

  private static final class ForgetsHashId extends PatchedProvider {
    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new ChangedPlan(super.plan(spec)) {
        @Override
        public FilterSpec spec() {
          return FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate());
        }
      };
    }
  }

  private static final class PlansAgain extends PatchedProvider {
    private final Set<FilterSpec> planned = ConcurrentHashMap.newKeySet();

    @Override
    public FilterPlan plan(FilterSpec spec) {
      int more = spec.expectedKeys() < 1_000_000_000 || planned.add(spec) ? 0 : 1;
      return new ChangedPlan(super.plan(spec)) {
        @Override
        public int probes() {
          return super.probes() + more;
        }
      };
    }
  }

  private static final class RoundsKeys extends PatchedFilter {
    RoundsKeys(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterSpec spec() {
      FilterSpec spec = super.spec();
      return FilterSpec.of(
          Long.highestOneBit(spec.expectedKeys()), spec.falsePositiveRate(), spec.hashId());
    }
  }

  private static final class Overflowing extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      try {
        return super.create(spec, mode, limits);
      } catch (IllegalArgumentException e) {
        NegativeArraySizeException overflow = new NegativeArraySizeException("-8");
        overflow.initCause(e);
        throw overflow;
      }
    }
  }

  private abstract static class Named extends ReferenceProvider {
    abstract long named(long position);

    @Override
    public Optional<long[]> positions(long hash, long bits, int probes) {
      return Optional.of(
          IntStream.range(0, probes).mapToLong(i -> named(position(hash, i, bits))).toArray());
    }
  }

  private static final class IntPositions extends Named {
    @Override
    long named(long position) {
      return (int) position;
    }
  }

  private static final class FewPositions extends Named {
    @Override
    protected long position(long hash, int i, long bits) {
      return super.position(bits > 1L << 32 ? hash & -1L << Integer.SIZE : hash, i, bits);
    }

    @Override
    long named(long position) {
      return position;
    }
  }

  private static final class OtherPositions extends Named {
    @Override
    long named(long position) {
      return position & ~1L;
    }
  }
}
