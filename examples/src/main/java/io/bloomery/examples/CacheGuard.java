package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.RemovableBloomFilter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that is asked mostly for what it does not have, behind a filter that knows so without
 * asking: what a cache cannot do, since it remembers only what is there.
 *
 * <p>The order of steps keeps the answers right at every moment: a key enters the filter before the
 * store and leaves it after the store, so that the filter never says "absent" of a key that the
 * store has.
 */
public final class CacheGuard {

  private final Map<String, String> store;
  private final RemovableBloomFilter<String> present;
  private final LongAdder storeReads = new LongAdder();

  /** Guards a store that holds {@code store} now and up to {@code expectedKeys} keys later. */
  public CacheGuard(Map<String, String> store, long expectedKeys) {
    this.store = new ConcurrentHashMap<>(store);
    this.present = Bloomery.strings().expect(expectedKeys).fpp(0.01).createRemovable();
    // Every stored key, before the first question.
    present.putAll(store.keySet());
  }

  /** Returns the value of a key; the store is asked only if it may have one. */
  public Optional<String> get(String key) {
    if (!present.mightContain(key)) {
      return Optional.empty();
    }
    storeReads.increment();
    return Optional.ofNullable(store.get(key));
  }

  /** Stores a value. */
  public void put(String key, String value) {
    // Counted twice if the key was there already, so take one count back then.
    present.put(key);
    if (store.put(key, value) != null) {
      present.remove(key);
    }
  }

  /** Deletes a key. */
  public void remove(String key) {
    // Only what the store really had was ever put, and so may be removed.
    if (store.remove(key) != null) {
      present.remove(key);
    }
  }

  /** Returns how often the store was asked. */
  public long storeReads() {
    return storeReads.sum();
  }

  /** Asks for a thousand keys that are there and a hundred thousand that are not. */
  public static void main(String... args) {
    Map<String, String> users = new ConcurrentHashMap<>();
    for (int i = 0; i < 1_000; i++) {
      users.put("user-" + i, "name-" + i);
    }
    CacheGuard guard = new CacheGuard(users, 10_000);
    for (int i = 0; i < 101_000; i++) {
      guard.get("user-" + i);
    }
    System.out.println("101000 questions, " + guard.storeReads() + " of them to the store");
  }
}
