package io.bloomery.blocked;

import io.bloomery.filter.LivePuts;
import io.bloomery.internal.Batches;
import io.bloomery.spi.LiveTable;
import java.util.Objects;

/** The puts of a {@link TwoWordFilter} into its table in a memory-mapped file. */
final class LiveTwoWords implements LivePuts {

  private final LiveTable table;
  private final long twiceBlocks;
  private final boolean isCached;

  LiveTwoWords(LiveTable table) {
    this.table = table;
    long words = table.sizeInBits() / Long.SIZE;
    this.twiceBlocks = 2 * (words - 1);
    this.isCached = words <= Batches.CACHED_WORDS;
  }

  @Override
  public boolean put(long hash) {
    int first = TwoWordFilter.first(hash, twiceBlocks);
    long a = TwoWordFilter.firstMask(hash);
    long b = TwoWordFilter.secondMask(hash);
    if (((a & ~table.word(first)) | (b & ~table.word(first + 1))) == 0) {
      return false;
    }
    int stripe = table.lock(first >>> TwoWordFilter.REGION_SHIFT);
    try {
      return (set(first, a) | set(first + 1, b)) != 0;
    } finally {
      table.unlock(stripe);
    }
  }

  /** Sets bits of a word as the filter does. */
  private long set(int word, long mask) {
    return TwoWordFilter.isFirstOfRegion(word) ? table.or(word, mask) : table.orLocked(word, mask);
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  private void prefetch(long[] hashes, int from, int to) {
    if (isCached) {
      return;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      int first = TwoWordFilter.first(hashes[i], twiceBlocks);
      any ^= table.word(first);
      any ^= table.word(first + 1);
    }
    table.prefetched(any);
  }
}
