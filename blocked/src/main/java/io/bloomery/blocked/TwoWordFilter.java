package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import io.bloomery.internal.WordProbes;
import io.bloomery.internal.WordRange;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A blocked Bloom filter whose blocks are two adjacent 64-bit words, in each of which a key has
 * three bits, for rates from {@link Blocks#LOWEST_RATE_OF_TWO_WORDS} up.
 *
 * <p>Every two adjacent words are a block, so that blocks overlap, and a word shares half of its
 * keys with either neighbour. Blocks of two words without overlap would take 4 % more bits. With
 * blocks of four words, and one word selected from each half, the second word would take more
 * instructions, and twice as many keys, a quarter instead of an eighth, would need a second cache
 * line.
 *
 * <p>The low 32 bits of a hash select a block. The highest six bits select a pattern of three bits,
 * used in both words; it is rotated by bits 32 to 37 in the first word and by bits 38 to 43 in the
 * second. This is a descendant of the cache-sectorized filter of Lang, Neumann, Kemper, Boncz,
 * 2019, doi.org/10.14778/3303753.3303757, with patterns from a table.
 *
 * <p>Queries rotate the words instead of the pattern, in the opposite direction, so that both are
 * compared with the same number, which saves two instructions.
 */
final class TwoWordFilter extends BlockFilter {
  // decisions.md#the-three-bits-in-a-word-are-a-pattern-from-a-table-of-64-rotated
  // decisions.md#blocks-of-two-words-overlap-any-two-neighbours-are-one

  static final int BITS_PER_WORD = 3;

  // The offsets of the second word's rotation and of the pattern's number in the upper half of a
  // hash, which begins with the rotation of the first word. An int, as rotations are.
  private static final int SECOND_ROTATION = 6;
  private static final int NUMBER = 26;

  /** The number of bits of a key, which are all different. */
  static final int PROBES = 2 * BITS_PER_WORD;

  // Words whose blocks begin in one stripe: a power of two, to avoid a division.
  static final int REGION_SHIFT = 6;
  private static final int REGION = 1 << REGION_SHIFT;

  private static final long[] PATTERNS = TwoWordPatterns.all();

  private static final BlockedKernel KERNEL = BlockedKernel.installed();

  private final long twiceBlocks; // a long, to avoid a conversion per query

  TwoWordFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, TableLayout.ofBits(table.sizeInBits()).withProbes(PROBES), table);
    this.twiceBlocks = twiceBlocks(words());
  }

  /** Returns twice the number of blocks of a table, which has one block less than words. */
  static long twiceBlocks(long[] words) {
    return 2 * (words.length - 1L);
  }

  /**
   * Returns the first word of a hash's block, {@link WordProbes#word} of the number of blocks; the
   * second is the next. Part of the file format.
   */
  static int first(long hash, long twiceBlocks) {
    // After a shift by 33 bits the compiler knows that this index and the next are not negative:
    // two instructions less than with the number of blocks and a shift by 32.
    return (int) (((hash & WordProbes.WORD_MASK) * twiceBlocks) >>> (Integer.SIZE + 1));
  }

  private static int upper(long hash) {
    return (int) (hash >>> Integer.SIZE);
  }

  /** Returns the pattern of a hash before its rotation. */
  private static long pattern(int upper) {
    return PATTERNS[upper >>> NUMBER];
  }

  /** Returns the bits of a hash in its first word. Part of the file format. */
  static long firstMask(long hash) {
    int upper = upper(hash);
    return Long.rotateLeft(pattern(upper), upper);
  }

  /** Returns the bits of a hash in its second word. Part of the file format. */
  static long secondMask(long hash) {
    int upper = upper(hash);
    return Long.rotateLeft(pattern(upper), upper >>> SECOND_ROTATION);
  }

  /** Returns the bit positions of a hash, three for each of two words. */
  static long[] positions(long hash, long blocks) {
    long first = WordProbes.word(hash, blocks);
    long[] positions = new long[PROBES];
    long mask = firstMask(hash);
    long more = secondMask(hash);
    for (int i = 0; i < BITS_PER_WORD; i++) {
      positions[i] = first * Long.SIZE + Long.numberOfTrailingZeros(mask);
      positions[BITS_PER_WORD + i] = (first + 1) * Long.SIZE + Long.numberOfTrailingZeros(more);
      mask &= mask - 1;
      more &= more - 1;
    }
    return positions;
  }

  @Override
  public boolean mightContain(long hash) {
    // Reads are plain. Without the fence, a caller's loop that waits for another thread's put could
    // be compiled to read the block once and never end.
    VarHandle.loadLoadFence();
    return test(words(), twiceBlocks, hash) != 0;
  }

  /**
   * Returns 1 if all bits of a hash are set, else 0. Reads both words, as a branch would cost more.
   */
  static int test(long[] words, long twiceBlocks, long hash) {
    int first = first(hash, twiceBlocks);
    return BranchFree.oneIfZero(missing(words[first], words[first + 1], hash));
  }

  /** Returns the bits of a hash's pattern that are clear in one of its two words. */
  static long missing(long first, long second, long hash) {
    int upper = upper(hash);
    long both =
        Long.rotateRight(first, upper) & Long.rotateRight(second, upper >>> SECOND_ROTATION);
    return ~both & pattern(upper);
  }

  @Override
  public boolean put(long hash) {
    return shared() ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = words();
    int first = first(hash, twiceBlocks);
    long a = firstMask(hash);
    long b = secondMask(hash);
    long missing = (a & ~words[first]) | (b & ~words[first + 1]);
    words[first] |= a;
    words[first + 1] |= b;
    return BranchFree.oneIfZero(missing) == 0;
  }

  // Needs no fence: a hash that is contained stays so, and otherwise the words are read again under
  // the lock.
  private boolean putShared(long hash) {
    long[] words = words();
    int first = first(hash, twiceBlocks);
    long a = firstMask(hash);
    long b = secondMask(hash);
    if (((a & ~words[first]) | (b & ~words[first + 1])) == 0) {
      return false;
    }
    int stripe = table().lock(first >>> REGION_SHIFT);
    try {
      return (set(words, first, a) | set(words, first + 1, b)) != 0;
    } finally {
      table().unlock(stripe);
    }
  }

  /**
   * Returns whether a word also belongs to a block of the previous region, so that its bits must be
   * set atomically.
   */
  static boolean isFirstOfRegion(int word) {
    return (word & (REGION - 1)) == 0;
  }

  /**
   * Sets bits of a word with the stripe of one of its blocks locked.
   *
   * @return the bits that were clear
   */
  private static long set(long[] words, int word, long mask) {
    if (isFirstOfRegion(word)) {
      return mask & ~(long) WORDS.getAndBitwiseOr(words, word, mask);
    }
    long old = words[word];
    WORDS.setOpaque(words, word, old | mask);
    return mask & ~old;
  }

  @Override
  protected void merge(BitTable other) {
    if (!shared()) {
      super.merge(other);
      return;
    }
    long[] words = words();
    long[] more = other.sharedWords();
    for (int from = 0; from < more.length; from += REGION) {
      int to = from + Math.min(REGION, more.length - from);
      int stripe = table().lock(from >>> REGION_SHIFT);
      try {
        set(words, from, more[from]);
        for (int i = from + 1; i < to; i++) {
          words[i] |= more[i];
        }
      } finally {
        table().unlock(stripe);
      }
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(words(), hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    return KERNEL.selectTwoWords(words(), hashes, from, to, hits, 0);
  }

  /** The kernel's operation of this name in plain Java. */
  static int selectTwoWords(long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(words, hashes, i, end);
      found = selectPrefetched(words, hashes, i, end, hits, found);
    }
    return found;
  }

  private static int selectPrefetched(
      long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    long twiceBlocks = twiceBlocks(words);
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(words, twiceBlocks, hashes[i]);
    }
    return found;
  }

  /**
   * Prefetches both words of each hash of a batch, unless the whole table fits in the cache: the
   * loads do not depend on each other, so that their cache misses overlap. They are opaque, as the
   * compiler may not eliminate those even if the result is unused.
   */
  static long prefetch(long[] words, long[] hashes, int from, int to) {
    long any = 0;
    if (words.length <= Batches.CACHED_WORDS) {
      return any;
    }
    long twiceBlocks = twiceBlocks(words);
    for (int i = from; i < to; i++) {
      int first = first(hashes[i], twiceBlocks);
      any |= (long) WORDS.getOpaque(words, first);
      any |= (long) WORDS.getOpaque(words, first + 1);
    }
    return any;
  }

  @Override
  public FilterStats stats() {
    return TwoWordStats.of(spec(), WordRange.of(words()), words().length);
  }
}
