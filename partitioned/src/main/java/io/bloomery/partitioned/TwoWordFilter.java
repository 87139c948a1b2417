package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.BlockSizing;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A split-block filter whose keys set three bits in one word of each half of a block, for rates
 * from {@link Blocks#LOWEST_RATE_OF_TWO_WORDS} up.
 *
 * <p>A hash as a share of 2^64 picks the first word among all, and thereby the block; its bit 31
 * picks one of the two words in the other half. Bits 0 to 5 name the shape of its bits in both
 * words, bits 6 to 11 by how far they are turned in the first, bits 12 to 17 in the second. This is
 * the cache-sectorized filter of Lang, Neumann, Kemper, Boncz, 2019,
 * doi.org/10.14778/3303753.3303757, with bits taken from a table.
 */
final class TwoWordFilter extends BlockFilter {

  private static final int BITS_PER_WORD = 3;

  /** Bits that a key sets, all different. */
  static final int PROBES = 2 * BITS_PER_WORD;

  /** Sizes and rates. */
  static final BlockSizing SIZING =
      new BlockSizing(Blocks.BLOCK_BITS, TwoWordShapes.ratesInBlock(BlockSizing.OVERFULL));

  private static final long[] SHAPES = TwoWordShapes.all();

  static final BlockMeasure MEASURE =
      new BlockMeasure(TwoWordShapes::rate, TwoWordShapes.keysInBlock());

  TwoWordFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, table, PROBES, MEASURE);
  }

  /** Returns the first word of a hash. Part of the file format. */
  static long first(long hash, long words) {
    return Probes.position(hash, words);
  }

  /** Returns the second word of a hash. Part of the file format. */
  static long second(long first, long hash) {
    return first ^ (2 + ((int) hash >>> 31));
  }

  /** Returns a hash's bits before they are turned. */
  private static long shape(long hash) {
    return SHAPES[(int) hash & 63];
  }

  /** Returns the bits of a hash in its first word. Part of the file format. */
  static long firstMask(long hash) {
    return Long.rotateLeft(shape(hash), (int) (hash >>> 6));
  }

  /** Returns the bits of a hash in its second word. Part of the file format. */
  static long secondMask(long hash) {
    return Long.rotateLeft(shape(hash), (int) (hash >>> 12));
  }

  /** Returns where the bits of a hash lie, three for each of two words. */
  static long[] positions(long hash, long blocks) {
    long first = first(hash, blocks * Blocks.WORDS);
    long second = second(first, hash);
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
    return test(words(), hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  static int test(long[] words, long hash) {
    int first = (int) first(hash, words.length);
    return missing(words[first], words[(int) second(first, hash)], hash) == 0 ? 1 : 0;
  }

  /** Returns the bits of a hash that are clear in its two words, in no order. */
  static long missing(long first, long second, long hash) {
    return (firstMask(hash) & ~first) | (secondMask(hash) & ~second);
  }

  @Override
  public boolean put(long hash) {
    return shared() ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = words();
    int first = (int) first(hash, words.length);
    int second = (int) second(first, hash);
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
    int first = (int) first(hash, words.length);
    int second = (int) second(first, hash);
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
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(words, hashes[i]);
    }
    return found;
  }
}
