package io.bloomery.benchmarks.contender;

import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;

/**
 * The hasher for filters of Commons Collections, which require two longs and provide no hash
 * function: a 64-bit hash, and the finisher of SplitMix64 for the second, is the cheapest
 * combination.
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
