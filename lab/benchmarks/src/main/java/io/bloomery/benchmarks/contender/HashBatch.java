package io.bloomery.benchmarks.contender;

import io.bloomery.filter.Filter;
import io.bloomery.hash.LongKeyHasher;

/** A buffer for the hashes of a batch and the indices of those that a filter might contain. */
final class HashBatch {

  /** The maximum number of hashes that fit in the first-level cache together with their keys. */
  static final int SIZE = 512;

  private final long[] hashes = new long[SIZE];
  private final int[] hits = new int[SIZE];

  long[] hashes() {
    return hashes;
  }

  int[] hits() {
    return hits;
  }

  /**
   * Hashes keys from {@code from} to {@code to - 1}, or as many as fit.
   *
   * @return the number of keys hashed
   */
  int hash(LongKeyHasher hasher, long[] keys, int from, int to) {
    int size = Math.min(SIZE, to - from);
    for (int i = 0; i < size; i++) {
      hashes[i] = hasher.hash(keys[from + i]);
    }
    return size;
  }

  /** Queries the first {@code size} hashes. */
  int select(Filter filter, int size) {
    return filter.select(hashes, 0, size, hits);
  }

  /** Puts the first {@code size} hashes. */
  int putAll(Filter filter, int size) {
    return filter.putAll(hashes, 0, size);
  }
}
