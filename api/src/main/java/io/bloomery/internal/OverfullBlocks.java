package io.bloomery.internal;

/**
 * The estimated number of keys in a blocked table of which some blocks have every bit set.
 *
 * <p>Such a block has no estimate of its own. For all blocks together, the share of clear bits is
 * the chance that one of them is clear after n keys, each of which is in a block picked at random.
 */
public final class OverfullBlocks {

  private OverfullBlocks() {}

  /**
   * Solves {@code (1 - perKey/blocks)^n = clearBits/bits} for n.
   *
   * @param clearBits more than 0, or the result is infinite
   * @param perKey the chance that a key sets a given bit of its block
   */
  public static double keys(long clearBits, long bits, long blocks, double perKey) {
    return StrictMath.log((double) clearBits / bits) / StrictMath.log1p(-perKey / blocks);
  }
}
