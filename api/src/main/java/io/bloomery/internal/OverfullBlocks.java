package io.bloomery.internal;

/**
 * An estimator of the number of keys in a blocked table in which some blocks have every bit set.
 *
 * <p>Such a block has no estimate of its own. Over all blocks, the fraction of clear bits estimates
 * the probability that a bit is clear after n keys, each in a block selected at random.
 */
public final class OverfullBlocks {

  private OverfullBlocks() {}

  /**
   * Solves {@code (1 - perKey/blocks)^n = clearBits/bits} for n.
   *
   * @param clearBits greater than 0; otherwise the result is infinite
   * @param perKey the probability that a key sets a given bit of its block
   */
  public static double keys(long clearBits, long bits, long blocks, double perKey) {
    return StrictMath.log((double) clearBits / bits) / StrictMath.log1p(-perKey / blocks);
  }
}
