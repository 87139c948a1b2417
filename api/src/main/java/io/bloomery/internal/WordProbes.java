package io.bloomery.internal;

/**
 * The k bit positions of a hash in a bit array of 64-bit words, computed at minimum cost.
 *
 * <p>The hash itself provides four probes: rotated by 0, 16, 32 and 48 bits. Each {@linkplain
 * #product product} of it provides three, rotated by 0, 10 and 20. The low 32 bits of a probe
 * select a word; the lowest six bits of the next rotation, which a shift uses without masking,
 * select a bit in it:
 *
 * <pre>{@code
 * for (int i = 0; i < probes; i++) {
 *   long probe = WordProbes.probe(hash, i);
 *   words[WordProbes.word(probe, words.length)] |= 1L << WordProbes.bit(hash, i);
 * }
 * }</pre>
 *
 * <p>A rotation takes one instruction, where {@code Probes} takes two multiplications per probe,
 * and no probe depends on another. In tables of up to 1,024 words no bit of the hash or of a
 * product is used by two of its probes, nor for both a word and a bit, and the lowest six bits of a
 * product, which depend on few bits of the hash, are not used. In larger tables they overlap: of
 * two keys with a probe in common, one in 1,024 has the next in common too, which raises a rate of
 * 1 % by less than a thousandth of itself. These numbers are part of the file format.
 */
public final class WordProbes {
  // decisions.md#probes-of-standard-and-partitioned-are-rotations-four-of-the-hash-three-of-each-product-of-it
  // decisions.md#the-low-32-bits-of-a-probe-pick-the-word-the-lowest-six-of-the-next-rotation-the-bit
  // decisions.md#no-double-hashing

  /** The number of probes that are rotations of the hash itself. */
  public static final int HASH_PROBES = 4;

  /** The left rotation from one of these probes to the next. */
  public static final int HASH_ROTATION = 16;

  /** The number of probes that are rotations of one product. */
  public static final int PROBES_PER_PRODUCT = 3;

  /** The left rotation from one of these probes to the next. */
  public static final int PRODUCT_ROTATION = 10;

  /** The bits of a probe that select the word. */
  public static final long WORD_MASK = 0xffff_ffffL;

  /** The number of values of a probe's low bits. */
  public static final long VALUES = WORD_MASK + 1;

  /**
   * The factor of {@link #product}; from Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5.
   */
  public static final long MULTIPLIER = 0xd1342543de82ef95L;

  /** The right rotation that follows the multiplication in {@link #product}. */
  public static final int RIGHT_ROTATION = 4;

  private WordProbes() {}

  /**
   * Returns the product that follows {@code previous}, or the first, if that is the hash: {@code
   * previous * }{@link #MULTIPLIER}, rotated right by {@link #RIGHT_ROTATION} bits.
   */
  public static long product(long previous) {
    return Long.rotateRight(previous * MULTIPLIER, RIGHT_ROTATION);
  }

  /** Returns a probe of a hash by its number, from 0 on. */
  public static long probe(long hash, int number) {
    return rotated(hash, number, 0);
  }

  /** Returns the bit of a probe of a hash within its word. */
  public static int bit(long hash, int number) {
    return (int) rotated(hash, number, 1) & (Long.SIZE - 1);
  }

  private static long rotated(long hash, int number, int further) {
    if (number < HASH_PROBES) {
      return Long.rotateLeft(hash, HASH_ROTATION * (number + further));
    }
    long product = product(hash);
    int ofProducts = number - HASH_PROBES;
    for (int i = 0; i < ofProducts / PROBES_PER_PRODUCT; i++) {
      product = product(product);
    }
    return Long.rotateLeft(product, PRODUCT_ROTATION * (ofProducts % PROBES_PER_PRODUCT + further));
  }

  /**
   * Maps a probe to a word in [0, words): its low 32 bits as a share of 2^32, times the words,
   * rounded down. The number of values that select a word differs by at most one of 2^32, which
   * {@link Sizing#fill} accounts for.
   */
  public static int word(long probe, int words) {
    return wordOfArray(probe, words);
  }

  /**
   * Maps a probe to a word of an array, as {@link #word(long, int)} does, without a conversion for
   * callers that keep the length as a long.
   *
   * @param length at most 2^31
   */
  public static int wordOfArray(long probe, long length) {
    return (int) (((probe & WORD_MASK) * length) >>> Integer.SIZE);
  }

  /**
   * Returns the bit position of a probe of a hash in a table of any number of words: its word times
   * 64, plus the bit in it.
   *
   * @param words less than 2^62
   */
  public static long position(long hash, int number, long words) {
    return word(probe(hash, number), words) * Long.SIZE + bit(hash, number);
  }

  /** Maps a probe to a word, as {@link #word(long, int)} does, of fewer than 2^62 words. */
  public static long word(long probe, long words) {
    return Math.multiplyHigh((probe & WORD_MASK) << (Integer.SIZE - 1), words << 1);
  }
}
