package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Faults that show only for some sizes, rates, tables, batches or histories, between those that one
 * would think of.
 */
public final class BrokenInWindows {

  /** Tables that do not fit into a second-level cache. */
  private static final int BEYOND_THE_CACHE = 1 << 20;

  private BrokenInWindows() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R01, "loses hashes of filters for 20,000 to 90,000 keys", LosesSome::new),
        fault(Rule.R02, "takes the lowest long for no hash in 4 to 64 KiB", NoLowest::new),
        fault(
            Rule.R02,
            "loses -1 at the end of a batch",
            TableFault.LOSES_AN_EXTREME_HASH_OF_A_BATCH.everywhere()),
        fault(Rule.R03, "put always returns true at rates of 0.001 to 0.01", AlwaysNew::new),
        fault(Rule.R04, "contains some hashes, for 20,000 to 90,000 keys", ContainsSome::new),
        fault(Rule.R06, "reuses the last 16 tables of 1 to 32 KiB", new Recycling()),
        fault(Rule.R07, "clear leaves the last hash in 4,096 k words", LeavesLast::new),
        fault(Rule.R07, "clear leaves the last hash of a confined large one", LeavesHash::new),
        fault(Rule.R08, "copies share tables of 4,096 k words", SharesParts::new),
        fault(Rule.R08, "copies of confined filters below 0.001 share", SharesStrict::new),
        fault(Rule.R08, "copies tell old statistics", TableFault.COPY_KEEPS_OLD_STATS.everywhere()),
        fault(Rule.R09, "statistics change a table of 16 to 256 KiB", MeasuringPuts::new),
        fault(Rule.R10, "a second put sets more, for 20,000 to 90,000 keys", PutsTwice::new),
        fault(Rule.R10, "a second put sets more at rates of 0.001 to 0.01", PutsAgain::new),
        fault(Rule.R24, "a long putAll within an array drops its last", DropsLast::new),
        fault(Rule.R24, "putAll counts in a short", CountsInShort::new),
        fault(Rule.R25, "a long select within an array drops its last", MissesLast::new),
        fault(Rule.R25, "select keeps indices in two bytes", CutsIndices::new),
        fault(Rule.R25, "an odd select beyond a MiB drops its last", MissesOdd::new),
        fault(Rule.R24, "putAll beyond a MiB counts what is twice in 64", CountsTwiceInChunk::new),
        fault(Rule.R26, "a long putAll checks its range as it goes", ChecksLate::new),
        fault(Rule.R45, "large confined filters are Serializable", new SerializableWhenLarge()),
        fault(Rule.R46, "toString of large tables shows the last hash", ShowsHash::new),
        fault(Rule.R47, "large confined filters are equal by content", EqualByContent::new),
        fault(Rule.R48, "takes null for shared beyond 10,000 keys", new NullMode()),
        fault(Rule.R49, "a batch of many after clear drops its last", ForgetsAfterClear::new),
        fault(Rule.R49, "clear of a merged large filter leaves a hash", LeavesMerged::new),
        fault(Rule.R64, "contains some hashes, in tables beyond two MiB", ContainsSomeInLarge::new),
        fault(Rule.R67, "a batch within an array is kept", KeepsBatch::new),
        fault(Rule.R77, "clear of 4 KiB and more forgets attributes", ForgetsAttributes::new));
  }

  /** A filter that is wrong within a window only. */
  private static class Windowed extends PatchedFilter {
    static final int WORDS_OF_A_PART = 4_096;

    Windowed(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    final boolean isForSomeKeys() {
      return spec().expectedKeys() > 20_000 && spec().expectedKeys() < 90_000;
    }

    final boolean isForSomeRates() {
      return spec().falsePositiveRate() > 0.001 && spec().falsePositiveRate() < 0.01;
    }

    final boolean hasKib(int min, int max) {
      return payloadSize() >= (long) min << 10 && payloadSize() < (long) max << 10;
    }

    final boolean isOfWholeParts() {
      return payloadSize() % ((long) WORDS_OF_A_PART * Long.BYTES) == 0;
    }

    final boolean isConfined() {
      return mode == ThreadMode.CONFINED;
    }
  }

  private static final class LosesSome extends Windowed {
    LosesSome(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(hash) && !(isForSomeKeys() && (hash & 0x3ff) == 1);
    }
  }

  private static final class NoLowest extends Windowed {
    NoLowest(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return (hash == Long.MIN_VALUE && hasKib(4, 64)) ? !mightContain(hash) : super.put(hash);
    }
  }

  private static final class AlwaysNew extends Windowed {
    AlwaysNew(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      return super.put(hash) || isForSomeRates();
    }
  }

  private static final class ContainsSome extends Windowed {
    ContainsSome(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(hash) || (isForSomeKeys() && (hash & 0x3ff) == 1);
    }
  }

  private static final class ContainsSomeInLarge extends Windowed {
    ContainsSomeInLarge(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(hash)
          || (spec().falsePositiveRate() < 0.01
              && payloadSize() > 2 * BEYOND_THE_CACHE
              && (hash & 0xfff) == 1);
    }
  }

  private static final class Recycling extends PatchedProvider {
    private final Deque<PatchedFilter> used = new ArrayDeque<>();

    @Override
    public synchronized Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      if (used.size() >= 16) {
        PatchedFilter oldest = used.remove();
        if (oldest.spec().equals(spec) && oldest.mode == mode && oldest.limits().equals(limits)) {
          oldest.clear();
          used.add(oldest);
          return oldest;
        }
      }
      PatchedFilter filter = (PatchedFilter) super.create(spec, mode, limits);
      if (filter.payloadSize() > 1 << 10 && filter.payloadSize() < 32 << 10) {
        used.add(filter);
      }
      return filter;
    }
  }

  private static class LeavesHash extends Windowed {
    private long last;

    LeavesHash(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    boolean leaves() {
      return isConfined() && hasKib(16, 1 << 20);
    }

    @Override
    public boolean put(long hash) {
      last = hash;
      return super.put(hash);
    }

    @Override
    public void clear() {
      super.clear();
      if (leaves()) {
        super.put(last);
      }
    }
  }

  private static final class LeavesLast extends LeavesHash {
    LeavesLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    boolean leaves() {
      return isOfWholeParts();
    }
  }

  private static final class SharesParts extends Windowed {
    SharesParts(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return isOfWholeParts() ? provider.wrap(inner, mode) : super.copy();
    }
  }

  private static final class SharesStrict extends Windowed {
    SharesStrict(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return isConfined() && spec().falsePositiveRate() < 0.001
          ? provider.wrap(inner, mode)
          : super.copy();
    }
  }

  private static final class MeasuringPuts extends Windowed {
    MeasuringPuts(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterStats stats() {
      FilterStats stats = super.stats();
      if (hasKib(16, 256)) {
        put(stats.setBits());
      }
      return stats;
    }
  }

  private static class PutsTwice extends Windowed {
    PutsTwice(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    boolean sets() {
      return isForSomeKeys();
    }

    @Override
    public boolean put(long hash) {
      boolean absent = super.put(hash);
      if (!absent && sets()) {
        super.put(~hash);
      }
      return absent;
    }
  }

  private static final class PutsAgain extends PutsTwice {
    PutsAgain(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    boolean sets() {
      return isForSomeRates();
    }
  }

  private static boolean isLongWithin(int from, int to) {
    return from > 0 && to - from > 1_024;
  }

  private static final class DropsLast extends Windowed {
    DropsLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return super.putAll(hashes, from, isLongWithin(from, to) ? to - 1 : to);
    }
  }

  private static final class CountsInShort extends Windowed {
    CountsInShort(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return (short) super.putAll(hashes, from, to);
    }
  }

  private static final class CutsIndices extends Windowed {
    CutsIndices(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      int found = super.select(hashes, from, to, hits);
      for (int i = 0; i < found; i++) {
        hits[i] &= 0xffff;
      }
      return found;
    }
  }

  private static final class MissesLast extends Windowed {
    MissesLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      return super.select(hashes, from, isLongWithin(from, to) ? to - 1 : to, hits);
    }
  }

  /** As if asked two by two. */
  private static final class MissesOdd extends Windowed {
    MissesOdd(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      boolean isOdd = to - from > 16 && (to - from) % 2 == 1 && payloadSize() > BEYOND_THE_CACHE;
      return super.select(hashes, from, isOdd ? to - 1 : to, hits);
    }
  }

  /** Looks for all hashes of a chunk before it puts them. */
  private static final class CountsTwiceInChunk extends Windowed {
    private static final int CHUNK = 64;

    CountsTwiceInChunk(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (!isConfined() || payloadSize() <= BEYOND_THE_CACHE) {
        return super.putAll(hashes, from, to);
      }
      Objects.checkFromToIndex(from, to, hashes.length);
      int added = 0;
      for (int i = from; i < to; i += CHUNK) {
        int end = Math.min(to, i + CHUNK);
        added += end - i - super.select(hashes, i, end, new int[CHUNK]);
        super.putAll(hashes, i, end);
      }
      return added;
    }
  }

  private static final class ChecksLate extends Windowed {
    ChecksLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (hashes.length > 1_000 && from >= 0 && from < hashes.length && to > hashes.length) {
        put(hashes[from]);
      }
      Objects.checkFromToIndex(from, to, hashes.length);
      return super.putAll(hashes, from, to);
    }
  }

  private static final class SerializableWhenLarge extends PatchedProvider {
    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return mode == ThreadMode.CONFINED && filter.payloadSize() > 1 << 14
          ? new JavaSerializable(this, filter, mode)
          : super.wrap(filter, mode);
    }
  }

  @SuppressWarnings("serial") // serializing it would fail besides
  private static final class JavaSerializable extends PatchedFilter implements Serializable {
    JavaSerializable(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }
  }

  private static final class ShowsHash extends Windowed {
    private long last;

    ShowsHash(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      last = to > from ? hashes[to - 1] : last;
      return super.putAll(hashes, from, to);
    }

    @Override
    public String toString() {
      return super.toString() + (hasKib(64, 1 << 20) ? ", last " + Long.toHexString(last) : "");
    }
  }

  private static final class EqualByContent extends Windowed {
    EqualByContent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean equals(Object other) {
      return this == other
          || (isConfined()
              && hasKib(16, 1 << 20)
              && other instanceof EqualByContent filter
              && Arrays.equals(Subject.write(this), Subject.write(filter)));
    }

    @Override
    public int hashCode() {
      return layout().hashCode();
    }
  }

  private static final class NullMode extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      boolean takesNull = mode == null && spec.expectedKeys() > 10_000;
      return super.create(spec, takesNull ? ThreadMode.SHARED : mode, limits);
    }
  }

  private static final class ForgetsAfterClear extends Windowed {
    private boolean wasCleared;

    ForgetsAfterClear(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return super.putAll(hashes, from, wasCleared && to - from > 100 ? to - 1 : to);
    }

    @Override
    public void clear() {
      super.clear();
      wasCleared = true;
    }
  }

  private static final class LeavesMerged extends Windowed {
    private boolean wasMerged;

    LeavesMerged(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      wasMerged = true;
    }

    @Override
    public void clear() {
      super.clear();
      if (wasMerged && large()) {
        super.put(1);
      }
    }
  }

  private static final class KeepsBatch extends Windowed {
    private long[] kept = {};
    private int first;

    KeepsBatch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (from > 0 && from < to) {
        kept = hashes;
        first = from;
      }
      return super.putAll(hashes, from, to);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      if (kept.length > 0) {
        inner.put(kept[first]);
      }
      super.writePayload(out);
    }
  }

  private static final class ForgetsAttributes extends Windowed {
    private boolean wasCleared;

    ForgetsAttributes(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterSpec spec() {
      FilterSpec spec = super.spec();
      return wasCleared && payloadSize() >= 4 << 10 ? spec.withAttributes(Map.of()) : spec;
    }

    @Override
    public void clear() {
      super.clear();
      wasCleared = true;
    }
  }
}
