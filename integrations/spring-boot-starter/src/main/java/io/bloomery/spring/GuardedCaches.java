package io.bloomery.spring;

import io.bloomery.guard.GuardView;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/** Puts guards in front of the configured caches of all cache managers. */
final class GuardedCaches implements BeanPostProcessor {

  private record Guarding(String guard, Class<?> keyType) {}

  private final BeanFactory beans;
  private final Map<String, Guarding> guards = new HashMap<>();

  GuardedCaches(BloomeryProperties properties, BeanFactory beans) {
    this.beans = beans;
    properties
        .guards()
        .forEach(
            (guard, settings) ->
                settings.caches().forEach(cache -> add(cache, guard, settings.key().type())));
  }

  private void add(String cache, String guard, Class<?> keyType) {
    Guarding other = guards.putIfAbsent(cache, new Guarding(guard, keyType));
    if (other != null) {
      throw new InvalidGuardException(
          guard,
          "a cache must have one guard, but " + cache + " has guard " + other.guard() + ", too",
          "Leave the cache out of the caches of one of the two.",
          null);
    }
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    return bean instanceof CacheManager manager && !guards.isEmpty()
        ? new GuardedCacheManager(manager)
        : bean;
  }

  private <K> Cache guarded(Cache cache, String guard, Class<K> keyType) {
    @SuppressWarnings("unchecked") // the properties of the guard specify this type of keys
    GuardView<K, ?> view =
        (GuardView<K, ?>) beans.getBean(GuardRegistrar.beanName(guard), GuardView.class);
    return new GuardedCache<>(cache, view, keyType);
  }

  private final class GuardedCacheManager implements CacheManager {

    private final CacheManager manager;

    GuardedCacheManager(CacheManager manager) {
      this.manager = manager;
    }

    @Override
    public @Nullable Cache getCache(String name) {
      Cache cache = manager.getCache(name);
      Guarding guarding = guards.get(name);
      return cache == null || guarding == null
          ? cache
          : guarded(cache, guarding.guard(), guarding.keyType());
    }

    @Override
    public Collection<String> getCacheNames() {
      return manager.getCacheNames();
    }
  }
}
