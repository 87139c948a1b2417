package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A guard over a filter that is filled elsewhere: a memory-mapped file, or a filter on a server.
 *
 * <p>A key in the filter is never reported as absent, unless the source itself reported it as
 * absent while this filter served. Keys that the source received after the filter was filled are
 * reported as absent until {@link #replace} is called with a filter that has them. Every key passes
 * a filter that cannot be queried.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class ReadOnlyGuard<K, V> implements GuardView<K, V> {

  private final Generations<K> generations;
  private final Lookup<K, V> lookup;

  private ReadOnlyGuard(String name, ValueSource<K, V> source, AnswerLimits limits) {
    this.generations = new Generations<>(limits, new GuardLog(name));
    this.lookup = new Lookup<>(name, generations, source, limits, key -> key);
  }

  /** Returns a guard with {@linkplain AnswerLimits#defaults default limits}. */
  public static <K, V> ReadOnlyGuard<K, V> of(BloomFilterView<K> filter, ValueSource<K, V> source) {
    return of("guard", filter, source, AnswerLimits.defaults());
  }

  /**
   * Returns a guard.
   *
   * @param name the name used in messages, meters and thread names
   * @param filter the filter, which the guard does not close
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
   * Replaces the filter by one whose keys were read from the source later. Absences confirmed
   * before become void. The previous filter may be closed at once: keys of queries in progress then
   * pass it.
   *
   * @throws IllegalStateException if the guard was closed
   */
  public void replace(BloomFilterView<K> filter) {
    lookup.checkOpen();
    generations.serve(Objects.requireNonNull(filter, "filter must not be null"));
  }

  /** Drops cached answers for a key, after it was written or deleted in the source. */
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
  public void notFound(K key) {
    lookup.notFound(key);
  }

  @Override
  public String name() {
    return lookup.name();
  }

  /**
   * {@inheritDoc} {@link GuardState#READY} until closed, or {@link GuardState#FAILED} while the
   * filter does not answer.
   */
  @Override
  public GuardState state() {
    if (lookup.isClosed()) {
      return GuardState.CLOSED;
    }
    return generations.openReason().isEmpty() ? GuardState.READY : GuardState.FAILED;
  }

  /**
   * {@inheritDoc} The first call after a filter began to serve is an exception: it reads the
   * filter.
   */
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
