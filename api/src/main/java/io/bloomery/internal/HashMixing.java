package io.bloomery.internal;

/**
 * A bijection of hashes, after which those of a part of all numbers are as good as any others, also
 * where shards or users chose them by their high bits. It is part of the format of {@code fuse}.
 */
public final class HashMixing {

  /** The factor of {@link #mix}. */
  public static final long MIX = 0xbf58476d1ce4e5b9L;

  private static final long UNMIX = inverse(MIX);

  private HashMixing() {}

  /** Returns the mixed form of a hash, which no other hash has. */
  public static long mix(long hash) {
    long product = hash * MIX;
    return product ^ (product >>> 32);
  }

  /** Returns the hash of a mixed form. */
  public static long unmix(long mixed) {
    return (mixed ^ (mixed >>> 32)) * UNMIX;
  }

  /** Returns the number whose product with an odd one is 1: each step doubles the exact bits. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
