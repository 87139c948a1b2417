package io.bloomery.benchmarks.contender;

import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;

/**
 * What Commons Collections' filters are given for a key. They want two longs and bring no hash: a
 * hash of 64 bits, and the finisher of SplitMix64 for the second, is the cheapest that does.
 */
final class CollectionsHasher {

  private CollectionsHasher() {}

  static Hasher of(long hash) {
    return new EnhancedDoubleHasher(hash, mix(hash));
  }

  static long mix(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
