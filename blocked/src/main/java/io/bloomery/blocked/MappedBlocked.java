package io.bloomery.blocked;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import io.bloomery.internal.WordRange;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.TableLayout;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/** The queries of a {@link BlockFilter} on its table in a memory-mapped file. */
final class MappedBlocked implements FilterView {

  private final MappedTable table;
  private final FilterSpec spec;
  private final TableLayout layout;
  private final @Nullable LongBuffer words; // null if the table has several buffers
  private final long twiceBlocks; // of two words
  private final long blocks; // of four words
  private final boolean twoWords;

  MappedBlocked(MappedTable table, FilterSpec spec, TableLayout layout) {
    this.table = table;
    this.spec = spec;
    this.layout = layout;
    this.twoWords = Blocks.isOfTwoWords(layout.probes());
    this.words = table.buffer().orElse(null);
    this.twiceBlocks = 2 * (table.sizeInBits() / Long.SIZE - 1);
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  int test(long hash) {
    return twoWords ? testTwo(hash) : testFour(hash);
  }

  private int testTwo(long hash) {
    LongBuffer words = this.words;
    int first = TwoWordFilter.first(hash, twiceBlocks);
    if (words == null) {
      return BranchFree.oneIfZero(
          TwoWordFilter.missing(table.word(first), table.word(first + 1), hash));
    }
    return BranchFree.oneIfZero(
        TwoWordFilter.missing(words.get(first), words.get(first + 1), hash));
  }

  private int testFour(long hash) {
    LongBuffer words = this.words;
    long first = FourWordFilter.block(hash, blocks) * Blocks.WORDS;
    long pattern = FourWordFilter.pattern(hash);
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

  /** Returns whether blocks have two words. */
  boolean isOfTwoWords() {
    return twoWords;
  }

  /** Returns whether all bits of four masks are set in the words of a hash's block. */
  boolean hasAll(long hash, long a, long b, long c, long d) {
    LongBuffer words = this.words;
    long first = FourWordFilter.block(hash, blocks) * Blocks.WORDS;
    if (words == null) {
      return ((a & ~table.word(first)) | (b & ~table.word(first + 1))) == 0
          && ((c & ~table.word(first + 2)) | (d & ~table.word(first + 3))) == 0;
    }
    int at = (int) first;
    return ((a & ~words.get(at)) | (b & ~words.get(at + 1))) == 0
        && ((c & ~words.get(at + 2)) | (d & ~words.get(at + 3))) == 0;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(hashes, i, end);
      for (int j = i; j < end; j++) {
        hits[found] = j;
        found += test(hashes[j]);
      }
    }
    return found;
  }

  /** Prefetches as the filters on the heap do. */
  private long prefetch(long[] hashes, int from, int to) {
    long any = 0;
    if (table.sizeInBits() <= (long) Batches.CACHED_WORDS * Long.SIZE) {
      return any;
    }
    for (int i = from; i < to; i++) {
      any |= twoWords ? prefetchTwo(hashes[i]) : prefetchFour(hashes[i]);
    }
    return any;
  }

  private long prefetchTwo(long hash) {
    int first = TwoWordFilter.first(hash, twiceBlocks);
    LongBuffer words = this.words;
    return words != null
        ? words.get(first) | words.get(first + 1)
        : table.word(first) | table.word(first + 1);
  }

  private long prefetchFour(long hash) {
    long first = FourWordFilter.block(hash, blocks) * Blocks.WORDS;
    long last = first + Blocks.WORDS - 1;
    LongBuffer words = this.words;
    return words != null
        ? words.get((int) first) | words.get((int) last)
        : table.word(first) | table.word(last);
  }

  @Override
  public FilterStats stats() {
    WordRange range = WordRange.of(words, table::word);
    return twoWords
        ? TwoWordStats.of(spec, range, table.sizeInBits() / Long.SIZE)
        : FourWordStats.of(spec, range, blocks);
  }

  @Override
  public FilterDescription description() {
    return BlockedProvider.description(layout);
  }
}
