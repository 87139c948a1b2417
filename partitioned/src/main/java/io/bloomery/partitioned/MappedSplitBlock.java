package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import io.bloomery.spi.MappedTable;
import java.nio.LongBuffer;

/** The queries of a {@link SplitBlockFilter}, on its table in a mapped file. */
final class MappedSplitBlock implements FilterView {

  private final MappedTable table;
  private final LongBuffer words; // null if there are several buffers
  private final long blocks;

  MappedSplitBlock(MappedTable table) {
    this.table = table;
    this.words = table.words();
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  private int test(long hash) {
    LongBuffer words = this.words;
    long first = SplitBlockFilter.block(hash, blocks) * Blocks.WORDS;
    long pattern = SplitBlockFilter.pattern(hash);
    if (words == null) {
      return PlainKernel.all(
          table.word(first),
          table.word(first + 1),
          table.word(first + 2),
          table.word(first + 3),
          pattern);
    }
    int at = (int) first;
    return PlainKernel.all(
        words.get(at), words.get(at + 1), words.get(at + 2), words.get(at + 3), pattern);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(SplitBlockFilter.BATCH, to - i);
      if (fetch(hashes, i, end)) {
        for (int j = i; j < end; j++) {
          hits[found] = j;
          found += test(hashes[j]);
        }
      }
    }
    return found;
  }

  /** As {@link SplitBlockFilter} does, on whose words nobody writes here. */
  private boolean fetch(long[] hashes, int from, int to) {
    if (table.sizeInBits() <= (long) SplitBlockFilter.CACHED * Long.SIZE) {
      return true;
    }
    LongBuffer words = this.words;
    long any = 0;
    for (int i = from; i < to; i++) {
      long first = SplitBlockFilter.block(hashes[i], blocks) * Blocks.WORDS;
      long last = first + Blocks.WORDS - 1;
      any |=
          words != null
              ? words.get((int) first) | words.get((int) last)
              : table.word(first) | table.word(last);
    }
    return any != 0;
  }

  @Override
  public FilterStats stats() {
    return SplitBlockFilter.stats(table::word, blocks);
  }
}
