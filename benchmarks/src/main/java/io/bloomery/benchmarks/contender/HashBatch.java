package io.bloomery.benchmarks.contender;

import io.bloomery.filter.Filter;
import io.bloomery.hash.LongKeyHasher;

/** Room for the hashes of a batch and for the indices of those that a filter may contain. */
final class HashBatch {

  /** As many hashes as stay in the first-level cache beside their keys. */
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
   * Hashes keys from {@code from} on, up to the one before {@code to} or as many as fit.
   *
   * @return how many
   */
  int hash(LongKeyHasher hasher, long[] keys, int from, int to) {
    int size = Math.min(SIZE, to - from);
    for (int i = 0; i < size; i++) {
      hashes[i] = hasher.hash(keys[from + i]);
    }
    return size;
  }

  /** Asks for the first {@code size} hashes. */
  int select(Filter filter, int size) {
    return filter.select(hashes, 0, size, hits);
  }

  /** Puts the first {@code size} hashes. */
  int putAll(Filter filter, int size) {
    return filter.putAll(hashes, 0, size);
  }
}
