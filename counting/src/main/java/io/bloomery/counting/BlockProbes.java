package io.bloomery.counting;

import io.bloomery.internal.WordProbes;

/**
 * The positions of a hash: equally many bits in each of the two words of a block. Part of the file
 * format.
 *
 * <p>The low 32 bits of a hash pick its first word among all, as in {@link WordProbes}; its second
 * is the other word of the same block. Where a word has two positions they are a pair, which the
 * highest five bits pick from those of {@link Pairs}, for both words; it is rotated by bits 32 to
 * 37 in the first and by bits 38 to 43 in the second, and its bits never coincide. One, three or
 * four positions are picked each by itself, and may coincide.
 */
final class BlockProbes {

  /** Positions in a word that are a pair. */
  static final int PAIR = 2;

  // Where the rotation of the second word and the number of the pair begin in the upper half of a
  // hash,
  // which begins with the rotation of the first. An int, since rotations are.
  private static final int SECOND_ROTATION = 6;
  private static final int NUMBER = 27;

  // Where the numbers of a word's single bits begin, in a hash and in its product.
  private static final int FIRST_BIT = 58;
  private static final int SECOND_BIT = 52;
  private static final int BELOW_IN_SECOND_WORD = 12;

  // Where more than two positions a word are wanted, their bits come from the upper end of a
  // product, which depends on all bits. Any odd multiplier that spreads them would do: 2^64 divided
  // by the golden ratio.
  private static final long REMIX = 0x9e3779b97f4a7c15L;

  private static final long[] PAIRS = Pairs.all();

  private BlockProbes() {}

  /** Returns the other word of a block. */
  static int other(int word) {
    return word ^ 1;
  }

  /** Returns the first word of a hash. */
  static int word(long hash, long words) {
    return WordProbes.wordOfArray(hash, words);
  }

  private static int upper(long hash) {
    return (int) (hash >>> Integer.SIZE);
  }

  /** Returns the pair of a hash before it is rotated. */
  private static long pair(int upper) {
    return PAIRS[upper >>> NUMBER];
  }

  /** Returns the positions of a hash in its first word. */
  static long first(long hash, int probesPerWord) {
    // Rotations and shifts take the lowest six bits of what they rotate or shift by.
    return probesPerWord == PAIR
        ? Long.rotateLeft(pair(upper(hash)), upper(hash))
        : single(hash, hash * REMIX, probesPerWord);
  }

  /** Returns the positions of a hash in its second word. */
  static long second(long hash, int probesPerWord) {
    return probesPerWord == PAIR
        ? Long.rotateLeft(pair(upper(hash)), upper(hash) >>> SECOND_ROTATION)
        : single(
            hash << BELOW_IN_SECOND_WORD, (hash * REMIX) << BELOW_IN_SECOND_WORD, probesPerWord);
  }

  /** Returns one position, or three or four: two of a hash's upper end, others of a product's. */
  private static long single(long hash, long product, int probesPerWord) {
    long one = 1L << (hash >>> FIRST_BIT);
    if (probesPerWord == 1) {
      return one;
    }
    long three = one | 1L << (hash >>> SECOND_BIT) | 1L << (product >>> FIRST_BIT);
    return probesPerWord == 3 ? three : three | 1L << (product >>> SECOND_BIT);
  }

  /** Returns 0 if a hash's two words have all of its positions, else not. */
  static long missing(long first, long second, long hash, int probesPerWord) {
    return probesPerWord == PAIR
        ? missingOfPair(first, second, hash)
        : (first(hash, probesPerWord) & ~first) | (second(hash, probesPerWord) & ~second);
  }

  // Turns the words back rather than the pair forth: one number to compare with. In this order the
  // compiler of Java 17 makes one instruction of it that takes the pair from memory.
  static long missingOfPair(long first, long second, long hash) {
    int upper = upper(hash);
    long both =
        Long.rotateRight(first, upper) & Long.rotateRight(second, upper >>> SECOND_ROTATION);
    return ~both & pair(upper);
  }

  /** Returns where a hash is counted, equally often in each of its words, the first word first. */
  static long[] positions(long hash, long words, int probesPerWord) {
    long first = WordProbes.word(hash, words);
    long[] positions = new long[CountingLayout.BLOCK_WORDS * probesPerWord];
    for (int i = 0; i < positions.length; i++) {
      int second = i / probesPerWord;
      int inWord = i % probesPerWord;
      long bit =
          probesPerWord == PAIR ? ofPair(hash, second, inWord) : ofSingle(hash, second, inWord);
      positions[i] = (first ^ second) * Long.SIZE + Math.floorMod(bit, Long.SIZE);
    }
    return positions;
  }

  private static long ofPair(long hash, int second, int inWord) {
    int upper = upper(hash);
    int rotation = second == 0 ? upper : upper >>> SECOND_ROTATION;
    return inWord == 0 ? rotation : rotation + Pairs.distance(upper >>> NUMBER);
  }

  private static long ofSingle(long hash, int second, int inWord) {
    long from = inWord < 2 ? hash : hash * REMIX;
    return from >>> ((inWord % 2 == 0 ? FIRST_BIT : SECOND_BIT) - second * BELOW_IN_SECOND_WORD);
  }
}
