package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The serving generation and the one being filled, published together: a write sees both, or the
 * rebuild waits for it.
 */
final class Generations<K> {

  private record Pair<K>(
      @Nullable Generation<K> serving, @Nullable Generation<K> filling, long number) {}

  private volatile Pair<K> now = new Pair<>(null, null, Generation.NONE);
  private long lastNumber = Generation.NONE;
  private boolean closed;

  /** Returns the generation that serves, or null if there is none and every key may exist. */
  @Nullable Generation<K> serving() {
    return now.serving;
  }

  /** Returns the number of the generation that serves or served last. */
  long number() {
    return now.number;
  }

  /**
   * Adds a key to both generations. Returns the serving one if it lacks a key and must be
   * withdrawn.
   */
  Optional<Generation<K>> put(K key) {
    Pair<K> both = now;
    if (both.filling != null) {
      both.filling.put(key); // if unusable, its rebuild finds out
    }
    if (both.serving == null) {
      return Optional.empty();
    }
    both.serving.put(key);
    return both.serving.unusable().isPresent() ? Optional.of(both.serving) : Optional.empty();
  }

  /** Begins a generation, to which every later put adds its key. */
  synchronized Generation<K> begin(Supplier<BloomFilter<K>> filter) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, filter.get());
    now = new Pair<>(now.serving, next, now.number);
    return next;
  }

  /**
   * Makes the filled generation the serving one.
   *
   * @return false if it was {@linkplain #abandon abandoned}
   */
  synchronized boolean serve(Generation<K> filled) {
    if (now.filling != filled) {
      return false;
    }
    now = new Pair<>(filled, null, filled.number());
    return true;
  }

  /** Makes a read-only view the serving generation. */
  synchronized void serve(BloomFilterView<K> view) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, view);
    now = new Pair<>(next, null, next.number());
  }

  /** Discards a generation that is being filled. */
  synchronized void abandon(Generation<K> filling) {
    if (now.filling == filling) {
      now = new Pair<>(now.serving, null, now.number);
    }
  }

  /** Takes a generation that lacks keys out of service. Returns whether it was serving. */
  synchronized boolean withdraw(Generation<K> incomplete) {
    if (now.serving != incomplete) {
      return false;
    }
    now = new Pair<>(null, now.filling, now.number);
    return true;
  }

  /** Takes all generations out of service, permanently. */
  synchronized void close() {
    closed = true;
    now = new Pair<>(null, null, now.number);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the guard must be open, but was closed");
    }
  }
}
