package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.BlockSizing;
import io.bloomery.spi.TableProvider;
import io.bloomery.spi.TurnedShapes;
import io.bloomery.spi.WordProbes;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A split-block filter whose keys set three bits in one word of each half of a block, for rates
 * from {@link Blocks#LOWEST_RATE_OF_TWO_WORDS} up.
 *
 * <p>One half is the block's words 0 and 2, the other 1 and 3: of blocks that lie across two cache
 * lines, half the keys have both words in one. The low 32 bits of a hash pick the first word among
 * all, and thereby the block; bit 58 picks one of the two words in the other half. The six bits
 * beside that, the highest ones, name the shape of its bits in both words; bits 32 to 37 say by how
 * far they are turned in the first, bits 38 to 43 in the second. This is the cache-sectorized
 * filter of Lang, Neumann, Kemper, Boncz, 2019, doi.org/10.14778/3303753.3303757, with bits taken
 * from a table.
 *
 * <p>Queries turn the words back rather than the shape forth: one number to compare with, and two
 * instructions less.
 */
final class TwoWordFilter extends BlockFilter {

  private static final int BITS_PER_WORD = 3;

  // Where the turn of the second word and the number of the shape begin in the upper half of a
  // hash, which begins with the turn of the first. An int, since turns are.
  private static final int TURN_OF_SECOND = 6;
  private static final int NUMBER = 25;

  // Of a number's seven bits, the one that says nothing of the shape, but which word is the second:
  // by its value, no shift is needed.
  private static final int WORD_OF_NUMBER = 2;

  /** Bits that a key sets, all different. */
  static final int PROBES = 2 * BITS_PER_WORD;

  private static final long[] SHAPES = TwoWordShapes.byNumber();

  private static final TurnedShapes IN_BLOCK = TwoWordShapes.inBlock();

  /** Sizes and rates. */
  static final BlockSizing SIZING = IN_BLOCK.sizing();

  static final BlockMeasure MEASURE =
      new BlockMeasure(
          block -> IN_BLOCK.rate(block[0], block[2], block[1], block[3]), IN_BLOCK.keysInBlock());

  private final long length; // of the words: a long, as it is multiplied by

  TwoWordFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, table, PROBES, MEASURE);
    this.length = words().length;
  }

  /** Returns the first word of a hash. Part of the file format. */
  static int first(long hash, long words) {
    return WordProbes.wordOfArray(hash, words);
  }

  /** Returns the second word of a hash. Part of the file format. */
  static int second(int first, long hash) {
    return first ^ 1 ^ (upper(hash) >>> NUMBER & WORD_OF_NUMBER);
  }

  private static int upper(long hash) {
    return (int) (hash >>> Integer.SIZE);
  }

  /** Returns a hash's bits before they are turned. */
  private static long shape(int upper) {
    return SHAPES[upper >>> NUMBER];
  }

  /** Returns the bits of a hash in its first word. Part of the file format. */
  static long firstMask(long hash) {
    int upper = upper(hash);
    return Long.rotateLeft(shape(upper), upper);
  }

  /** Returns the bits of a hash in its second word. Part of the file format. */
  static long secondMask(long hash) {
    int upper = upper(hash);
    return Long.rotateLeft(shape(upper), upper >>> TURN_OF_SECOND);
  }

  /** Returns where the bits of a hash lie, three for each of two words. */
  static long[] positions(long hash, long blocks) {
    long first = WordProbes.word(hash, blocks * Blocks.WORDS);
    long second = first ^ second(0, hash);
    long[] positions = new long[PROBES];
    long mask = firstMask(hash);
    long more = secondMask(hash);
    for (int i = 0; i < BITS_PER_WORD; i++) {
      positions[i] = first * Long.SIZE + Long.numberOfTrailingZeros(mask);
      positions[BITS_PER_WORD + i] = second * Long.SIZE + Long.numberOfTrailingZeros(more);
      mask &= mask - 1;
      more &= more - 1;
    }
    return positions;
  }

  @Override
  public boolean mightContain(long hash) {
    // Reads are plain. Without the fence, a caller's loop that waits for another thread's put is
    // then compiled into one that reads the block once and never ends.
    VarHandle.loadLoadFence();
    return test(words(), length, hash) != 0;
  }

  /**
   * Returns 1 if all bits of a hash are set, else 0: reads both words, since branches cost more.
   */
  static int test(long[] words, long length, long hash) {
    int first = first(hash, length);
    int second = second(first, hash);
    return missing(words[first], words[second], hash) == 0 ? 1 : 0;
  }

  /** Returns the bits of a hash's shape that are clear in one of its two words. */
  static long missing(long first, long second, long hash) {
    int upper = upper(hash);
    long both = Long.rotateRight(first, upper) & Long.rotateRight(second, upper >>> TURN_OF_SECOND);
    return ~both & shape(upper);
  }

  @Override
  public boolean put(long hash) {
    return shared() ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = words();
    int first = first(hash, length);
    int second = second(first, hash);
    long a = firstMask(hash);
    long b = secondMask(hash);
    long missing = (a & ~words[first]) | (b & ~words[second]);
    words[first] |= a;
    words[second] |= b;
    return missing != 0;
  }

  // Needs no fence: what was contained stays so, and the rest is read again under the stripe.
  private boolean putShared(long hash) {
    long[] words = words();
    int first = first(hash, length);
    int second = second(first, hash);
    long a = firstMask(hash);
    long b = secondMask(hash);
    if (((a & ~words[first]) | (b & ~words[second])) == 0) {
      return false;
    }
    int stripe = table().claim(first / Blocks.WORDS);
    try {
      long missing = (a & ~words[first]) | (b & ~words[second]);
      WORDS.setOpaque(words, first, words[first] | a);
      WORDS.setOpaque(words, second, words[second] | b);
      return missing != 0;
    } finally {
      table().release(stripe);
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      fetch(words(), hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      fetch(words(), hashes, i, end);
      found = selectFetched(hashes, i, end, hits, found);
    }
    return found;
  }

  private int selectFetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = words();
    long length = this.length;
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(words, length, hashes[i]);
    }
    return found;
  }

  /**
   * Brings both words of each hash of a batch into the cache, unless the whole table fits there:
   * loads that wait for nothing, many of them at a time. Opaque reads are made even if nobody uses
   * what they return.
   */
  static long fetch(long[] words, long[] hashes, int from, int to) {
    long any = 0;
    if (words.length <= CACHED) {
      return any;
    }
    for (int i = from; i < to; i++) {
      int first = first(hashes[i], words.length);
      any |= (long) WORDS.getOpaque(words, first);
      any |= (long) WORDS.getOpaque(words, second(first, hashes[i]));
    }
    return any;
  }
}
