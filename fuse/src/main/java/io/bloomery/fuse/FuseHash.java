package io.bloomery.fuse;

/**
 * Where the cells of a hash are, and its fingerprint. All of it is part of the file format.
 *
 * <p>A hash is mixed with the key of a seed. The high bits of the mixed hash select the first cell,
 * its low bits are the fingerprint. The other cells are one, two and three segments behind the
 * first, each at a place in its segment that 18 bits of the {@linkplain #spread spread} hash
 * select.
 */
final class FuseHash {

  private static final long MIX = 0xbf58476d1ce4e5b9L;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final long UNMIX = inverse(MIX);

  static final int SECOND = 46;
  static final int THIRD = 28;
  static final int FOURTH = 10;

  private FuseHash() {}

  /** Returns the key of a seed. */
  static long key(long seed) {
    return seed * SPREAD;
  }

  /** Returns the mixed form of a hash, which no other hash has with this key. */
  static long mix(long hash, long key) {
    long product = (hash ^ key) * MIX;
    return product ^ (product >>> 32);
  }

  /** Returns the hash of a mixed form. */
  static long unmix(long mixed, long key) {
    return ((mixed ^ (mixed >>> 32)) * UNMIX) ^ key;
  }

  /** Returns the first cell of a mixed hash. */
  static long first(long mixed, long twiceFirsts) {
    return Math.multiplyHigh(mixed >>> 1, twiceFirsts);
  }

  static long spread(long mixed) {
    return mixed * SPREAD;
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
