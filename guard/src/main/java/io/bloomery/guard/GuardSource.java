package io.bloomery.guard;

import java.util.stream.Stream;

/**
 * A source whose keys can be listed: what a {@link Guard} fills its filter from, and loads values
 * from.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GuardSource<K, V> extends ValueSource<K, V> {

  /**
   * Returns all keys, closed by the guard when it has read them. Called once for each rebuild, on a
   * thread of the guard, and read on that thread.
   *
   * <p>A key that the source had when this was called, and that was not deleted since, must come.
   * What is written meanwhile may come or not, and a key may come more than once. So a transaction
   * that began before this call will not do, nor a replica that lags.
   *
   * @return the keys, none of them null
   * @throws Exception if they cannot be had; the guard goes on with the filter it has
   */
  Stream<? extends K> keys() throws Exception;

  /** Joins two functions to a source: {@code GuardSource.of(users::ids, users::findById)}. */
  static <K, V> GuardSource<K, V> of(KeyStream<K> keys, ValueSource<K, V> values) {
    return new JoinedSource<>(keys, values);
  }

  /**
   * The keys of a source.
   *
   * @param <K> the type of keys
   */
  @FunctionalInterface
  interface KeyStream<K> {

    /** Does what {@link GuardSource#keys} says. */
    Stream<? extends K> keys() throws Exception;
  }
}
