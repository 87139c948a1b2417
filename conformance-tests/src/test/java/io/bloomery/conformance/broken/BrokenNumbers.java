package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.unusual.Unusual;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Faults in rates, statistics and plans. */
public final class BrokenNumbers {

  private static final FaultWindow SOME_BYTES = FaultWindow.bytes(73 << 10, 512 << 10);

  private BrokenNumbers() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R71, "positions are ints", new Named(position -> (int) position)),
        fault(
            Rule.R71, "names other positions than it uses", new Named(position -> position & ~1L)),
        fault(Rule.R71, "has 32 random bits for positions", new FewPositions()),
        fault(Rule.R64, "loses a bit in tables of 73 to 512 KiB", new LosesBit()),
        fault(Rule.R11, "probes by double hashing", new DoubleHashing()),
        fault(Rule.R11, "rounds the size down to a power of two", new RoundsDown()),
        fault(
            Rule.R11,
            "has 15 % fewer bits for rates of 0.001 to 0.01",
            TableFault.USES_FEWER_BITS.in(FaultWindow.rates(0.001, 0.01), 0)),
        fault(
            Rule.R11,
            "has 15 % fewer bits for 20,000 to 90,000 keys",
            TableFault.USES_FEWER_BITS.in(FaultWindow.SOME_KEYS, 0)),
        fault(Rule.R11, "has 15 % fewer bits for rates below 1e-8", new FewerBitsForLowRates()),
        fault(Rule.R12, "has no more than 17 different probes", new FewProbes()),
        fault(
            Rule.R12,
            "plans the rate asked, whatever the table",
            new PatchedProvider(
                new Unusual.Larger(),
                new Calls(
                    FaultWindow.EVERYWHERE,
                    planRate(
                        (plan, keys) -> {
                          FilterSpec spec = plan.spec();
                          double share = (double) keys / spec.expectedKeys();
                          return spec.falsePositiveRate() * share;
                        })))),
        fault(
            Rule.R13,
            "cuts the hashes of longs to 16 bits",
            // Keys of one kind come with hashes that need no more, it thinks.
            Patch.hashes(
                (filter, hash) ->
                    BrokenContent.mixed(
                        filter.spec().hashId().endsWith("i64") ? hash & 0xffff : hash))),
        fault(
            Rule.R14,
            "states a higher rate of tables of 73 to 512 KiB",
            TableFault.STATS_SAY_TOO_HIGH_A_RATE.in(SOME_BYTES)),
        fault(
            Rule.R14,
            "forgets a probe in the rate of stats",
            stateRate(
                stats -> stats.setBits() == 0 ? 0 : stats.falsePositiveRate() / stats.fill())),
        fault(
            Rule.R14,
            "states no rate above the one asked",
            Patch.stats(
                (filter, stats) ->
                    with(
                        stats,
                        Math.min(filter.spec().falsePositiveRate(), stats.falsePositiveRate())))),
        fault(
            Rule.R15,
            "estimates more keys for 20,000 to 90,000",
            TableFault.STATS_SAY_TOO_MANY_KEYS.in(FaultWindow.SOME_KEYS)),
        fault(
            Rule.R15,
            "estimates four times the expected keys at most",
            Patch.stats(
                (filter, stats) ->
                    estimate(stats, keys -> Math.min(4 * filter.spec().expectedKeys(), keys)))),
        fault(
            Rule.R15,
            "forgets to divide the estimate by the probes",
            Patch.stats(
                (filter, stats) -> estimate(stats, keys -> keys * filter.layout().get("probes")))),
        fault(
            Rule.R16,
            "gives no estimate of large tables when nearly full",
            FaultWindow.LARGE,
            Patch.stats(
                (filter, stats) ->
                    stats.fill() > 0.6
                        ? stats.toBuilder().approximateKeys(OptionalLong.empty()).build()
                        : stats)),
        fault(
            Rule.R16,
            "estimates the largest long when full",
            Patch.stats(
                (filter, stats) -> {
                  long keys = stats.approximateKeys().orElse(Long.MAX_VALUE);
                  return stats.toBuilder().approximateKeys(keys).build();
                })),
        fault(
            Rule.R17,
            "gives the rate asked when cleared",
            FaultWindow.EVERYWHERE.after(Step.CLEAR),
            Patch.stats(
                (filter, stats) ->
                    stats.setBits() == 0 ? with(stats, filter.spec().falsePositiveRate()) : stats)),
        fault(
            Rule.R18,
            "plans the rate asked for the expected keys alone",
            planRate(
                (plan, keys) ->
                    (keys == plan.spec().expectedKeys() ? 1 : 3) * plan.falsePositiveRate(keys))),
        fault(
            Rule.R18,
            "plans memory as an int",
            plan(
                right ->
                    new PatchedPlan(right) {
                      @Override
                      public long heapBytes() {
                        return super.heapBytes() & Integer.MAX_VALUE;
                      }
                    })),
        fault(
            Rule.R18,
            "refuses 20,000 to 90,000 keys",
            plan(
                right -> {
                  if (FaultWindow.SOME_KEYS.has(right.spec(), 0)) {
                    throw new IllegalArgumentException("keys must be fewer or more");
                  }
                  return right;
                })),
        fault(
            Rule.R18,
            "plans a rate above the one asked for 20,000 to 90,000 keys",
            TableFault.PLAN_SAYS_TOO_HIGH_A_RATE.in(FaultWindow.SOME_KEYS)),
        fault(
            Rule.R19, "plans one probe more for a billion keys when asked again", new PlansAgain()),
        fault(Rule.R20, "writes 600 words of padding", AppendingProvider.padding()),
        fault(
            Rule.R21,
            "plans more bits for 20,000 to 90,000 keys",
            TableFault.PLAN_SAYS_MORE_BITS.in(FaultWindow.SOME_KEYS)),
        fault(
            Rule.R21,
            "plans more bits for small tables",
            TableFault.PLAN_SAYS_MORE_BITS.in(FaultWindow.bytes(0, 1 << 17))),
        fault(
            Rule.R21,
            "plans less memory than its bits take",
            plan(
                right ->
                    new PatchedPlan(right) {
                      @Override
                      public long heapBytes() {
                        return super.heapBytes() / 8;
                      }
                    })),
        fault(Rule.R22, "statistics say that it grows", TableFault.STATS_SAY_IT_GROWS.everywhere()),
        fault(
            Rule.R22,
            "copies forget the hash id",
            TableFault.COPY_FORGETS_THE_HASH_ID.everywhere()),
        fault(
            Rule.R22,
            "a plan forgets the hash id",
            plan(
                right ->
                    new PatchedPlan(right) {
                      @Override
                      public FilterSpec spec() {
                        FilterSpec spec = super.spec();
                        return FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate());
                      }
                    })),
        fault(
            Rule.R22,
            "rounds the expected keys down to a power of two",
            Patch.spec(
                (filter, spec) ->
                    FilterSpec.of(
                        Long.highestOneBit(spec.expectedKeys()),
                        spec.falsePositiveRate(),
                        spec.hashId()))),
        fault(
            Rule.R23,
            "takes memory before it refuses 2^40 to 2^43 keys",
            takeMemory(
                (right, spec) -> spec.expectedKeys() > 1L << 40 && spec.expectedKeys() < 1L << 43)),
        fault(
            Rule.R23,
            "takes memory before it refuses what is up to 1 % larger than the heap",
            takeMemory(
                (right, spec) -> {
                  long heap = Runtime.getRuntime().maxMemory();
                  long bytes = right.plan(spec).sizeInBits() / Byte.SIZE;
                  return bytes > heap && bytes < heap / 100 * 101;
                })),
        fault(
            Rule.R23,
            "overflows an int when asked for too much",
            Patch.create(
                (right, spec, mode, limits) -> {
                  try {
                    return right.create(spec, mode, limits);
                  } catch (IllegalArgumentException e) {
                    NegativeArraySizeException overflow = new NegativeArraySizeException("-8");
                    overflow.initCause(e);
                    throw overflow;
                  }
                })));
  }

  private static Patch plan(UnaryOperator<FilterPlan> wrong) {
    return Patch.plan((right, spec) -> wrong.apply(right.plan(spec)));
  }

  private interface PlannedRate {
    double of(FilterPlan right, long keys);
  }

  private static Patch planRate(PlannedRate rate) {
    return plan(
        right ->
            new PatchedPlan(right) {
              @Override
              public double falsePositiveRate(long keys) {
                return Math.min(1, rate.of(right, keys));
              }
            });
  }

  private static Patch stateRate(ToDoubleFunction<FilterStats> rate) {
    return Patch.stats((filter, stats) -> with(stats, rate.applyAsDouble(stats)));
  }

  private static FilterStats with(FilterStats stats, double rate) {
    return stats.toBuilder().falsePositiveRate(rate).build();
  }

  private static FilterStats estimate(FilterStats stats, LongUnaryOperator wrong) {
    OptionalLong keys = stats.approximateKeys();
    return keys.isEmpty()
        ? stats
        : stats.toBuilder().approximateKeys(wrong.applyAsLong(keys.getAsLong())).build();
  }

  private static Patch takeMemory(BiPredicate<FilterProvider, FilterSpec> where) {
    return Patch.create(
        (right, spec, mode, limits) -> {
          long[] table = new long[where.test(right, spec) ? 1 << 20 : 1];
          Filter filter = right.create(spec, mode, limits);
          table[0] = filter.payloadSize();
          return filter;
        });
  }

  private static final class RoundsDown extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = super.layoutFor(spec);
      return TableLayout.ofBits(Long.highestOneBit(layout.bits())).withProbes(layout.probes());
    }
  }

  private static final class FewerBitsForLowRates extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = super.layoutFor(spec);
      if (spec.falsePositiveRate() >= 1e-8) {
        return layout;
      }
      long words = Math.max(1, layout.bits() / Long.SIZE * 85 / 100);
      return TableLayout.ofBits(words * Long.SIZE).withProbes(layout.probes());
    }
  }

  private static final class FewProbes extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      return super.position(hash, i % 17, bits);
    }
  }

  private static final class LosesBit extends ReferenceProvider {
    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      long bits = table.sizeInBits();
      boolean isMiddle = bits > 73 << 13 && bits < 512 << 13;
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        long position = position(hash, i, bits);
        if (!isMiddle || position != 12_345) {
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

  private static final class PlansAgain extends PatchedProvider {
    private final Set<FilterSpec> planned = ConcurrentHashMap.newKeySet();

    @Override
    public FilterPlan plan(FilterSpec spec) {
      int more = spec.expectedKeys() < 1_000_000_000 || planned.add(spec) ? 0 : 1;
      return new PatchedPlan(super.plan(spec)) {
        @Override
        public int probes() {
          return super.probes() + more;
        }
      };
    }
  }

  /** Names other positions than it uses. */
  private static class Named extends ReferenceProvider {
    private final LongUnaryOperator named;

    Named(LongUnaryOperator named) {
      this.named = named;
    }

    @Override
    public Optional<long[]> positions(long hash, long bits, int probes) {
      return Optional.of(
          IntStream.range(0, probes).mapToLong(i -> position(hash, i, bits)).map(named).toArray());
    }
  }

  private static final class FewPositions extends Named {
    FewPositions() {
      super(position -> position);
    }

    @Override
    protected long position(long hash, int i, long bits) {
      return super.position(bits > 1L << 32 ? hash & -1L << Integer.SIZE : hash, i, bits);
    }
  }
}
