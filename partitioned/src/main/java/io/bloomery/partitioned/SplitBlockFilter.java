package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * A Bloom filter of blocks of four words, where a key sets two bits in each word of one block.
 *
 * <p>The high bits of the hash pick the block. The bits within come from the hash times {@code
 * 0x9E3779B97F4A7C15}: word j has the bits that 6 bits of that product name from bit {@code 16 +
 * 12j} on and another 6 from bit {@code 22 + 12j} on. They are taken from the high end, where every
 * bit of the product depends on all lower bits of the hash; the hash's own low bits are partly
 * those that picked the block once there are more than 2^16 blocks, which costs 1.6 times the rate.
 *
 * <p>A shared put that has something to write holds the stripe of its block, so that it writes each
 * word plainly: with 5,000,000 keys a fresh put takes a fifth less time than with four atomic
 * writes. Whoever else writes to a block holds the same stripe.
 *
 * <p>Queries, and puts that share nothing, go through the {@link SplitBlockKernel} of this JVM.
 */
final class SplitBlockFilter extends TableFilter {

  private static final long REMIX = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  // Words in 1 MiB, a common size of second-level caches.
  static final int CACHED = 1 << 17;

  private static final SplitBlockKernel KERNEL = SplitBlockKernel.installed();

  // A shared put in plain Java tests by the masks that it needs for writing.
  private static final boolean VECTORS = !(KERNEL instanceof PlainKernel);

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  // How many keys have set so many bits of a block.
  private static final double[] KEYS = new double[Blocks.BLOCK_BITS + 1];

  static {
    for (int set = 0; set < KEYS.length; set++) {
      KEYS[set] = keysInBlock(set);
    }
  }

  private final long[] words;
  private final long blocks;
  private final boolean shared;

  SplitBlockFilter(TableProvider provider, FilterSpec spec, BitTable table) {
    super(provider, spec, table, Blocks.PROBES);
    this.words = table.words();
    this.blocks = table.sizeInBits() / Blocks.BLOCK_BITS;
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  /** Returns the block that a hash belongs to. Part of the file format. */
  static long block(long hash, long blocks) {
    return Probes.position(hash, blocks);
  }

  /** Returns where the bits of a hash lie within its block. Part of the file format. */
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
    long[] positions = new long[Blocks.PROBES];
    for (int i = 0; i < Blocks.PROBES; i++) {
      long field = pattern(hash) >>> (16 + 6 * i);
      positions[i] = start + (long) i / 2 * Long.SIZE + field % Long.SIZE;
    }
    return positions;
  }

  /** Returns the words of the table. */
  long[] words() {
    return words;
  }

  /** Returns where a hash's block begins in the words. */
  static int first(long hash, long blocks) {
    return (int) block(hash, blocks) * Blocks.WORDS;
  }

  @Override
  public boolean mightContain(long hash) {
    // The kernel may read plainly. Without the fence, a caller's loop that waits for another
    // thread's put is then compiled into one that reads the block once and never ends.
    VarHandle.loadLoadFence();
    return test(words, blocks, hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  private static int test(long[] words, long blocks, long hash) {
    return KERNEL.test(words, first(hash, blocks), pattern(hash));
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : KERNEL.put(words, first(hash, blocks), pattern(hash));
  }

  // Needs no fence: what was contained stays so, and the rest is read again under the stripe.
  private boolean putShared(long hash) {
    if (VECTORS && test(words, blocks, hash) != 0) {
      return false;
    }
    long[] words = this.words;
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
    int stripe = table().claim(block);
    try {
      long missing = missing(words, first, a, b, c, d);
      WORDS.setOpaque(words, first, words[first] | a);
      WORDS.setOpaque(words, first + 1, words[first + 1] | b);
      WORDS.setOpaque(words, first + 2, words[first + 2] | c);
      WORDS.setOpaque(words, first + 3, words[first + 3] | d);
      return missing != 0;
    } finally {
      table().release(stripe);
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
      fetch(hashes, i, end);
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
      if (fetch(hashes, i, end)) {
        found = selectFetched(hashes, i, end, hits, found);
      }
    }
    return found;
  }

  private int selectFetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    long blocks = this.blocks;
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(words, blocks, hashes[i]);
    }
    return found;
  }

  /**
   * Brings the blocks of a batch into the cache, unless the whole table fits there: loads that wait
   * for nothing, many of them at a time. Every other block lies across two cache lines, hence its
   * first word and its last. Opaque reads are made even if nobody uses what they return.
   *
   * @return false if not one bit is set in those words, so that no hash is contained
   */
  private boolean fetch(long[] hashes, int from, int to) {
    long[] words = this.words;
    long blocks = this.blocks;
    if (words.length <= CACHED) {
      return true;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      int first = first(hashes[i], blocks);
      any |= (long) WORDS.getOpaque(words, first);
      any |= (long) WORDS.getOpaque(words, first + Blocks.WORDS - 1);
    }
    return any != 0;
  }

  @Override
  protected void merge(BitTable other) {
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

  /**
   * {@inheritDoc} The rate is the mean over blocks of each block's own, since full blocks answer
   * yes more often than empty ones make good. The number of keys is the sum of each block's
   * estimate; a block with every bit set counts as if half a bit were clear, 167 keys.
   */
  @Override
  public FilterStats stats() {
    return stats(i -> (long) WORDS.getOpaque(words, (int) i), blocks);
  }

  /** Measures blocks, given their words by index. */
  static FilterStats stats(LongUnaryOperator words, long blocks) {
    long setBits = 0;
    double rates = 0;
    double keys = 0;
    for (long first = 0; first < blocks * Blocks.WORDS; first += Blocks.WORDS) {
      int setInBlock = 0;
      double rate = 1;
      for (long i = first; i < first + Blocks.WORDS; i++) {
        int setInWord = Long.bitCount(words.applyAsLong(i));
        double fill = (double) setInWord / Long.SIZE;
        rate *= fill * fill;
        setInBlock += setInWord;
      }
      setBits += setInBlock;
      rates += rate;
      keys += KEYS[setInBlock];
    }
    long bits = blocks * Blocks.BLOCK_BITS;
    return new FilterStats(
        bits,
        setBits,
        rates / blocks,
        setBits == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)));
  }

  // The share of clear bits, (63/64)^2i after i keys, solved for i. That alone would be too many,
  // since the logarithm is curved and fills scatter, by (1/clear - 1 + ln clear) / (1024 ln(64/63))
  // keys; small for one block, but the errors of many do not cancel.
  private static double keysInBlock(int setBits) {
    double clearBits = Math.max(0.5, Blocks.BLOCK_BITS - setBits);
    double clear = clearBits / Blocks.BLOCK_BITS;
    double perBit = -StrictMath.log1p(-1.0 / Long.SIZE);
    double logClear = StrictMath.log(clear);
    double keys = -logClear / (Blocks.BITS_PER_WORD * perBit);
    double excess =
        (1 / clear - 1 + logClear) / (2 * Blocks.BITS_PER_WORD * Blocks.BLOCK_BITS * perBit);
    return keys - excess;
  }
}
