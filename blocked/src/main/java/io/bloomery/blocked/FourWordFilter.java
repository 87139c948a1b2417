package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.WordRange;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A blocked Bloom filter whose blocks are four 64-bit words, in each of which a key has two bits,
 * for rates below {@link Blocks#LOWEST_RATE_OF_TWO_WORDS}.
 *
 * <p>The upper bits of a hash select the block. The bits in it are numbers of six bits in the
 * {@linkplain #pattern pattern} of the hash: in word j those that begin at bits {@code 16 + 12j}
 * and {@code 22 + 12j}. The two may coincide.
 *
 * <p>Queries, and puts in confined mode, use the installed {@link BlockedKernel}.
 */
final class FourWordFilter extends BlockFilter {

  static final int BITS_PER_WORD = 2;

  /** The number of bits of a key, some of which may coincide. */
  static final int PROBES = Blocks.WORDS * BITS_PER_WORD;

  /** Sizes and rates. */
  static final BlockSizing SIZING = new BlockSizing(Blocks.WORDS, BITS_PER_WORD);

  private static final long REMIX = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  private static final BlockedKernel KERNEL = BlockedKernel.installed();

  // Without vectors, a shared put tests with the masks that it needs for writing.
  private static final boolean VECTORS = !(KERNEL instanceof PlainKernel);

  private final long blocks;

  FourWordFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, TableLayout.ofBits(table.sizeInBits()).withProbes(PROBES), table);
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
  }

  /** Returns the block of a hash. Part of the file format. */
  static long block(long hash, long blocks) {
    // As in Probes, without an object for each query.
    return Math.multiplyHigh(hash >>> 1, blocks << 1);
  }

  /**
   * Returns the pattern of a hash, whose high bits, each dependent on all lower bits of the hash,
   * select the bits within the block. The low bits of the hash itself would not do: with more than
   * 2^16 blocks some of them also select the block, which raises the rate to 1.6 times. Part of the
   * file format.
   */
  static long pattern(long hash) {
    return hash * REMIX;
  }

  /** Returns the bits of a pattern in one of the block's words. Part of the file format. */
  static long mask(long pattern, int word) {
    long fields = pattern >>> (16 + 12 * word);
    return (1L << fields) | (1L << (fields >>> 6));
  }

  /** Returns the bit positions of a hash, two for each word of its block. */
  static long[] positions(long hash, long blocks) {
    long start = block(hash, blocks) * Blocks.BLOCK_BITS;
    long[] positions = new long[PROBES];
    for (int i = 0; i < PROBES; i++) {
      long field = pattern(hash) >>> (16 + 6 * i);
      positions[i] = start + (long) i / 2 * Long.SIZE + field % Long.SIZE;
    }
    return positions;
  }

  /** Returns the index of the first word of a hash's block. */
  static int first(long hash, long[] words) {
    return first(hash, twiceBlocks(words));
  }

  static int first(long hash, long twiceBlocks) {
    return (int) Math.multiplyHigh(hash >>> 1, twiceBlocks) * Blocks.WORDS;
  }

  /** Returns twice the number of blocks of a table. */
  static long twiceBlocks(long[] words) {
    return 2L * (words.length / Blocks.WORDS);
  }

  @Override
  public boolean mightContain(long hash) {
    // The kernel's reads are plain. Without the fence, a caller's loop that waits for another
    // thread's put could be compiled to read the block once and never end.
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

  // Needs no fence: a hash that is contained stays so, and otherwise the block is read again under
  // the lock.
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
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
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
   * Prefetches the blocks of a batch, unless the whole table fits in the cache: the loads do not
   * depend on each other, so that their cache misses overlap. Every other block spans two cache
   * lines, hence the first and the last word are read. The loads are opaque, as the compiler may
   * not eliminate those even if the result is unused.
   */
  static long prefetch(long[] words, long[] hashes, int from, int to) {
    long any = 0;
    if (words.length <= Batches.CACHED_WORDS) {
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
    if (!shared()) {
      super.merge(other);
      return;
    }
    long[] words = words();
    long[] more = other.sharedWords();
    for (int first = 0; first < words.length; first += Blocks.WORDS) {
      int stripe = table().lock(first / Blocks.WORDS);
      try {
        for (int i = first; i < first + Blocks.WORDS; i++) {
          words[i] |= more[i];
        }
      } finally {
        table().unlock(stripe);
      }
    }
  }

  @Override
  public FilterStats stats() {
    return FourWordStats.of(spec(), WordRange.of(words()), blocks);
  }
}
