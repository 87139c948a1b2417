package io.bloomery.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * The query operations of guards: of a {@link Guard}, through which keys are written, and of a
 * {@link ReadOnlyGuard}.
 *
 * <p>Guards are thread-safe. Keys must be immutable and define {@code equals}; arrays are rejected.
 * Keys that are not equal, but the same to the filter, as those of a form that ignores case, are
 * loaded apart; a report of one applies to all of them.
 *
 * <p>Methods added in later versions will have default implementations.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public interface GuardView<K, V> extends AutoCloseable {

  /**
   * Returns the value of a key: empty if the filter rejects the key, otherwise from the cache or
   * from the source. If several threads query a key at the same time, one of them queries the
   * source, and the others wait for its result; if that thread is interrupted, they query the
   * source themselves.
   *
   * @throws NullPointerException if the key is null
   * @throws IllegalArgumentException if the key is an array, or not valid in the form of the
   *     filter's keys
   * @throws SourceException if the source threw an exception; an Error is thrown as it is
   * @throws IllegalStateException if the guard was closed, or the source asked it for the key that
   *     it is loading
   */
  Optional<V> get(K key);

  /**
   * Returns the values of those keys that have one, in the order of the keys. Queries the filter in
   * one batch, and the source by one {@link ValueSource#loadAll}.
   *
   * @throws NullPointerException if a key is null; the source was not queried
   * @throws SourceException if the source failed; values loaded by other threads meanwhile stay
   *     cached
   * @throws IllegalStateException if the guard was closed
   */
  Map<K, V> getAll(Collection<? extends K> keys);

  /**
   * Returns the value of a key from the given source, unless the key is absent. Meant for callers
   * that cache values themselves, since the result is not cached, or have several kinds of values.
   * An absence that it confirms applies to all methods. Threads do not wait for each other.
   *
   * @throws SourceException if the source failed
   * @throws IllegalStateException if the guard was closed
   */
  <R> Optional<R> get(K key, ValueSource<? super K, R> source);

  /**
   * Returns whether the key might exist: false only if it is absent. Does not query the source. If
   * the caller does, and in vain, it should say so by {@link #notFound}.
   *
   * @throws IllegalStateException if the guard was closed
   */
  boolean mightContain(K key);

  /**
   * Reports that the caller asked the source for a key that {@link #mightContain} had let pass, and
   * that the source does not have it. Counted in the {@linkplain GuardStats#measuredRate measured
   * rate}, for which every such key should be reported; has no other effect.
   *
   * @throws IllegalStateException if the guard was closed
   */
  void notFound(K key);

  /** Returns the name used in messages, meters and thread names. */
  String name();

  /** Returns the state of the guard. */
  GuardState state();

  /** Returns the statistics of the guard, also after it was closed. Cheap: no filter is scanned. */
  GuardStats stats();

  /**
   * Stops the background work of the guard; every later query throws. Has no effect if closed
   * already. A guard that is not closed stops working once it is garbage collected.
   */
  @Override
  void close();
}
