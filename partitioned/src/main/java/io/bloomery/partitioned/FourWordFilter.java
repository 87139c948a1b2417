package io.bloomery.partitioned;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BlockSizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A split-block filter whose keys set two bits in each of the four words of a block, for rates
 * below {@link Blocks#LOWEST_RATE_OF_TWO_WORDS}.
 *
 * <p>Word j has the bits that 6 bits of the {@linkplain #pattern pattern} name from bit {@code 16 +
 * 12j} on and another 6 from bit {@code 22 + 12j} on.
 *
 * <p>Queries, and puts that share nothing, go through the {@link SplitBlockKernel} of this JVM.
 */
final class FourWordFilter extends BlockFilter {

  static final int BITS_PER_WORD = 2;

  /** Bits that a key sets, some of which may coincide. */
  static final int PROBES = Blocks.WORDS * BITS_PER_WORD;

  /** Sizes and rates. */
  static final BlockSizing SIZING = new BlockSizing(Blocks.WORDS, BITS_PER_WORD);

  private static final long REMIX = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  private static final SplitBlockKernel KERNEL = SplitBlockKernel.installed();

  // A shared put in plain Java tests by the masks that it needs for writing.
  private static final boolean VECTORS = !(KERNEL instanceof PlainKernel);

  private final long blocks;

  FourWordFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, TableLayout.ofBits(table.sizeInBits()).withProbes(PROBES), table);
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
  }

  /** Returns the block that a hash belongs to. Part of the file format. */
  static long block(long hash, long blocks) {
    // As Probes maps it, without an object for each query.
    return Math.multiplyHigh(hash >>> 1, blocks << 1);
  }

  /**
   * Returns what picks the bits of a hash within its block, by its high bits, each of which depends
   * on all lower bits of the hash. The hash's own low bits are partly those that picked the block
   * once there are more than 2^16 blocks, which costs 1.6 times the rate. Part of the file format.
   */
  static long pattern(long hash) {
    return hash * REMIX;
  }

  /** Returns the bits of a pattern in one of the block's words. Part of the file format. */
  static long mask(long pattern, int word) {
    long fields = pattern >>> (16 + 12 * word);
    return (1L << fields) | (1L << (fields >>> 6));
  }

  /** Returns where the bits of a hash lie, two for each word of its block. */
  static long[] positions(long hash, long blocks) {
    long start = block(hash, blocks) * Blocks.BLOCK_BITS;
    long[] positions = new long[PROBES];
    for (int i = 0; i < PROBES; i++) {
      long field = pattern(hash) >>> (16 + 6 * i);
      positions[i] = start + (long) i / 2 * Long.SIZE + field % Long.SIZE;
    }
    return positions;
  }

  /** Returns where a hash's block begins in the words. */
  static int first(long hash, long[] words) {
    return (int) block(hash, words.length / Blocks.WORDS) * Blocks.WORDS;
  }

  @Override
  public boolean mightContain(long hash) {
    // The kernel may read plainly. Without the fence, a caller's loop that waits for another
    // thread's put is then compiled into one that reads the block once and never ends.
    VarHandle.loadLoadFence();
    return test(words(), hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  static int test(long[] words, long hash) {
    return KERNEL.test(words, first(hash, words), pattern(hash));
  }

  @Override
  public boolean put(long hash) {
    long[] words = words();
    return shared() ? putShared(hash) : KERNEL.put(words, first(hash, words), pattern(hash));
  }

  // Needs no fence: what was contained stays so, and the rest is read again under the stripe.
  private boolean putShared(long hash) {
    long[] words = words();
    if (VECTORS && test(words, hash) != 0) {
      return false;
    }
    long block = block(hash, blocks);
    int first = (int) block * Blocks.WORDS;
    long pattern = pattern(hash);
    long a = mask(pattern, 0);
    long b = mask(pattern, 1);
    long c = mask(pattern, 2);
    long d = mask(pattern, 3);
    if (missing(words, first, a, b, c, d) == 0) {
      return false;
    }
    int stripe = table().lock(block);
    try {
      long missing = missing(words, first, a, b, c, d);
      WORDS.setOpaque(words, first, words[first] | a);
      WORDS.setOpaque(words, first + 1, words[first + 1] | b);
      WORDS.setOpaque(words, first + 2, words[first + 2] | c);
      WORDS.setOpaque(words, first + 3, words[first + 3] | d);
      return missing != 0;
    } finally {
      table().unlock(stripe);
    }
  }

  private static long missing(long[] words, int first, long a, long b, long c, long d) {
    return (a & ~words[first])
        | (b & ~words[first + 1])
        | (c & ~words[first + 2])
        | (d & ~words[first + 3]);
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
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
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      prefetch(words(), hashes, i, end);
      found = selectPrefetched(hashes, i, end, hits, found);
    }
    return found;
  }

  private int selectPrefetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = words();
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(words, hashes[i]);
    }
    return found;
  }

  /**
   * Brings the blocks of a batch into the cache, unless the whole table fits there: loads that wait
   * for nothing, many of them at a time. Every other block lies across two cache lines, hence its
   * first word and its last. Opaque reads are made even if nobody uses what they return.
   */
  static long prefetch(long[] words, long[] hashes, int from, int to) {
    long any = 0;
    if (words.length <= CACHED) {
      return any;
    }
    for (int i = from; i < to; i++) {
      int first = first(hashes[i], words);
      any |= (long) WORDS.getOpaque(words, first);
      any |= (long) WORDS.getOpaque(words, first + Blocks.WORDS - 1);
    }
    return any;
  }

  @Override
  protected void merge(BitTable other) {
    long[] words = words();
    long[] more = other.sharedWords();
    for (int first = 0; first < words.length; first += Blocks.WORDS) {
      int stripe = table().lock(first / Blocks.WORDS);
      try {
        for (int i = first; i < first + Blocks.WORDS; i++) {
          WORDS.setOpaque(words, i, words[i] | (long) WORDS.getOpaque(more, i));
        }
      } finally {
        table().unlock(stripe);
      }
    }
  }

  @Override
  public FilterStats stats() {
    return FourWordStats.of(spec(), i -> (long) WORDS.getOpaque(words(), (int) i), blocks);
  }
}
