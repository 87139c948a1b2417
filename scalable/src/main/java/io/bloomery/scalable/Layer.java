package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import java.util.concurrent.atomic.AtomicLong;

/** One of the filters of a scalable filter, and the number of keys in it. */
final class Layer {

  private final Filter filter;
  private final long maxKeys;
  private final AtomicLong keys;

  /** Creates a layer of a filter that has {@code keys} of at most {@code maxKeys} keys. */
  Layer(Filter filter, long maxKeys, long keys) {
    this.filter = filter;
    this.maxKeys = maxKeys;
    this.keys = new AtomicLong(keys);
  }

  Filter filter() {
    return filter;
  }

  /** Returns the number of keys that changed the filter; exact while no put is in progress. */
  long keys() {
    return keys.get();
  }

  boolean isFull() {
    return keys() >= maxKeys;
  }

  /**
   * Puts a hash if there is room. Thread-safe.
   *
   * @return whether the filter changed; it has not if {@link Put#NO_ROOM}
   */
  Put putShared(long hash) {
    // A put that fails here makes the count too high for a moment, so that another may fail without
    // need; both check again when no put is in progress.
    if (keys.getAndIncrement() >= maxKeys) {
      keys.getAndDecrement();
      return Put.NO_ROOM;
    }
    if (filter.put(hash)) {
      return Put.CHANGED;
    }
    keys.getAndDecrement();
    return Put.UNCHANGED;
  }

  /** Puts a hash from one thread; there must be room. */
  boolean putConfined(long hash) {
    boolean changed = filter.put(hash);
    if (changed) {
      keys.setPlain(keys.getPlain() + 1);
    }
    return changed;
  }

  Layer copy() {
    return new Layer(filter.copy(), maxKeys, keys());
  }

  void clear() {
    filter.clear();
    keys.set(0);
  }

  /** The result of a put. */
  enum Put {
    CHANGED,
    UNCHANGED,
    NO_ROOM
  }
}
