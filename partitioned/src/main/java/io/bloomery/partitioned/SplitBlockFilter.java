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
import java.util.OptionalLong;

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
 */
final class SplitBlockFilter extends TableFilter {

  private static final long REMIX = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  private static final int BATCH = 64;

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

  /** Returns the bits of a hash within one of its block's words. Part of the file format. */
  static long mask(long hash, int word) {
    long pattern = (hash * REMIX) >>> (16 + 12 * word);
    return (1L << pattern) | (1L << (pattern >>> 6));
  }

  /** Returns where the bits of a hash lie, two for each word of its block. */
  static long[] positions(long hash, long blocks) {
    long start = block(hash, blocks) * Blocks.BLOCK_BITS;
    long[] positions = new long[Blocks.PROBES];
    for (int i = 0; i < Blocks.PROBES; i++) {
      long pattern = (hash * REMIX) >>> (16 + 6 * i);
      positions[i] = start + (long) i / 2 * Long.SIZE + pattern % Long.SIZE;
    }
    return positions;
  }

  @Override
  public boolean mightContain(long hash) {
    return test(words, blocks, hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  private static int test(long[] words, long blocks, long hash) {
    int first = (int) block(hash, blocks) * Blocks.WORDS;
    long pattern = hash * REMIX;
    long a = (long) WORDS.getOpaque(words, first);
    long b = (long) WORDS.getOpaque(words, first + 1);
    long c = (long) WORDS.getOpaque(words, first + 2);
    long d = (long) WORDS.getOpaque(words, first + 3);
    // A shift takes the low 6 bits of its count, so that the fields need no masks.
    long all = (a >>> (pattern >>> 16)) & (a >>> (pattern >>> 22));
    all &= (b >>> (pattern >>> 28)) & (b >>> (pattern >>> 34));
    all &= (c >>> (pattern >>> 40)) & (c >>> (pattern >>> 46));
    all &= (d >>> (pattern >>> 52)) & (d >>> (pattern >>> 58));
    return (int) all & 1;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    int first = (int) block(hash, blocks) * Blocks.WORDS;
    long missing = 0;
    for (int j = 0; j < Blocks.WORDS; j++) {
      long word = words[first + j];
      long mask = mask(hash, j);
      missing |= mask & ~word;
      words[first + j] = word | mask;
    }
    return missing != 0;
  }

  private boolean putShared(long hash) {
    long[] words = this.words;
    long block = block(hash, blocks);
    if (test(words, blocks, hash) != 0) {
      return false;
    }
    int stripe = table().claim(block);
    try {
      int first = (int) block * Blocks.WORDS;
      long missing = 0;
      for (int j = 0; j < Blocks.WORDS; j++) {
        long word = words[first + j];
        long mask = mask(hash, j);
        missing |= mask & ~word;
        WORDS.setOpaque(words, first + j, word | mask);
      }
      return missing != 0;
    } finally {
      table().release(stripe);
    }
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from; i < to; i += BATCH) {
      found = selectBatch(hashes, i, Math.min(i + BATCH, to), hits, found);
    }
    return found;
  }

  // Asks the first word of every block, then all words of those that are left: the loads of the
  // first round do not wait for each other, and the others find their lines in the cache.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    long blocks = this.blocks;
    int asked = found;
    for (int i = from; i < to; i++) {
      hits[asked] = i;
      asked += testFirstWord(words, blocks, hashes[i]);
    }
    int left = found;
    for (int j = found; j < asked; j++) {
      int i = hits[j];
      hits[left] = i;
      left += test(words, blocks, hashes[i]);
    }
    return left;
  }

  /** Returns 1 if the bits of a hash in its block's first word are set, else 0. */
  private static int testFirstWord(long[] words, long blocks, long hash) {
    long pattern = hash * REMIX;
    long a = (long) WORDS.getOpaque(words, (int) block(hash, blocks) * Blocks.WORDS);
    return (int) ((a >>> (pattern >>> 16)) & (a >>> (pattern >>> 22))) & 1;
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
    long setBits = 0;
    double rates = 0;
    double keys = 0;
    for (int first = 0; first < words.length; first += Blocks.WORDS) {
      int setInBlock = 0;
      double rate = 1;
      for (int i = first; i < first + Blocks.WORDS; i++) {
        int setInWord = Long.bitCount((long) WORDS.getOpaque(words, i));
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
