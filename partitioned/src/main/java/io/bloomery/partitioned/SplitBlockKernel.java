package io.bloomery.partitioned;

/**
 * The two operations on one block that a split-block filter spends its time in, as a service: the
 * filter's own, in plain Java, can be replaced by a faster one.
 *
 * <p>A block is four words, {@code words[first]} to {@code words[first + 3]}, and a key has up to
 * two bits in each of them: word j has the bits that 6 bits of the pattern name from bit {@code 16
 * + 12j} on and another 6 from bit {@code 22 + 12j} on. Which block and which pattern belong to a
 * hash is the filter's business. Another kernel answers and writes exactly as {@link #plain} does;
 * files would differ otherwise.
 *
 * <p>{@link java.util.ServiceLoader} looks for one when the first filter is made, in the class
 * loader of this interface. One that cannot be loaded, or whose constructor throws, is left alone,
 * and a line in the log says why.
 */
public interface SplitBlockKernel {

  /**
   * Returns 1 if all bits of a pattern are set, else 0. Other threads may be setting bits
   * meanwhile. The words may be read in any order and plainly: the filter sees to it that they are
   * read anew for every query.
   *
   * @param first a multiple of 4
   */
  int test(long[] words, int first, long pattern);

  /**
   * Sets the bits of a pattern, while no other thread uses the words.
   *
   * @param first a multiple of 4
   * @return true if one of them was clear
   */
  boolean put(long[] words, int first, long pattern);

  /** Returns the kernel in plain Java, against which others can be tested. */
  static SplitBlockKernel plain() {
    return new PlainKernel();
  }

  /** Returns the kernel that the filters of this JVM use. */
  static SplitBlockKernel installed() {
    return InstalledKernel.KERNEL;
  }
}
