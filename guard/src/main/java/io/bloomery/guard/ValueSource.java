package io.bloomery.guard;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The source of a guard's values, such as a database, a service or files.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@FunctionalInterface
public interface ValueSource<K, V> {

  /**
   * Loads the value of a key. May ask guards for other keys, also the one that calls it, and then
   * does not wait for loads of other threads.
   *
   * @return the value, or {@link Optional#empty} if there is none; never null
   * @throws Exception if it cannot be told; the guard takes nothing from that
   */
  Optional<V> load(K key) throws Exception;

  /**
   * Loads the values of several keys. The default implementation loads them one by one.
   *
   * @return the values of those keys that have one, without nulls; other keys are ignored
   * @throws Exception if it cannot be told; the guard takes nothing from that
   */
  default Map<K, V> loadAll(Collection<K> keys) throws Exception {
    Map<K, V> loaded = new HashMap<>();
    for (K key : keys) {
      SourceException.checked(load(key), SourceException.NO_VALUE)
          .ifPresent(value -> loaded.put(key, value));
    }
    return loaded;
  }
}
