package io.bloomery.internal;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a fixed number of recent values, used to avoid planning equal filters repeatedly.
 * Thread-safe; two threads may compute the same value.
 */
public final class RecentValues<K, V> {

  private static final int SIZE = 16; // a power of two

  private final Function<K, V> finder;

  // Entries are immutable, so that an entry written by another thread is seen completely or not at
  // all.
  private final @Nullable Entry[] entries = new Entry[SIZE];

  /**
   * Creates an empty cache.
   *
   * @param finder a function of the key alone, with a constant result; exceptions are not cached
   */
  public RecentValues(Function<K, V> finder) {
    this.finder = finder;
  }

  private record Entry(Object key, Object value) {}

  /** Returns the value of a key, computed if it is not cached. */
  @SuppressWarnings("unchecked") // entries are created only here
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
