package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A guard over a filter that others fill: a memory-mapped file, or one on a server.
 *
 * <p>Never is a key called absent that is in the filter, unless the source itself said so while
 * this filter served. Keys that the source got after the filter was filled are called absent until
 * {@link #replace} is given one that has them. A filter that cannot answer lets every key through.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class ReadOnlyGuard<K, V> implements GuardView<K, V> {

  private final Generations<K> generations = new Generations<>();
  private final Lookup<K, V> lookup;

  private ReadOnlyGuard(String name, ValueSource<K, V> source, AnswerLimits limits) {
    this.lookup = new Lookup<>(name, generations, source, limits);
  }

  /** Makes a guard with {@linkplain AnswerLimits#defaults default limits}. */
  public static <K, V> ReadOnlyGuard<K, V> of(BloomFilterView<K> filter, ValueSource<K, V> source) {
    return of("guard", filter, source, AnswerLimits.defaults());
  }

  /**
   * Makes a guard.
   *
   * @param name stands in messages, meters and names of threads
   * @param filter stays the caller's, who closes it after the guard if it is to be closed
   */
  public static <K, V> ReadOnlyGuard<K, V> of(
      String name, BloomFilterView<K> filter, ValueSource<K, V> source, AnswerLimits limits) {
    Objects.requireNonNull(filter, "filter must not be null");
    Objects.requireNonNull(source, "source must not be null");
    ReadOnlyGuard<K, V> guard = new ReadOnlyGuard<>(name, source, limits);
    guard.generations.serve(filter);
    return guard;
  }

  /**
   * Goes on with another filter, whose keys were read from the source later. Absences that the
   * source confirmed before hold no longer. The filter before may be closed at once: whoever is
   * just asking it lets the key through.
   *
   * @throws IllegalStateException if the guard was closed
   */
  public void replace(BloomFilterView<K> filter) {
    lookup.checkOpen();
    generations.serve(Objects.requireNonNull(filter, "filter must not be null"));
  }

  /** Drops what is cached of a key, after it was written or deleted in the source. */
  public void forget(K key) {
    Lookup.check(key);
    lookup.withdraw(key);
  }

  @Override
  public Optional<V> get(K key) {
    return lookup.get(key);
  }

  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    return lookup.getAll(keys);
  }

  @Override
  public <R> Optional<R> get(K key, ValueSource<? super K, R> source) {
    return lookup.get(key, source);
  }

  @Override
  public boolean mightContain(K key) {
    return lookup.mightContain(key);
  }

  @Override
  public String name() {
    return lookup.name();
  }

  /** {@inheritDoc} Ready, until closed. */
  @Override
  public GuardState state() {
    return lookup.isClosed() ? GuardState.CLOSED : GuardState.READY;
  }

  /** {@inheritDoc} But for the first time after a filter began to serve, which it is read for. */
  @Override
  public GuardStats stats() {
    Generation<K> serving = generations.serving();
    if (serving != null) {
      serving.measurement().refresh();
    }
    return GuardStats.readOnly(state(), lookup, generations);
  }

  @Override
  public void close() {
    lookup.close();
  }

  @Override
  public String toString() {
    return "guard " + name() + ": " + stats();
  }
}
