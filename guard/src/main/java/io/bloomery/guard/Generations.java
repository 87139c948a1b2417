package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The generation that serves and the one that is being filled, published together: whoever puts a
 * key sees both or is waited for.
 */
final class Generations<K> {

  private record Pair<K>(
      @Nullable Generation<K> serving, @Nullable Generation<K> filling, long number) {}

  private volatile Pair<K> now = new Pair<>(null, null, Generation.NONE);
  private long lastNumber = Generation.NONE;
  private boolean closed;

  /** Returns the generation that answers; null if none can, so that every key may be there. */
  @Nullable Generation<K> serving() {
    return now.serving;
  }

  /**
   * Returns the number of the generation that was put in service last, if it still serves or not.
   */
  long number() {
    return now.number;
  }

  /** Adds a key to all generations. Returns one that had no room for it, and can serve no more. */
  Optional<Generation<K>> put(K key) {
    Pair<K> both = now;
    if (both.filling != null) {
      both.filling.put(key); // found unusable by whoever fills it
    }
    if (both.serving == null) {
      return Optional.empty();
    }
    both.serving.put(key);
    return both.serving.unusable().isPresent() ? Optional.of(both.serving) : Optional.empty();
  }

  /** Begins a generation, which gets every key that is put from now on. */
  synchronized Generation<K> begin(Supplier<BloomFilter<K>> filter) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, filter.get());
    now = new Pair<>(now.serving, next, now.number);
    return next;
  }

  /**
   * Puts the generation that was filled into service.
   *
   * @return false if it had been {@linkplain #abandon abandoned}
   */
  synchronized boolean serve(Generation<K> filled) {
    if (now.filling != filled) {
      return false;
    }
    now = new Pair<>(filled, null, filled.number());
    return true;
  }

  /** Puts a view into service that nobody fills. */
  synchronized void serve(BloomFilterView<K> view) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, view);
    now = new Pair<>(next, null, next.number());
  }

  /** Gives up a generation that was being filled. */
  synchronized void abandon(Generation<K> filling) {
    if (now.filling == filling) {
      now = new Pair<>(now.serving, null, now.number);
    }
  }

  /** Takes a generation out of service that lacks keys. Returns whether it did serve. */
  synchronized boolean withdraw(Generation<K> incomplete) {
    if (now.serving != incomplete) {
      return false;
    }
    now = new Pair<>(null, now.filling, now.number);
    return true;
  }

  /** Takes all out of service, for good. */
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
