package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Further;
import io.bloomery.conformance.broken.FaultWindow.Range;
import io.bloomery.conformance.internal.kit.Model;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/** Faults in what a filter contains, and in creating, copying and clearing. */
public final class BrokenContent {

  private static final FaultWindow SOME_RATES = FaultWindow.rates(0.001, 0.01);
  private static final long PART = 4_096 * Long.BYTES;

  private BrokenContent() {}

  /**
   * Folds by another choice of words.
   *
   * @param source the index of a word of the larger table, given that of the word that it is part
   *     of, and its number among those
   */
  private static MergeableFilter folded(
      PatchedFilter filter, int factor, IntBinaryOperator source) {
    MergeableFilter right = filter.inner.folded(factor);
    long[] from = Payload.of(filter.inner).words();
    long[] words = new long[from.length / factor];
    for (int i = 0; factor > 1 && i < from.length; i++) {
      words[i / factor] |= from[source.applyAsInt(i / factor, i % factor)];
    }
    return factor == 1
        ? right
        : (MergeableFilter) filter.provider.read(right.spec(), right.layout(), words);
  }

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R85,
            "folding drops the last word of every group",
            Patch.folded(
                (filter, factor) ->
                    folded(filter, factor, (i, j) -> i * factor + j % (factor - 1)))),
        fault(
            Rule.R85,
            "folding takes words that are far apart",
            Patch.folded(
                (filter, factor) ->
                    folded(
                        filter,
                        factor,
                        (i, j) -> i + j * (int) (filter.payloadSize() / Long.BYTES / factor)))),
        fault(
            Rule.R85,
            "a folded filter promises the rate of the larger one",
            Patch.folded(
                (filter, factor) -> {
                  MergeableFilter right = filter.inner.folded(factor);
                  long[] words = Payload.of(right).words();
                  return (MergeableFilter)
                      filter.provider.read(filter.spec(), right.layout(), words);
                })),
        fault(
            Rule.R64,
            "loses hashes in tables of a million keys",
            FaultWindow.keys(5_000_001, Double.MAX_VALUE),
            lose(hash -> (hash & 0xffff) == 0)),
        fault(
            Rule.R01,
            "misses some hashes in filters for 65 keys",
            FaultWindow.keys(65, 65),
            lose(hash -> (hash & 31) == 0)),
        fault(
            Rule.R01,
            "loses hashes of filters for 20,000 to 90,000 keys",
            FaultWindow.SOME_KEYS,
            lose(hash -> (hash & 0x3ff) == 1)),
        fault(
            Rule.R01,
            "drops what comes after the expected keys, if they are many",
            FaultWindow.keys(Model.HASHES + 1, Double.MAX_VALUE),
            Patch.put(BrokenContent::putUpToExpected),
            Patch.copy(
                filter -> {
                  PatchedFilter copy = filter.rightCopy();
                  copy.count = filter.count;
                  return copy;
                }),
            Patch.clear(
                filter -> {
                  filter.inner.clear();
                  filter.count = 0;
                })),
        fault(
            Rule.R02,
            "takes the hash 0 for no hash",
            Patch.put((filter, hash) -> hash == 0 || filter.inner.put(hash))),
        fault(
            Rule.R02,
            "takes the lowest long for no hash in 4 to 64 KiB",
            FaultWindow.bytes(4 << 10, 64 << 10),
            Patch.put(
                (filter, hash) ->
                    hash == Long.MIN_VALUE ? !filter.mightContain(hash) : filter.inner.put(hash))),
        fault(
            Rule.R02,
            "loses -1 at the end of a batch",
            TableFault.LOSES_AN_EXTREME_HASH_OF_A_BATCH.everywhere()),
        fault(
            Rule.R03,
            "put into a large table always returns true",
            TableFault.SAYS_NEW_OF_WHAT_IS_THERE.in(FaultWindow.LARGE)),
        fault(
            Rule.R03,
            "put always returns true at rates of 0.001 to 0.01",
            TableFault.SAYS_NEW_OF_WHAT_IS_THERE.in(SOME_RATES)),
        fault(
            Rule.R03,
            "put returns whether the hash was there",
            Patch.put((filter, hash) -> !filter.inner.put(hash))),
        fault(Rule.R04, "a table not yet allocated contains everything", Unallocated::new),
        fault(
            Rule.R04,
            "contains some hashes, for 20,000 to 90,000 keys",
            FaultWindow.SOME_KEYS,
            contain(hash -> (hash & 0x3ff) == 1)),
        fault(
            Rule.R64,
            "contains some hashes, in tables beyond two MiB",
            new FaultWindow(
                Range.ALL, new Range(0, 0.01), new Range(2 << 20, Double.MAX_VALUE), Further.NONE),
            contain(hash -> (hash & 0xfff) == 1)),
        fault(
            Rule.R05,
            "leaves out 24 bits of hashes",
            Patch.hashes((filter, hash) -> hash & -1L << 24)),
        fault(Rule.R05, "folds hashes to 32 bits", narrow(Long::hashCode)),
        fault(Rule.R05, "uses the low 32 bits of hashes", narrow(hash -> (int) hash)),
        fault(
            Rule.R05,
            "drops half of each hash in tables of 73 to 512 KiB",
            TableFault.USES_HALF_THE_HASH.in(FaultWindow.bytes(73 << 10, 512 << 10))),
        fault(Rule.R06, "reuses the last 256 small tables", new Recycling(256, 0, 1 << 10)),
        fault(
            Rule.R06,
            "reuses the last 16 tables of 1 to 32 KiB",
            new Recycling(16, 1 << 10, 32 << 10)),
        fault(
            Rule.R07,
            "clear leaves a word of a large table",
            TableFault.CLEAR_LEAVES_A_WORD.in(FaultWindow.LARGE)),
        fault(
            Rule.R07,
            "clear leaves a word of a confined large one",
            TableFault.CLEAR_LEAVES_A_WORD.in(
                FaultWindow.bytes(16 << 10, 1 << 20).in(ThreadMode.CONFINED))),
        fault(
            Rule.R07,
            "clear leaves the last hash in 4,096 k words",
            Patch.clear(
                filter -> {
                  filter.inner.clear();
                  if (filter.payloadSize() % PART == 0) {
                    filter.inner.put(filter.last);
                  }
                })),
        fault(Rule.R07, "clear does nothing", Patch.clear(filter -> {})),
        fault(
            Rule.R08,
            "copies of large tables share the table",
            TableFault.COPY_SHARES_THE_TABLE.in(FaultWindow.LARGE)),
        fault(
            Rule.R08,
            "copies of confined filters below 0.001 share the table",
            TableFault.COPY_SHARES_THE_TABLE.in(
                FaultWindow.rates(0, 0.001).in(ThreadMode.CONFINED))),
        fault(
            Rule.R08,
            "copies share tables of 4,096 k words",
            Patch.copy(
                filter ->
                    filter.payloadSize() % PART == 0
                        ? filter.provider.wrap(filter.inner, filter.mode)
                        : filter.rightCopy())),
        fault(Rule.R08, "copies tell old statistics", TableFault.COPY_KEEPS_OLD_STATS.everywhere()),
        fault(
            Rule.R09,
            "to describe a filter changes it",
            // Where others look as well, it is too late.
            FaultWindow.keys(500, 500),
            Patch.text(
                (filter, text) -> {
                  filter.put(0);
                  return text;
                })),
        fault(
            Rule.R09,
            "a large batch query puts its last hash",
            Patch.select(
                (filter, hashes, from, to, hits) -> {
                  int found = filter.selectEach(hashes, from, to, hits);
                  if (to - from >= 1_000) {
                    filter.put(hashes[to - 1]);
                  }
                  return found;
                })),
        fault(
            Rule.R09,
            "statistics change a table of 16 to 256 KiB",
            FaultWindow.bytes(16 << 10, 256 << 10),
            Patch.stats(
                (filter, stats) -> {
                  filter.put(stats.setBits());
                  return stats;
                })),
        fault(
            Rule.R10,
            "a second put sets more, for 20,000 to 90,000 keys",
            TableFault.SETS_A_BIT_FOR_WHAT_IS_THERE.in(FaultWindow.SOME_KEYS)),
        fault(
            Rule.R10,
            "a second put sets more at rates of 0.001 to 0.01",
            TableFault.SETS_A_BIT_FOR_WHAT_IS_THERE.in(SOME_RATES)),
        fault(
            Rule.R10,
            "a large table depends on the order of puts",
            FaultWindow.LARGE,
            Patch.put(BrokenContent::putByOrder),
            Patch.clear(
                filter -> {
                  filter.inner.clear();
                  filter.last = 0;
                })));
  }

  private static Patch lose(LongPredicate lost) {
    return Patch.mightContain(
        (filter, hash) -> !lost.test(hash) && filter.inner.mightContain(hash));
  }

  private static Patch contain(LongPredicate contained) {
    return Patch.mightContain(
        (filter, hash) -> contained.test(hash) || filter.inner.mightContain(hash));
  }

  /** Loses some bits of a hash, and mixes the others so that they fill 64 bits again. */
  private static Patch narrow(LongUnaryOperator narrowed) {
    return Patch.hashes((filter, hash) -> mixed(narrowed.applyAsLong(hash)));
  }

  static long mixed(long hash) {
    long mixed = hash * 0x9e3779b97f4a7c15L;
    return (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
  }

  private static boolean putUpToExpected(PatchedFilter filter, long hash) {
    synchronized (filter) {
      if (filter.count == filter.spec().expectedKeys()) {
        return !filter.mightContain(hash);
      }
      boolean absent = filter.inner.put(hash);
      filter.count += absent ? 1 : 0;
      return absent;
    }
  }

  /** Now and then sets what depends on two hashes that were put one after the other. */
  private static boolean putByOrder(PatchedFilter filter, long hash) {
    if (filter.last < hash && ((filter.last ^ hash) & 0xff) == 0) {
      filter.inner.put(filter.last + hash);
    }
    return filter.inner.put(hash);
  }

  private static final class Unallocated extends PatchedFilter {
    private volatile boolean allocated;

    Unallocated(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
      allocated = inner.stats().setBits() > 0;
    }

    @Override
    public synchronized boolean put(long hash) {
      boolean absent = super.put(hash) && allocated;
      allocated = true;
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return !allocated || super.mightContain(hash);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      allocated = inner.stats().setBits() > 0;
    }

    @Override
    public void clear() {
      super.clear();
      allocated = false;
    }
  }

  private static final class Recycling extends PatchedProvider {
    private final Deque<PatchedFilter> used = new ArrayDeque<>();
    private final int most;
    private final int minBytes;
    private final int maxBytes;

    Recycling(int most, int minBytes, int maxBytes) {
      this.most = most;
      this.minBytes = minBytes;
      this.maxBytes = maxBytes;
    }

    @Override
    public synchronized Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      if (used.size() >= most) {
        PatchedFilter oldest = used.remove();
        if (oldest.spec().equals(spec) && oldest.mode == mode && oldest.limits().equals(limits)) {
          oldest.clear();
          used.add(oldest);
          return oldest;
        }
      }
      PatchedFilter filter = (PatchedFilter) super.create(spec, mode, limits);
      if (filter.payloadSize() >= minBytes && filter.payloadSize() <= maxBytes) {
        used.add(filter);
      }
      return filter;
    }
  }
}
