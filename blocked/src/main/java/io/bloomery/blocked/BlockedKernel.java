package io.bloomery.blocked;

/**
 * A service with the two operations on a block that dominate the time of a blocked filter. The
 * implementation in plain Java can be replaced by a faster one.
 *
 * <p>A block is four words, {@code words[first]} to {@code words[first + 3]}, and a key has up to
 * two bits in each of them: in word j the bits whose numbers are the six bits of the pattern from
 * bit {@code 16 + 12j} on and the six from bit {@code 22 + 12j} on. The filter determines the block
 * and the pattern of a hash. A kernel must return and write exactly the same as {@link #plain};
 * files would differ otherwise.
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

  /** Returns the kernel in plain Java, the reference for tests of others. */
  static BlockedKernel plain() {
    return new PlainKernel();
  }

  /** Returns the kernel used by the filters of this JVM. */
  static BlockedKernel installed() {
    return InstalledKernel.KERNEL;
  }
}
