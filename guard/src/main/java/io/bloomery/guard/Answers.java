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
 * Values as the source said they are, each loaded by one thread at a time.
 *
 * <p>A load stands in the cache from its beginning, so that others find it and wait. {@link
 * #withdraw} takes it out: those who wait for it still get what it brings, whoever asks later loads
 * anew, and nothing of it stays.
 */
final class Answers<K, V> {

  private final AsyncCache<K, V> values;

  Answers(Caffeine<Object, Object> limits) {
    this.values = limits.buildAsync();
  }

  /** What loads a value, and confirms an absence. */
  @FunctionalInterface
  interface Loading<T> {

    T load();
  }

  /** Returns the value of a key if it is cached. */
  Optional<V> cached(K key) {
    CompletableFuture<V> found = values.getIfPresent(key);
    return found != null && found.isDone() ? Optional.ofNullable(found.join()) : Optional.empty();
  }

  /** Returns the value of a key: that of a load that runs, or by {@code source}. */
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
   * Returns the values of those keys that have one: those of loads that run, and the others by one
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
    // Only now, when nobody waits for this thread: two batches may share keys in any order.
    others.forEach((key, load) -> load.await().ifPresent(value -> found.put(key, value)));
    return found;
  }

  /** What loads the values of several keys, and confirms absences. */
  @FunctionalInterface
  interface BatchLoading<K, V> {

    Map<K, V> load(Collection<K> keys);
  }

  /** Drops the value of a key, or the load of it that runs. */
  void withdraw(K key) {
    values.asMap().remove(key);
  }

  /** Returns the load of a key that will do, which is {@code mine} if there is no other. */
  private Load<V> join(K key, Load<V> mine) {
    while (true) {
      CompletableFuture<V> found = values.asMap().putIfAbsent(key, mine);
      if (found == null) {
        return mine;
      }
      Load<V> running = (Load<V>) found;
      // What it answers may be older than the keys of the filter that was asked.
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
