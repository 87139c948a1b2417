package io.bloomery.spi;

/**
 * The bits that a hash stands for in a table of whole words, at the least cost for loops that
 * matter.
 *
 * <p>The hash itself gives four probes: turned by 0, 16, 32 and 48 bits. Each {@linkplain #product
 * product} of it gives three, turned by 0, 11 and 22. A probe picks a word by its high 33 bits, and
 * a bit in it by its lowest six, which a shift takes by itself:
 *
 * <pre>{@code
 * for (int i = 0; i < probes; i++) {
 *   long probe = WordProbes.probe(hash, i);
 *   words[WordProbes.word(probe, words.length)] |= 1L << probe;
 * }
 * }</pre>
 *
 * <p>A turn costs an instruction, where {@link Probes} takes two multiplications for a probe, and
 * none waits for another. Probes of one number overlap in large tables: of two keys with a probe in
 * common, one in 2,048 has the next in common too, which raises a rate of 1 % by less than a
 * thousandth of itself. A product's lowest bits know little of the hash; no probe has the lowest
 * three. These numbers are part of the file format.
 */
public final class WordProbes {

  /** How many probes are the hash itself, turned. */
  public static final int OF_HASH = 4;

  /** By how many bits one of them is turned to be the next. */
  public static final int TURN_OF_HASH = 16;

  /** How many probes are one product, turned. */
  public static final int OF_PRODUCT = 3;

  /** By how many bits one of them is turned to be the next. */
  public static final int TURN_OF_PRODUCT = 11;

  /** How many of a probe's highest bits pick the word. */
  public static final int WORD_BITS = 33;

  /** How many bits of a probe lie below those. */
  public static final int LOWER_BITS = Long.SIZE - WORD_BITS;

  /** So many values of a probe's high bits are spread over the words of a table. */
  static final long VALUES = 1L << WORD_BITS;

  // Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5.
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  private WordProbes() {}

  /**
   * Returns the product that follows {@code previous}, or the first, if that is the hash: {@code
   * previous * 0xd1342543de82ef95}, turned left by 6 bits, so that its highest bits pick the bit
   * and those below them the word.
   */
  public static long product(long previous) {
    return Long.rotateLeft(previous * MULTIPLIER, 6);
  }

  /** Returns a probe of a hash by its number, counted from 0. */
  public static long probe(long hash, int number) {
    if (number < OF_HASH) {
      return Long.rotateLeft(hash, TURN_OF_HASH * number);
    }
    long product = product(hash);
    int further = number - OF_HASH;
    for (int i = 0; i < further / OF_PRODUCT; i++) {
      product = product(product);
    }
    return Long.rotateLeft(product, TURN_OF_PRODUCT * (further % OF_PRODUCT));
  }

  /**
   * Maps a probe to a word in [0, words): {@code floor((probe >>> 31) * words / 2^33)}. Words come
   * equally often but for one of 2^33 values, which {@link Sizing#fill} knows of.
   */
  public static int word(long probe, int words) {
    return (int) (((probe >>> LOWER_BITS) * words) >>> WORD_BITS);
  }

  /**
   * Returns the position of a probe in a table of so many words, which may be more than an array
   * has: its word times 64, and the bit in it.
   *
   * @param words less than 2^62
   */
  public static long position(long probe, long words) {
    long value = probe >>> LOWER_BITS;
    long word = Math.multiplyHigh(value << (LOWER_BITS - 1), words << 1);
    return word * Long.SIZE + (probe & (Long.SIZE - 1));
  }
}
