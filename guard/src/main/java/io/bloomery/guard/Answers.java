package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A cache of values of the source, each loaded by one thread at a time.
 *
 * <p>A load is in the cache from its beginning, so that other threads find it and wait for it.
 * {@link #withdraw} removes it: threads that already wait still receive its result, later queries
 * load again, and the result is not cached.
 */
final class Answers<K, V> {

  private final AsyncCache<K, V> values;

  Answers(Caffeine<Object, Object> limits) {
    this.values = limits.buildAsync();
  }

  /** A function that loads a value, or confirms an absence. */
  @FunctionalInterface
  interface Loading<T> {

    T load();
  }

  /** Returns the value of a key if it is cached. */
  Optional<V> cached(K key) {
    CompletableFuture<V> found = values.getIfPresent(key);
    return found != null && found.isDone() ? Optional.ofNullable(found.join()) : Optional.empty();
  }

  /** Returns the value of a key, from a load in progress or by {@code source}. */
  Optional<V> load(K key, long generation, Loading<Optional<V>> source) {
    Load<V> mine = new Load<>(generation);
    Load<V> running = join(key, mine);
    if (running != mine) {
      return running.await();
    }
    try {
      Optional<V> value = source.load();
      finish(key, mine, value);
      return value;
    } catch (Throwable e) {
      fail(key, mine, e);
      throw e;
    }
  }

  /**
   * Returns the values of those keys that have one, from loads in progress and for the rest by one
   * call of {@code source}.
   */
  Map<K, V> loadAll(Collection<K> keys, long generation, BatchLoading<K, V> source) {
    Map<K, Load<V>> mine = new LinkedHashMap<>();
    Map<K, Load<V>> others = new LinkedHashMap<>();
    for (K key : keys) {
      Load<V> load = new Load<>(generation);
      Load<V> running = join(key, load);
      (running == load ? mine : others).put(key, running);
    }
    Map<K, V> found = new LinkedHashMap<>();
    if (!mine.isEmpty()) {
      try {
        found.putAll(source.load(mine.keySet()));
        mine.forEach((key, load) -> finish(key, load, Optional.ofNullable(found.get(key))));
      } catch (Throwable e) {
        mine.forEach((key, load) -> fail(key, load, e));
        throw e;
      }
    }
    // Only now that no thread waits for this one: batches that share keys could deadlock.
    others.forEach((key, load) -> load.await().ifPresent(value -> found.put(key, value)));
    return found;
  }

  /** A function that loads the values of several keys, and confirms absences. */
  @FunctionalInterface
  interface BatchLoading<K, V> {

    Map<K, V> load(Collection<K> keys);
  }

  /** Drops the value of a key, or its load in progress. */
  void withdraw(K key) {
    values.asMap().remove(key);
  }

  /** Returns a usable load of a key in the cache, or {@code mine} after adding it. */
  private Load<V> join(K key, Load<V> mine) {
    while (true) {
      CompletableFuture<V> found = values.asMap().putIfAbsent(key, mine);
      if (found == null) {
        return mine;
      }
      Load<V> running = (Load<V>) found;
      // The result of an older load may precede the keys of the filter that was queried.
      if (running.isDone() || running.isNoOlderThan(mine)) {
        return running;
      }
      values.asMap().remove(key, running);
    }
  }

  private void finish(K key, Load<V> load, Optional<V> value) {
    if (value.isPresent()) {
      load.complete(value.get());
    } else {
      values.asMap().remove(key, load);
      load.complete(null);
    }
  }

  private void fail(K key, Load<V> load, Throwable cause) {
    values.asMap().remove(key, load);
    load.fail(Objects.requireNonNull(cause));
  }
}
