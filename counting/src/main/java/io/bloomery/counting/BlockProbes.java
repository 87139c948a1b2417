package io.bloomery.counting;

import io.bloomery.internal.WordProbes;

/**
 * The positions of a hash: the same number of bits in each of the two words of a block. Part of the
 * file format.
 *
 * <p>The low 32 bits of a hash select its first word among all words, as in {@link WordProbes}; its
 * second word is the other one of the same block. Two positions in a word are a pair, selected for
 * both words by the highest five bits from those of {@link Pairs}; it is rotated by bits 32 to 37
 * in the first word and by bits 38 to 43 in the second, and its bits never coincide. One, three or
 * four positions are selected independently, and may coincide.
 */
final class BlockProbes {

  /** The number of positions in a word that are selected as a pair. */
  static final int PAIR = 2;

  // The offsets of the second word's rotation and of the pair's number in the upper half of a hash,
  // which begins with the rotation of the first word. An int, as rotations are.
  private static final int SECOND_ROTATION = 6;
  private static final int NUMBER = 27;

  // The offsets of the numbers of single bits, in a hash and in its product.
  private static final int FIRST_BIT = 58;
  private static final int SECOND_BIT = 52;
  private static final int BELOW_IN_SECOND_WORD = 12;

  // The third and fourth position of a word come from the upper end of a product, which depends on
  // all bits of the hash. Any odd multiplier that mixes well would do: 2^64 divided by the golden
  // ratio.
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

  /** Returns the pair of a hash before rotation. */
  private static long pair(int upper) {
    return PAIRS[upper >>> NUMBER];
  }

  /** Returns the positions of a hash in its first word. */
  static long first(long hash, int probesPerWord) {
    // Rotations and shifts use the lowest six bits of their distance.
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

  /** Returns one, three or four positions: two from the hash, the others from the product. */
  private static long single(long hash, long product, int probesPerWord) {
    long one = 1L << (hash >>> FIRST_BIT);
    if (probesPerWord == 1) {
      return one;
    }
    long three = one | 1L << (hash >>> SECOND_BIT) | 1L << (product >>> FIRST_BIT);
    return probesPerWord == 3 ? three : three | 1L << (product >>> SECOND_BIT);
  }

  /** Returns 0 if all positions of a hash are set in its two words, else another number. */
  static long missing(long first, long second, long hash, int probesPerWord) {
    return probesPerWord == PAIR
        ? missingOfPair(first, second, hash)
        : (first(hash, probesPerWord) & ~first) | (second(hash, probesPerWord) & ~second);
  }

  // Rotates the words instead of the pair, in the opposite direction, so that both are compared
  // with the same number. In this order the compiler of Java 17 emits one instruction that reads
  // the pair from memory.
  static long missingOfPair(long first, long second, long hash) {
    int upper = upper(hash);
    long both =
        Long.rotateRight(first, upper) & Long.rotateRight(second, upper >>> SECOND_ROTATION);
    return ~both & pair(upper);
  }

  /** Returns the positions of a hash, those in its first word first. */
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
