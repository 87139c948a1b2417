package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A cache of values of the source, each loaded by one thread at a time.
 *
 * <p>A load is in the cache from its beginning, so that other threads find it and wait for it.
 * {@link #withdraw} removes it: threads that already wait still receive its result, later queries
 * load again, and the result is not cached.
 */
final class Answers<K, V> {

  private final KeyIdentity<K> identity;
  private final AsyncCache<Object, V> values;

  Answers(KeyIdentity<K> identity, Caffeine<Object, Object> limits) {
    this.identity = identity;
    this.values = limits.buildAsync();
  }

  /** Returns the value of a key if it is cached. */
  Optional<V> cached(K key) {
    CompletableFuture<V> found = values.getIfPresent(identity.of(key));
    return found != null && ((Load<V>) found).isOf(key) && found.isDone()
        ? Optional.ofNullable(found.join())
        : Optional.empty();
  }

  /** A function that loads the values of several keys, and confirms absences. */
  @FunctionalInterface
  interface Loader<K, V> {

    Map<K, V> load(Collection<K> keys, Loading load);
  }

  /**
   * Returns the values of those keys that have one, from loads in progress and for the rest by one
   * call of the loader, or by further ones if a load in progress failed for a reason that concerns
   * only its thread.
   *
   * @throws IllegalStateException if a key is being loaded because of itself
   */
  Map<K, V> load(Collection<K> keys, long generation, Loader<K, V> loader) {
    keys.forEach(key -> Loading.check(this, key));
    Map<K, V> found = new LinkedHashMap<>();
    Collection<K> left = keys;
    while (!left.isEmpty()) {
      left = load(left, generation, loader, found);
    }
    return found;
  }

  /** Returns the keys that are left to be loaded. */
  private List<K> load(Collection<K> keys, long generation, Loader<K, V> loader, Map<K, V> found) {
    Loading outer = Loading.current();
    Set<K> asked = new LinkedHashSet<>();
    Map<K, Load<V>> mine = new LinkedHashMap<>();
    Map<K, Load<V>> others = new LinkedHashMap<>();
    for (K key : keys) {
      Load<V> load = new Load<>(key, generation);
      Load<V> running = join(key, load);
      if (running == load) {
        mine.put(key, load);
        asked.add(key);
      } else if (running.isOf(key) && (outer == null || running.isDone())) {
        others.put(key, running);
      } else {
        asked.add(key);
      }
    }
    if (!asked.isEmpty()) {
      boolean wasInterrupted = Thread.currentThread().isInterrupted();
      try {
        found.putAll(loader.load(asked, new Loading(this, asked, outer)));
        mine.forEach((key, load) -> finish(key, load, Optional.ofNullable(found.get(key))));
      } catch (Throwable e) {
        boolean interrupted = wasInterrupted || Thread.currentThread().isInterrupted();
        mine.forEach((key, load) -> fail(key, load, e, interrupted));
        throw e;
      }
    }
    // Only now that no thread waits for this one: batches that share keys could deadlock.
    List<K> left = new ArrayList<>();
    others.forEach(
        (key, load) -> {
          if (load.awaitAnswer()) {
            load.answer().ifPresent(value -> found.put(key, value));
          } else {
            left.add(key);
          }
        });
    return left;
  }

  /** Drops the value of a key, or its load in progress. */
  void withdraw(K key) {
    values.asMap().remove(identity.of(key));
  }

  /**
   * Returns a usable load of a key in the cache, or {@code mine} after adding it, or a load in
   * progress of another key of the same identity.
   */
  private Load<V> join(K key, Load<V> mine) {
    Object id = identity.of(key);
    while (true) {
      CompletableFuture<V> found = values.asMap().putIfAbsent(id, mine);
      if (found == null) {
        return mine;
      }
      Load<V> running = (Load<V>) found;
      // No absence or failure of an older load: the filter that was queried may have later keys.
      if (running.isOf(key)
          ? running.hasValue() || running.isNoOlderThan(mine)
          : !running.isDone()) {
        return running;
      }
      values.asMap().remove(id, running);
    }
  }

  private void finish(K key, Load<V> load, Optional<V> value) {
    if (value.isPresent()) {
      load.complete(value.get());
    } else {
      try {
        values.asMap().remove(identity.of(key), load);
      } finally {
        load.complete(null);
      }
    }
  }

  private void fail(K key, Load<V> load, Throwable cause, boolean interrupted) {
    try {
      values.asMap().remove(identity.of(key), load);
    } finally {
      load.fail(cause, interrupted);
    }
  }
}
