package io.bloomery.counting;

/**
 * The positions of a hash: a block, and equally many bits in each of its two words. Part of the
 * file format.
 *
 * <p>The upper 34 bits of a hash pick the block. Where a word has two positions they are a pair,
 * which bits 0 to 4 pick from those of {@link Pairs}, for both words; it is turned by bits 6 to 11
 * in the first and by bits 12 to 17 in the second, and its bits never coincide. Three or four
 * positions are picked each by itself, and may coincide.
 */
final class BlockProbes {

  /** Positions in a word that are a pair. */
  static final int PAIR = 2;

  // Lower bits of a hash, of which up to 24 choose positions in the block that the others have
  // chosen.
  private static final int UNUSED_BY_BLOCK = 30;

  // Where more than two positions a word are wanted, their bits come from the upper end of a
  // product, which depends on all bits. Any odd multiplier that spreads them would do: 2^64 divided
  // by the golden ratio.
  private static final long REMIX = 0x9e3779b97f4a7c15L;

  private static final long[] PAIRS = Pairs.all();

  private BlockProbes() {}

  /** Returns the block of a hash: its upper 34 bits, as a fraction of 2^34, of all blocks. */
  static int block(long hash, long blocks) {
    return (int) (((hash >>> UNUSED_BY_BLOCK) * blocks) >>> (Long.SIZE - UNUSED_BY_BLOCK));
  }

  /** Returns the pair of a hash before it is turned. */
  static long pair(long hash) {
    return PAIRS[(int) hash & (Pairs.COUNT - 1)];
  }

  /** Returns the positions of a hash in the first word of its block. */
  static long first(long hash, int probesPerWord) {
    // Turns and shifts take the lowest six bits of what they turn or shift by.
    return probesPerWord == PAIR
        ? Long.rotateLeft(pair(hash), (int) (hash >>> 6))
        : single(hash, hash * REMIX, probesPerWord);
  }

  /** Returns the positions of a hash in the second word of its block. */
  static long second(long hash, int probesPerWord) {
    return probesPerWord == PAIR
        ? Long.rotateLeft(pair(hash), (int) (hash >>> 12))
        : single(hash >>> 12, (hash * REMIX) << 12, probesPerWord);
  }

  /** Returns three or four positions: two from the lower end of a number, others from a product. */
  private static long single(long low, long product, int probesPerWord) {
    long mask = 1L << low | 1L << (low >>> 6) | 1L << (product >>> 58);
    return probesPerWord == 3 ? mask : mask | 1L << (product >>> 52);
  }

  /** Returns 0 if the two words of a hash's block have all of its positions, else not. */
  static long missing(long first, long second, long hash, int probesPerWord) {
    return probesPerWord == PAIR
        ? missingOfPair(first, second, hash)
        : (first(hash, probesPerWord) & ~first) | (second(hash, probesPerWord) & ~second);
  }

  // Turns the words back rather than the pair forth: one number to compare with. In this order the
  // compiler of Java 17 makes one instruction of it that takes the pair from memory.
  private static long missingOfPair(long first, long second, long hash) {
    long both =
        Long.rotateRight(first, (int) (hash >>> 6)) & Long.rotateRight(second, (int) (hash >>> 12));
    return ~both & pair(hash);
  }

  /** Returns where a hash is counted, equally often in each word of its block. */
  static long[] positions(long hash, long blocks, int probesPerWord) {
    // As in block, but for more blocks than an array has room for.
    long block = Math.multiplyHigh((hash >>> UNUSED_BY_BLOCK) << 10, blocks << 20);
    long start = block * CountingLayout.BLOCK_BITS;
    long[] positions = new long[CountingLayout.BLOCK_WORDS * probesPerWord];
    for (int i = 0; i < positions.length; i++) {
      int word = i / probesPerWord;
      int inWord = i % probesPerWord;
      long bit = probesPerWord == PAIR ? ofPair(hash, word, inWord) : ofSingle(hash, word, inWord);
      positions[i] = start + (long) word * Long.SIZE + Math.floorMod(bit, Long.SIZE);
    }
    return positions;
  }

  private static long ofPair(long hash, int word, int inWord) {
    long turn = hash >>> (6 + 6 * word);
    return inWord == 0 ? turn : turn + Pairs.distance((int) hash & (Pairs.COUNT - 1));
  }

  private static long ofSingle(long hash, int word, int inWord) {
    return inWord < 2
        ? hash >>> (12 * word + 6 * inWord)
        : (hash * REMIX) >>> (58 - 12 * word - 6 * (inWord - 2));
  }
}
