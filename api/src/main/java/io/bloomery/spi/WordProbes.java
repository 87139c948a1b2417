package io.bloomery.spi;

/**
 * The bits that a hash stands for in a table of whole words, at the least cost for loops that
 * matter.
 *
 * <p>A hash makes states, and each state four probes: itself, turned by 0, 16, 32 and 48 bits. The
 * first state is the hash. A probe picks a word by its high 33 bits, and a bit in it by its lowest
 * six, which a shift takes by itself:
 *
 * <pre>{@code
 * for (int i = 0; i < probes; i++) {
 *   long probe = WordProbes.probe(hash, i);
 *   words[WordProbes.word(probe, words.length)] |= 1L << probe;
 * }
 * }</pre>
 *
 * <p>A turn costs an instruction, where {@link Probes} takes two multiplications for a probe, and
 * probes of one state wait for none of the others. Their bits overlap in large tables: of two keys
 * with a probe in common, one in 65,536 has the next in common too, which raises a rate of 1 % by
 * less than a ten thousandth of itself. These numbers are part of the file format.
 */
public final class WordProbes {

  /** How many probes a state makes. */
  public static final int PER_STATE = 4;

  private static final int TURN = Long.SIZE / PER_STATE;

  private static final int WORD_BITS = 33;

  /** So many values of a probe's high bits are spread over the words of a table. */
  static final long VALUES = 1L << WORD_BITS;

  // Steele and Vigna, 2021, doi.org/10.1002/spe.3030, table 5.
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  private WordProbes() {}

  /** Returns the state after {@code state}. */
  public static long next(long state) {
    // The low bits of a product know only of low bits: what is high is added to them first.
    return (state ^ (state >>> 32)) * MULTIPLIER;
  }

  /** Returns the probe after {@code probe} of the same state. */
  public static long turn(long probe) {
    return Long.rotateLeft(probe, TURN);
  }

  /** Returns a probe of a hash by its number, counted from 0. */
  public static long probe(long hash, int number) {
    long state = hash;
    for (int i = 0; i < number / PER_STATE; i++) {
      state = next(state);
    }
    return Long.rotateLeft(state, number % PER_STATE * TURN);
  }

  /**
   * Maps a probe to a word in [0, words): {@code floor((probe >>> 31) * words / 2^33)}. Words come
   * equally often but for one of 2^33 values, which {@link Sizing#fill} knows of.
   */
  public static int word(long probe, int words) {
    return (int) (((probe >>> (Long.SIZE - WORD_BITS)) * words) >>> WORD_BITS);
  }

  /**
   * Returns the position of a probe in a table of so many words, which may be more than an array
   * has: its word times 64, and the bit in it.
   *
   * @param words less than 2^62
   */
  public static long position(long probe, long words) {
    long value = probe >>> (Long.SIZE - WORD_BITS);
    long word = Math.multiplyHigh(value << (Long.SIZE - 1 - WORD_BITS), words << 1);
    return word * Long.SIZE + (probe & (Long.SIZE - 1));
  }
}
