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
 * The counting filter with fast updates, for some more memory: a {@link CounterBlockFilter} whose
 * counts are {@link FastCounters}.
 */
final class FastCountingFilter extends CounterBlockFilter<FastCounters> {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final FastCounters counters;
  private final long[] twice;
  private final int[] lists;

  private FastCountingFilter(
      FilterSpec spec, FilterLimits limits, FastCounters counters, @Nullable Stripes stripes) {
    super(spec, limits, counters, stripes);
    this.counters = counters;
    this.twice = counters.twice();
    this.lists = counters.lists();
  }

  static <E extends Exception> FastCountingFilter make(
      FilterSpec spec,
      CountingLayout layout,
      FilterLimits limits,
      ThreadMode mode,
      Source<FastCounters, E> source)
      throws E {
    Stripes stripes = stripes(layout);
    return new FastCountingFilter(
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
    long[] twice = this.twice;
    int[] lists = this.lists;
    if (present.length <= Batches.CACHED_WORDS) {
      return;
    }
    long length = this.length;
    long all = -1;
    for (int i = from; i < to; i++) {
      int word = BlockProbes.word(hashes[i], length);
      all &= (long) WORDS.getOpaque(present, word) & (long) WORDS.getOpaque(twice, word);
      all &= (int) INTS.getOpaque(lists, block(word));
    }
    if (all == -1) {
      // A use of the values, without which the compiler would eliminate the loads. It is never
      // executed, as no spilled block has that number.
      VarHandle.acquireFence();
    }
  }

  @Override
  public String variant() {
    return FastCountingProvider.VARIANT;
  }

  @Override
  FastCountingFilter same(Filter other) {
    return (FastCountingFilter) other;
  }

  @Override
  public FastCountingFilter copy() {
    return make(spec(), counters.layout(), limits(), mode(), stripes -> snapshot());
  }
}
