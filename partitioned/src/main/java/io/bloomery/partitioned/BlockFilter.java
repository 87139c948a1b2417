package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A Bloom filter of blocks, where all bits of a key lie in the block that the high bits of its hash
 * pick: what does not depend on which bits of a block they are.
 *
 * <p>A shared put that has something to write holds the stripe of its block, so that it writes each
 * word plainly: with 5,000,000 keys a fresh put takes a fifth less time than with four atomic
 * writes. Whoever else writes to a block holds the same stripe.
 */
abstract class BlockFilter extends TableFilter {

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  // Words in 1 MiB, a common size of second-level caches.
  static final int CACHED = 1 << 17;

  static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final long REMIX = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  private final long[] words;
  private final long blocks;
  private final boolean shared;
  private final BlockMeasure measure;

  BlockFilter(
      TableProvider provider, FilterSpec spec, BitTable table, int probes, BlockMeasure measure) {
    super(provider, spec, table, probes);
    this.measure = measure;
    this.words = table.words();
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  /** Returns the block that a hash belongs to. Part of the file format. */
  static long block(long hash, long blocks) {
    return Probes.position(hash, blocks);
  }

  /**
   * Returns what picks the bits of a hash within its block, by its high bits, each of which depends
   * on all lower bits of the hash. The hash's own low bits are partly those that picked the block
   * once there are more than 2^16 blocks, which costs 1.6 times the rate. Part of the file format.
   */
  static long pattern(long hash) {
    return hash * REMIX;
  }

  /** Returns the words of the table. */
  final long[] words() {
    return words;
  }

  /** Returns the number of blocks. */
  final long blocks() {
    return blocks;
  }

  /** Returns whether other threads may use this filter at the same time. */
  final boolean shared() {
    return shared;
  }

  /**
   * Brings the blocks of a batch into the cache, unless the whole table fits there: loads that wait
   * for nothing, many of them at a time. Every other block lies across two cache lines, hence its
   * first word and its last. Opaque reads are made even if nobody uses what they return.
   */
  static long fetch(long[] words, long[] hashes, int from, int to) {
    long any = 0;
    if (words.length <= CACHED) {
      return any;
    }
    for (int i = from; i < to; i++) {
      int first = (int) block(hashes[i], words.length / Blocks.WORDS) * Blocks.WORDS;
      any |= (long) WORDS.getOpaque(words, first);
      any |= (long) WORDS.getOpaque(words, first + Blocks.WORDS - 1);
    }
    return any;
  }

  @Override
  protected final void merge(BitTable other) {
    long[] more = other.words();
    for (int first = 0; first < words.length; first += Blocks.WORDS) {
      int stripe = table().claim(first / Blocks.WORDS);
      try {
        for (int i = first; i < first + Blocks.WORDS; i++) {
          WORDS.setOpaque(words, i, words[i] | (long) WORDS.getOpaque(more, i));
        }
      } finally {
        table().release(stripe);
      }
    }
  }

  @Override
  public final FilterStats stats() {
    return measure.of(i -> (long) WORDS.getOpaque(words, (int) i), blocks);
  }
}
