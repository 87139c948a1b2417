package io.bloomery.guard;

import java.util.stream.Stream;

/**
 * A source whose keys can be listed, from which a {@link Guard} fills its filter and loads values.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GuardSource<K, V> extends ValueSource<K, V> {

  /**
   * Returns a stream of all keys, which the guard closes after use. Called once per rebuild on a
   * thread of the guard, and read on the same thread.
   *
   * <p>The stream must contain every key that the source had at the time of the call and that was
   * not deleted since. Later writes may or may not be contained, and keys may be repeated. A
   * transaction that began before the call, or a lagging replica, does not satisfy this.
   *
   * @return the keys, none of them null
   * @throws Exception if the keys cannot be read; the guard continues with its present filter
   */
  Stream<? extends K> keys() throws Exception;

  /** Returns a source of two functions: {@code GuardSource.of(users::ids, users::findById)}. */
  static <K, V> GuardSource<K, V> of(KeyStream<K> keys, ValueSource<K, V> values) {
    return new JoinedSource<>(keys, values);
  }

  /**
   * A function that lists the keys of a source.
   *
   * @param <K> the type of keys
   */
  @FunctionalInterface
  interface KeyStream<K> {

    /** Returns all keys, under the contract of {@link GuardSource#keys}. */
    Stream<? extends K> keys() throws Exception;
  }
}
