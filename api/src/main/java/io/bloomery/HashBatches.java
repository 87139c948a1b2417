package io.bloomery;

import io.bloomery.filter.FilterFullException;
import io.bloomery.hash.KeyHasher;
import java.util.Iterator;
import java.util.Objects;

/**
 * The hashes of keys from an iterator, in batches. A key that is null, or that cannot be iterated
 * or hashed, ends the sequence: the keys before it are delivered first, then what it threw is
 * thrown, be it an Error, or a checked exception of another language.
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
   * Creates batches over keys.
   *
   * @param done what has been done with the keys before a null one, for the message: "in", for
   *     example
   */
  HashBatches(Iterable<? extends K> keys, KeyHasher<? super K> hasher, String done) {
    this.keys = Objects.requireNonNull(keys, "keys must not be null").iterator();
    this.hasher = hasher;
    then = "those before it are " + done;
  }

  /** A function of hashes 0 to {@code count - 1} of an array. */
  @FunctionalInterface
  interface Batch {
    int take(long[] hashes, int count);
  }

  /** Passes all hashes to {@code batch} and returns the sum of its results. */
  long sum(Batch batch) {
    long sum = 0;
    int size;
    do {
      size = 0;
      try {
        while (size < BATCH && keys.hasNext()) {
          hashes[size] = hasher.hash(checked(keys.next(), before + size, then));
          size++;
        }
      } finally { // If a key before the one that failed is refused, that comes first.
        sum += take(batch, size);
      }
      before += size;
    } while (size == BATCH);
    return sum;
  }

  /** Returns the key, or throws a NullPointerException with its index and a consequence. */
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
