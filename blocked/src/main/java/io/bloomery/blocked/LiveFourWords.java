package io.bloomery.blocked;

import io.bloomery.filter.LivePuts;
import io.bloomery.internal.Batches;
import io.bloomery.spi.LiveTable;
import java.util.Objects;

/** The puts of a {@link FourWordFilter} into its table in a memory-mapped file. */
final class LiveFourWords implements LivePuts {

  private final LiveTable table;
  private final long blocks;
  private final boolean isCached;

  LiveFourWords(LiveTable table) {
    this.table = table;
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
    this.isCached = table.sizeInBits() / Long.SIZE <= Batches.CACHED_WORDS;
  }

  @Override
  public boolean put(long hash) {
    long block = FourWordFilter.block(hash, blocks);
    int first = (int) block * Blocks.WORDS;
    long pattern = FourWordFilter.pattern(hash);
    long a = FourWordFilter.mask(pattern, 0);
    long b = FourWordFilter.mask(pattern, 1);
    long c = FourWordFilter.mask(pattern, 2);
    long d = FourWordFilter.mask(pattern, 3);
    if (((a & ~table.word(first))
            | (b & ~table.word(first + 1))
            | (c & ~table.word(first + 2))
            | (d & ~table.word(first + 3)))
        == 0) {
      return false;
    }
    int stripe = table.lock(block);
    try {
      long missing = table.orLocked(first, a) | table.orLocked(first + 1, b);
      return (missing | table.orLocked(first + 2, c) | table.orLocked(first + 3, d)) != 0;
    } finally {
      table.unlock(stripe);
    }
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

  /** Reads the first and the last word of each block, which lie in at most two cache lines. */
  private void prefetch(long[] hashes, int from, int to) {
    if (isCached) {
      return;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      int first = (int) FourWordFilter.block(hashes[i], blocks) * Blocks.WORDS;
      any ^= table.word(first);
      any ^= table.word(first + Blocks.WORDS - 1);
    }
    table.prefetched(any);
  }
}
