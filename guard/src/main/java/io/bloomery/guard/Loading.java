package io.bloomery.guard;

import java.util.Collection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The loads that a thread runs for the caches of guards, innermost first: a source may ask its own
 * guard, or another, for further keys.
 *
 * <p>Whoever runs a load is waited for, or holds a turn that others wait for, and must not wait for
 * the load of another thread: two threads could wait for each other though no key depends on
 * itself. It loads such keys itself. Only a key that is being loaded because of itself is refused.
 *
 * @param cache the cache that the keys are loaded for, or the calls of a source
 * @param keys the keys, or none for a call that holds a turn of its source
 * @param outer the load whose source asked for these keys, or null
 */
record Loading(Object cache, Collection<?> keys, @Nullable Loading outer) {
  // decisions.md#a-source-that-asks-its-guard-for-other-keys-never-waits-for-another-thread

  // A batch may depend on another key of itself, which is then loaded alone or in a smaller batch;
  // one that depends on itself goes on for ever.
  private static final int MAX_BATCHES = 8;

  private static final ThreadLocal<@Nullable Loading> CURRENT = new ThreadLocal<>();

  /** Returns the innermost load of the current thread, or null if it runs none. */
  static @Nullable Loading current() {
    return CURRENT.get();
  }

  /**
   * Checks that a key is not being loaded because of itself.
   *
   * @throws IllegalStateException if it is
   */
  static void check(Object cache, Object key) {
    int batches = 0;
    for (Loading load = current(); load != null; load = load.outer) {
      if (load.cache == cache && load.keys.contains(key)) {
        batches += load.keys.size() == 1 ? MAX_BATCHES : 1;
      }
    }
    if (batches >= MAX_BATCHES) {
      throw new IllegalStateException(
          "a source must not ask its guard for the key that it is loading, but did; ask the source"
              + " itself there");
    }
  }

  /** Returns whether the current thread runs a load for this cache, or for these calls. */
  static boolean isWithin(Object cache) {
    for (Loading load = current(); load != null; load = load.outer) {
      if (load.cache == cache) {
        return true;
      }
    }
    return false;
  }

  /** Calls the source with this as the innermost load of the current thread. */
  static <T> T within(@Nullable Loading load, Callable<T> source) throws Exception {
    Loading before = current();
    CURRENT.set(load);
    try {
      return source.call();
    } finally {
      if (before == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(before);
      }
    }
  }
}
