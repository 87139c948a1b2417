package io.bloomery.internal;

/**
 * The bits that a hash stands for in a table of whole words, at the least cost for loops that
 * matter.
 *
 * <p>The hash itself gives four probes: rotated by 0, 16, 32 and 48 bits. Each {@linkplain #product
 * product} of it gives three, rotated by 0, 10 and 20. A probe picks a word by its low 32 bits; the
 * lowest six bits of the next rotation, which a shift takes by itself, pick a bit in it:
 *
 * <pre>{@code
 * for (int i = 0; i < probes; i++) {
 *   long probe = WordProbes.probe(hash, i);
 *   words[WordProbes.word(probe, words.length)] |= 1L << WordProbes.bit(hash, i);
 * }
 * }</pre>
 *
 * <p>A rotation costs an instruction, where {@code Probes} takes two multiplications for a probe,
 * and none waits for another. In tables of up to 1,024 words no bit of a number serves two of its
 * probes, nor a word and a bit, and the lowest six bits of a product, which know little of the
 * hash, serve none. In larger tables they overlap: of two keys with a probe in common, one in 1,024
 * has the next in common too, which raises a rate of 1 % by less than a thousandth of itself. These
 * numbers are part of the file format.
 */
public final class WordProbes {

  /** The number of probes that are the hash itself, rotated. */
  public static final int HASH_PROBES = 4;

  /** By how many bits one of them is rotated to be the next. */
  public static final int HASH_ROTATION = 16;

  /** The number of probes that are one product, rotated. */
  public static final int PROBES_PER_PRODUCT = 3;

  /** By how many bits one of them is rotated to be the next. */
  public static final int PRODUCT_ROTATION = 10;

  /** The bits of a probe that pick the word. */
  public static final long WORD_MASK = 0xffff_ffffL;

  /** So many values of a probe's low bits are spread over the words of a table. */
  public static final long VALUES = WORD_MASK + 1;

  /**
   * The factor of {@link #product}; from Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5.
   */
  public static final long MULTIPLIER = 0xd1342543de82ef95L;

  /** By how many bits {@link #product} then rotates right. */
  public static final int RIGHT_ROTATION = 4;

  private WordProbes() {}

  /**
   * Returns the product that follows {@code previous}, or the first, if that is the hash: {@code
   * previous * }{@link #MULTIPLIER}, rotated right by {@link #RIGHT_ROTATION} bits.
   */
  public static long product(long previous) {
    return Long.rotateRight(previous * MULTIPLIER, RIGHT_ROTATION);
  }

  /** Returns a probe of a hash by its number, counted from 0. */
  public static long probe(long hash, int number) {
    return rotated(hash, number, 0);
  }

  /** Returns the bit that a probe of a hash stands for in its word. */
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
   * rounded down. Words come equally often but for one of 2^32 values, which {@link Sizing#fill}
   * knows of.
   */
  public static int word(long probe, int words) {
    return wordOfArray(probe, words);
  }

  /**
   * Maps a probe to a word of an array, as {@link #word(long, int)} does. Who keeps the length as a
   * long saves each query its conversion.
   *
   * @param length at most 2^31
   */
  public static int wordOfArray(long probe, long length) {
    return (int) (((probe & WORD_MASK) * length) >>> Integer.SIZE);
  }

  /**
   * Returns the position that a probe of a hash stands for in a table of so many words, which may
   * be more than an array has: its word times 64, and the bit in it.
   *
   * @param words less than 2^62
   */
  public static long position(long hash, int number, long words) {
    return word(probe(hash, number), words) * Long.SIZE + bit(hash, number);
  }

  /** Maps a probe to a word, as {@link #word(long, int)} does, of less than 2^62. */
  public static long word(long probe, long words) {
    return Math.multiplyHigh((probe & WORD_MASK) << (Integer.SIZE - 1), words << 1);
  }
}
