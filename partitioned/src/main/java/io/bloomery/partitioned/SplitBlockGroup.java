package io.bloomery.partitioned;

import io.bloomery.Filter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Several split-block filters of any sizes that are asked as one: whether any of them might contain
 * a hash. Where its bits lie within a block is the same in all of them, so that it is computed once
 * for each query, and each further filter costs little more than reading a block.
 *
 * <p>Sees what is put into the filters, by any thread if they are shared.
 */
public final class SplitBlockGroup {

  // As many queries as keep the memory busy.
  private static final int BATCH = 64;

  private static final SplitBlockKernel KERNEL = SplitBlockKernel.installed();

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[][] tables;
  private final boolean anyLarge;

  /**
   * Makes a group that asks filters in the given order, until one has the hash.
   *
   * @throws IllegalArgumentException if one is of another variant
   */
  public SplitBlockGroup(List<Filter> filters) {
    this.tables = filters.stream().map(SplitBlockGroup::words).toArray(long[][]::new);
    boolean large = false;
    for (long[] words : tables) {
      large |= words.length > SplitBlockFilter.CACHED;
    }
    this.anyLarge = large;
  }

  private static long[] words(Filter filter) {
    if (filter instanceof SplitBlockFilter blocks) {
      return blocks.words();
    }
    throw new IllegalArgumentException(
        "a group is of split-block filters, but one was " + filter.variant());
  }

  /** Returns false if no filter has been given the hash; true means that one probably has. */
  public boolean mightContain(long hash) {
    VarHandle.loadLoadFence(); // reads anew what other threads wrote, even for a caller that spins
    return any(tables, hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set in one of the tables, else 0. */
  private static int any(long[][] tables, long hash) {
    long pattern = SplitBlockFilter.pattern(hash);
    if (tables.length == 1) {
      return test(tables[0], hash, pattern);
    }
    // Masks cost more than the kernel's shifts and serve all tables.
    long a = SplitBlockFilter.mask(pattern, 0);
    long b = SplitBlockFilter.mask(pattern, 1);
    long c = SplitBlockFilter.mask(pattern, 2);
    long d = SplitBlockFilter.mask(pattern, 3);
    for (long[] words : tables) {
      int first = SplitBlockFilter.first(hash, words.length / Blocks.WORDS);
      long missing = a & ~words[first];
      missing |= b & ~words[first + 1];
      if (missing == 0 && ((c & ~words[first + 2]) | (d & ~words[first + 3])) == 0) {
        return 1;
      }
    }
    return 0;
  }

  private static int test(long[] words, long hash, long pattern) {
    return KERNEL.test(words, SplitBlockFilter.first(hash, words.length / Blocks.WORDS), pattern);
  }

  /**
   * Finds hashes that some filter might contain, as {@link Filter#select} does.
   *
   * @param hits receives their indices, in ascending order
   * @return how many they are
   */
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      if (anyLarge) {
        fetch(hashes, i, end);
      }
      found = selectFetched(hashes, i, end, hits, found);
    }
    return found;
  }

  private int selectFetched(long[] hashes, int from, int to, int[] hits, int found) {
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += any(tables, hashes[i]);
    }
    return found;
  }

  /**
   * Brings the blocks of a batch into the cache, from tables too large for it: loads that wait for
   * nothing. A block may lie across two cache lines, hence its first word and its last. Opaque
   * reads are made even if nobody uses what they return.
   */
  private long fetch(long[] hashes, int from, int to) {
    long any = 0;
    for (long[] words : tables) {
      if (words.length > SplitBlockFilter.CACHED) {
        for (int i = from; i < to; i++) {
          int first = SplitBlockFilter.first(hashes[i], words.length / Blocks.WORDS);
          any |= (long) WORDS.getOpaque(words, first);
          any |= (long) WORDS.getOpaque(words, first + Blocks.WORDS - 1);
        }
      }
    }
    return any;
  }
}
