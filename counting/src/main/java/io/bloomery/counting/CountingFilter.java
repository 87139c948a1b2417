package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.internal.Stripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The counting filter with counts in as few bits as possible: a {@link CounterBlockFilter} whose
 * counts are {@link Counters}.
 */
final class CountingFilter extends CounterBlockFilter<Counters> {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final Counters counters;
  private final int[] counts;
  private final int countInts;

  private CountingFilter(
      FilterSpec spec, FilterLimits limits, Counters counters, @Nullable Stripes stripes) {
    super(spec, limits, counters, stripes);
    this.counters = counters;
    this.counts = counters.counts();
    this.countInts = counters.layout().countInts();
  }

  static <E extends Exception> CountingFilter make(
      FilterSpec spec,
      CountingLayout layout,
      FilterLimits limits,
      ThreadMode mode,
      Source<Counters, E> source)
      throws E {
    Stripes stripes = stripes(layout);
    return new CountingFilter(
        spec, limits, source.make(stripes.size()), mode == ThreadMode.SHARED ? stripes : null);
  }

  @Override
  public boolean put(long hash) {
    int word = word(hash);
    if (stripes == null) {
      return counters.add(word, first(hash), second(hash));
    }
    int stripe = stripes.lock(block(word));
    try {
      return counters.add(word, first(hash), second(hash));
    } finally {
      stripes.unlock(stripe);
    }
  }

  @Override
  public boolean remove(long hash) {
    int word = word(hash);
    if (stripes == null) {
      return counters.remove(word, first(hash), second(hash));
    }
    if (!mightContain(hash)) {
      return false; // without a lock: nothing is written
    }
    int stripe = stripes.lock(block(word));
    try {
      return counters.remove(word, first(hash), second(hash));
    } finally {
      stripes.unlock(stripe);
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetchBlocks(hashes, i, end);
      for (int j = i; j < end; j++) {
        try {
          added += put(hashes[j]) ? 1 : 0;
        } catch (FilterFullException e) {
          throw new FilterFullException(Batches.full(j - from, to - from, e), e);
        }
      }
    }
    return added;
  }

  @Override
  public int removeAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int removed = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetchBlocks(hashes, i, end);
      for (int j = i; j < end; j++) {
        removed += remove(hashes[j]) ? 1 : 0;
      }
    }
    return removed;
  }

  /**
   * Prefetches the bits and counts that puts and removes of a batch will read and write, unless all
   * of them fit in the cache.
   */
  private void prefetchBlocks(long[] hashes, int from, int to) {
    long[] present = this.present;
    int[] counts = this.counts;
    if (present.length <= Batches.CACHED_WORDS) {
      return;
    }
    long length = this.length;
    int size = countInts;
    long all = -1;
    for (int i = from; i < to; i++) {
      int word = BlockProbes.word(hashes[i], length);
      int at = block(word) * size;
      all &= (long) WORDS.getOpaque(present, word);
      // The counts of some blocks lie in two cache lines.
      all &= (int) INTS.getOpaque(counts, at) & (int) INTS.getOpaque(counts, at + size - 1);
    }
    if (all == -1) {
      // A use of the values, without which the compiler would eliminate the loads. It is executed
      // only if all blocks of the batch have more keys than bits.
      VarHandle.acquireFence();
    }
  }

  @Override
  public String variant() {
    return CountingProvider.VARIANT;
  }

  @Override
  CountingFilter same(Filter other) {
    return (CountingFilter) other;
  }

  @Override
  public CountingFilter copy() {
    return make(spec(), counters.layout(), limits(), mode(), stripes -> snapshot());
  }
}
