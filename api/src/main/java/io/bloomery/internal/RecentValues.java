package io.bloomery.internal;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of the keys that were asked for last: a fixed number of them, so that a filter like
 * the one before is not planned anew. Any number of threads may use it; two may find the same
 * twice.
 */
public final class RecentValues<K, V> {

  private static final int SIZE = 16; // a power of two

  private final Function<K, V> finder;

  // Entries do not change, so that one which another thread has written is whole or not there.
  private final @Nullable Entry[] entries = new Entry[SIZE];

  /**
   * Remembers nothing yet.
   *
   * @param finder finds a value that depends on the key alone and does not change; what it throws
   *     is not remembered
   */
  public RecentValues(Function<K, V> finder) {
    this.finder = finder;
  }

  private record Entry(Object key, Object value) {}

  /** Returns the value of a key. */
  @SuppressWarnings("unchecked") // entries are made here alone
  public V get(K key) {
    int index = (key.hashCode() * 0x9e37_79b9) >>> -Integer.numberOfTrailingZeros(SIZE);
    Entry entry = entries[index];
    if (entry == null || !entry.key.equals(key)) {
      entry = new Entry(key, finder.apply(key));
      entries[index] = entry;
    }
    return (V) entry.value;
  }
}
