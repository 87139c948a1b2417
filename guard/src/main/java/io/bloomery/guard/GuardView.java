package io.bloomery.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * What guards answer: a {@link Guard}, whose keys are written through it, or a {@link
 * ReadOnlyGuard}.
 *
 * <p>Any number of threads may use a guard. Keys must be equal by {@code equals} and must not
 * change; arrays are refused.
 *
 * <p>Methods that are added later will have defaults.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GuardView<K, V> extends AutoCloseable {

  /**
   * Returns the value of a key: by the filter if the key is absent, from the cache, or from the
   * source. Of threads that ask for one key at a time one asks the source, and the others wait for
   * it.
   *
   * @throws NullPointerException if the key is null
   * @throws SourceException if the source failed
   * @throws IllegalStateException if the guard was closed
   */
  Optional<V> get(K key);

  /**
   * Returns the values of those keys that have one, in the order of the keys, asking the filter for
   * all at once and the source by one {@link ValueSource#loadAll}.
   *
   * @throws NullPointerException if a key is null; the source was not asked
   * @throws SourceException if the source failed; values that others were loading are kept
   * @throws IllegalStateException if the guard was closed
   */
  Map<K, V> getAll(Collection<? extends K> keys);

  /**
   * Returns what another source has for a key, unless the key is absent: for those who cache values
   * themselves, since this keeps none, or have more than one kind of value. What it confirms to be
   * absent counts for all methods. Threads do not wait for each other.
   *
   * @throws SourceException if the source failed
   * @throws IllegalStateException if the guard was closed
   */
  <R> Optional<R> get(K key, ValueSource<? super K, R> source);

  /**
   * Returns false only if the key is absent; the source is not asked.
   *
   * @throws IllegalStateException if the guard was closed
   */
  boolean mightContain(K key);

  /** Returns the name that stands in messages, meters and names of threads. */
  String name();

  /** Returns what the guard is doing. */
  GuardState state();

  /** Returns what the guard knows of itself, also once closed; takes no time to speak of. */
  GuardStats stats();

  /** Ends what the guard does by itself; every later question throws. Does nothing if closed. */
  @Override
  void close();
}
