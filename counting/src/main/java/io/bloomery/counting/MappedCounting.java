package io.bloomery.counting;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import io.bloomery.internal.WordRange;
import io.bloomery.spi.MappedTable;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a {@link CounterBlockFilter} in a mapped file, which reads only the bits of
 * counts above zero.
 */
final class MappedCounting implements FilterView {

  private final MappedTable present;
  private final @Nullable LongBuffer words; // null if there are several buffers
  private final FilterSpec spec;
  private final CountingLayout layout;
  private final long length;
  private final int probesPerWord;

  MappedCounting(MappedTable present, FilterSpec spec, CountingLayout layout) {
    this.present = present;
    this.words = present.buffer().orElse(null);
    this.spec = spec;
    this.layout = layout;
    this.length = layout.bits() / Long.SIZE;
    this.probesPerWord = layout.probesPerWord();
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if every position of a hash is present, else 0. */
  private int test(long hash) {
    LongBuffer words = this.words;
    int at = word(hash);
    int other = BlockProbes.other(at);
    long first = words != null ? words.get(at) : present.word(at);
    long second = words != null ? words.get(other) : present.word(other);
    return BranchFree.oneIfZero(BlockProbes.missing(first, second, hash, probesPerWord));
  }

  private int word(long hash) {
    return BlockProbes.word(hash, length);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      if (prefetch(hashes, i, end)) {
        for (int j = i; j < end; j++) {
          hits[found] = j;
          found += test(hashes[j]);
        }
      }
    }
    return found;
  }

  /**
   * Prefetches as {@link CounterBlockFilter} does, but with plain reads, as no thread writes to the
   * words.
   */
  private boolean prefetch(long[] hashes, int from, int to) {
    if (layout.bits() <= (long) Batches.CACHED_WORDS * Long.SIZE) {
      return true;
    }
    LongBuffer words = this.words;
    long any = 0;
    for (int i = from; i < to; i++) {
      int word = word(hashes[i]);
      any |= words != null ? words.get(word) : present.word(word);
    }
    return any != 0;
  }

  @Override
  public FilterStats stats() {
    return BlockStats.of(spec, WordRange.of(words, present::word), layout);
  }

  @Override
  public FilterDescription description() {
    return layout.description();
  }
}
