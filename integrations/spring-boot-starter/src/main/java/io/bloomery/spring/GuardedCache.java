package io.bloomery.spring;

import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardView;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.guard.SourceException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.support.SimpleValueWrapper;

/**
 * A Spring cache behind a guard: an absent key is returned as a cached null, so that the method
 * annotated with {@code @Cacheable} is not called.
 *
 * <p>Absence is cached only by the guard, which invalidates it when the key is reported; a null is
 * never put into the underlying cache. Without {@code sync = true} a null returned by the method is
 * not cached at all, because it may be out of date. Keys of other types than that of the guard
 * bypass it.
 */
final class GuardedCache<K> implements Cache {

  private final Cache cache;
  private final GuardView<K, ?> guard;
  private final Class<K> keyType;

  GuardedCache(Cache cache, GuardView<K, ?> guard, Class<K> keyType) {
    this.cache = cache;
    this.guard = guard;
    this.keyType = keyType;
  }

  private boolean isAbsent(Object key) {
    return keyType.isInstance(key) && !guard.mightContain(keyType.cast(key));
  }

  @Override
  public String getName() {
    return cache.getName();
  }

  @Override
  public Object getNativeCache() {
    return cache.getNativeCache();
  }

  @Override
  public @Nullable ValueWrapper get(Object key) {
    return isAbsent(key) ? new SimpleValueWrapper(null) : cache.get(key);
  }

  @Override
  public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
    return isAbsent(key) ? null : cache.get(key, type);
  }

  @Override
  public <T> @Nullable T get(Object key, Callable<T> loader) {
    if (!keyType.isInstance(key)) {
      return cache.get(key, loader);
    }
    if (isAbsent(key)) {
      return null;
    }
    try {
      return cache.get(key, () -> present(keyType.cast(key), loader));
    } catch (ValueRetrievalException e) {
      if (e.getCause() instanceof AbsentException) {
        return null;
      }
      throw e.getCause() instanceof SourceException failure && failure.getCause() != null
          ? new ValueRetrievalException(key, loader, failure.getCause())
          : e;
    }
  }

  // Thrown from the loader, because the cache may keep whatever the loader returns.
  private <T> T present(K key, Callable<T> loader) {
    return guard
        .<T>get(key, same -> Optional.ofNullable(loader.call()))
        .orElseThrow(AbsentException::new);
  }

  @Override
  public @Nullable CompletableFuture<?> retrieve(Object key) {
    return isAbsent(key)
        ? CompletableFuture.completedFuture(new SimpleValueWrapper(null))
        : cache.retrieve(key);
  }

  @Override
  public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
    return isAbsent(key)
        ? CompletableFuture.completedFuture(null)
        : cache.retrieve(key, () -> loader.get().thenApply(value -> reported(key, value)));
  }

  private <T> @Nullable T reported(Object key, @Nullable T value) {
    if (value == null) {
      notFound(key);
    }
    return value;
  }

  /** Puts a value, which also reports its key; a null is not cached, and a false positive. */
  @Override
  public void put(Object key, @Nullable Object value) {
    if (value == null) {
      cache.evict(key);
      notFound(key);
      return;
    }
    report(key);
    cache.put(key, value);
  }

  @Override
  public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
    if (value == null) {
      notFound(key);
      return cache.get(key);
    }
    report(key);
    return cache.putIfAbsent(key, value);
  }

  private void notFound(Object key) {
    if (keyType.isInstance(key)) {
      guard.notFound(keyType.cast(key));
    }
  }

  private void report(Object key) {
    if (keyType.isInstance(key) && guard instanceof Guard<K, ?> written && written.takesReports()) {
      written.created(keyType.cast(key));
    }
  }

  @Override
  public void evict(Object key) {
    cache.evict(key);
    forget(key);
  }

  @Override
  public boolean evictIfPresent(Object key) {
    boolean evicted = cache.evictIfPresent(key);
    forget(key);
    return evicted;
  }

  private void forget(Object key) {
    if (keyType.isInstance(key)) {
      if (guard instanceof Guard<K, ?> written) {
        written.deleted(keyType.cast(key));
      } else if (guard instanceof ReadOnlyGuard<K, ?> queried) {
        queried.forget(keyType.cast(key));
      }
    }
  }

  @Override
  public void clear() {
    cache.clear();
  }

  @Override
  public boolean invalidate() {
    return cache.invalidate();
  }

  /** Signals through the cache that there is no value. */
  private static final class AbsentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    AbsentException() {
      super("absent", null, false, false);
    }
  }
}
