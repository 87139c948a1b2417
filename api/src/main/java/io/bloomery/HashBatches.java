package io.bloomery;

import io.bloomery.filter.FilterFullException;
import io.bloomery.hash.KeyHasher;
import java.util.Iterator;
import java.util.Objects;

/**
 * The hashes of keys that come one by one, in batches. A key that is null, or cannot be had or
 * hashed, ends them: those before it are in the batches, and it is thrown behind the last.
 *
 * @param <K> the type of keys
 */
final class HashBatches<K> {

  private static final int BATCH = 512;

  private final Iterator<? extends K> keys;
  private final KeyHasher<? super K> hasher;
  private final String then;
  private final long[] hashes = new long[BATCH];
  private long before;

  /**
   * Prepares batches.
   *
   * @param done what has become of the keys before one that is null, such as "in"
   */
  HashBatches(Iterable<? extends K> keys, KeyHasher<? super K> hasher, String done) {
    this.keys = Objects.requireNonNull(keys, "keys must not be null").iterator();
    this.hasher = hasher;
    then = "those before it are " + done;
  }

  /** Takes hashes 0 to {@code count - 1} of an array and returns a number. */
  @FunctionalInterface
  interface Batch {
    int take(long[] hashes, int count);
  }

  /** Gives all hashes to {@code batch} and returns the sum of what it returns. */
  long sum(Batch batch) {
    long sum = 0;
    int size;
    do {
      size = 0;
      RuntimeException failure = null;
      try {
        while (size < BATCH && keys.hasNext()) {
          hashes[size] = hasher.hash(checked(keys.next(), before + size, then));
          size++;
        }
      } catch (RuntimeException e) {
        failure = e;
      }
      sum += take(batch, size);
      before += size;
      if (failure != null) {
        throw failure;
      }
    } while (size == BATCH);
    return sum;
  }

  /** Returns a key, or says which one is null, counted from 0, and what then. */
  static <K> K checked(K key, long index, String then) {
    if (key == null) {
      throw new NullPointerException("keys must not be null, but key " + index + " is; " + then);
    }
    return key;
  }

  private int take(Batch batch, int size) {
    try {
      return batch.take(hashes, size);
    } catch (FilterFullException e) {
      throw before == 0
          ? e
          : new FilterFullException("after " + before + " others, " + e.getMessage(), e);
    }
  }
}
