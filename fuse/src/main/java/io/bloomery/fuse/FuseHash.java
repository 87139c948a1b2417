package io.bloomery.fuse;

import io.bloomery.internal.CellKernel;
import io.bloomery.internal.HashMixing;

/**
 * Where the cells of a hash are, and its fingerprint. All of it is part of the file format.
 *
 * <p>A hash is mixed with the key of a seed. The high bits of the mixed hash select the first cell,
 * its low bits are the fingerprint. The other cells are one, two and three segments behind the
 * first, each at a place in its segment that 18 bits of the {@linkplain #spread spread} hash
 * select.
 *
 * <p>Of several parts, the high bits select the part too, and the place in it. Mixed is then with
 * the key of the first seed, and spread with that of the seed of the part, which has its own.
 */
final class FuseHash {

  static final int SECOND = CellKernel.SECOND;
  static final int THIRD = CellKernel.THIRD;
  static final int FOURTH = CellKernel.FOURTH;

  private FuseHash() {}

  /** Returns the key of a seed. */
  static long key(long seed) {
    return seed * CellKernel.SPREAD;
  }

  /** Returns the mixed form of a hash, which no other hash has with this key. */
  static long mix(long hash, long key) {
    return HashMixing.mix(hash ^ key);
  }

  /** Returns the hash of a mixed form. */
  static long unmix(long mixed, long key) {
    return HashMixing.unmix(mixed) ^ key;
  }

  /** Returns the first cell of a mixed hash, or its part, of half as many as {@code twice}. */
  static long first(long mixed, long twice) {
    return Math.multiplyHigh(mixed >>> 1, twice);
  }

  static long spread(long mixed) {
    return mixed * CellKernel.SPREAD;
  }
}
