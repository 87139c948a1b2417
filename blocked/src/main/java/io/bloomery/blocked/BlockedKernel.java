package io.bloomery.blocked;

/**
 * A service with the operations that dominate the time of a blocked filter: two on a block of four
 * words, and batches of queries in blocks of two. The implementation in plain Java can be replaced
 * by a faster one.
 *
 * <p>A block of four is four words, {@code words[first]} to {@code words[first + 3]}, and a key has
 * up to two bits in each of them: in word j the bits whose numbers are the six bits of the pattern
 * from bit {@code 16 + 12j} on and the six from bit {@code 22 + 12j} on. The filter determines the
 * block and the pattern of a hash. A kernel must return and write exactly the same as {@link
 * #plain}; files would differ otherwise.
 *
 * <p>The kernel is located by {@link java.util.ServiceLoader} when the first filter is created,
 * with the class loader of this interface. A kernel that cannot be loaded, or whose constructor
 * throws, is ignored, and the reason is logged.
 */
public interface BlockedKernel {
  // decisions.md#vectors-are-a-service-of-two-operations-on-one-block-not-another-filter

  /**
   * Returns 1 if all bits of a pattern are set, else 0. Other threads may set bits concurrently.
   * The words may be read in any order and by plain reads: the filter ensures that every query
   * reads them again.
   *
   * @param first a multiple of 4
   */
  int test(long[] words, int first, long pattern);

  /**
   * Sets the bits of a pattern; no other thread uses the words meanwhile.
   *
   * @param first a multiple of 4
   * @return true if one of them was clear
   */
  boolean put(long[] words, int first, long pattern);

  /**
   * Selects the hashes that might be contained in a table with blocks of two words: hash h has the
   * words f and f + 1, where f is the product of its low 32 bits and {@code words.length - 1},
   * divided by 2^32. With n = h >>> 58, it has the bits 0, 1 + n mod 31 and 32 + n / 2 in both,
   * rotated to the left by h >>> 32 in the first word, by h >>> 38 in the second. The words may be
   * read as by {@link #test}. This implementation is the reference for others.
   *
   * @param hits receives the indices of these hashes, in ascending order; has room for all hashes
   *     from index {@code found} on, and elements after the last one may change too
   * @param found the index in {@code hits} of the first
   * @return the index after the last
   */
  default int selectTwoWords(long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    return TwoWordFilter.selectTwoWords(words, hashes, from, to, hits, found);
  }

  /** Returns the kernel in plain Java, the reference for tests of others. */
  static BlockedKernel plain() {
    return new PlainKernel();
  }

  /** Returns the kernel used by the filters of this JVM. */
  static BlockedKernel installed() {
    return InstalledKernel.KERNEL;
  }
}
