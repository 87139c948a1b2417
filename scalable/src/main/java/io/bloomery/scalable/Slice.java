package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import java.util.concurrent.atomic.AtomicLong;

/** One filter of a scalable one, and how many keys have changed it. */
final class Slice {

  private final Filter filter;
  private final long maxKeys;
  private final AtomicLong keys;

  /** Makes a slice of a filter that {@code keys} of at most {@code maxKeys} keys have changed. */
  Slice(Filter filter, long maxKeys, long keys) {
    this.filter = filter;
    this.maxKeys = maxKeys;
    this.keys = new AtomicLong(keys);
  }

  Filter filter() {
    return filter;
  }

  /** Returns how many keys have changed the filter; exact while no thread puts. */
  long keys() {
    return keys.get();
  }

  boolean isFull() {
    return keys() >= maxKeys;
  }

  /**
   * Adds a key, from any number of threads, if there is room.
   *
   * @return whether that changed the filter; nothing has happened if {@link Put#NO_ROOM}
   */
  Put putShared(long hash) {
    // Whoever fails here has made the count too high for a moment, so that another may fail who
    // need not have; both will look again when no thread puts.
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

  /** Adds a key, from one thread; there must be room. */
  boolean putConfined(long hash) {
    boolean changed = filter.put(hash);
    if (changed) {
      keys.setPlain(keys.getPlain() + 1);
    }
    return changed;
  }

  Slice copy() {
    return new Slice(filter.copy(), maxKeys, keys());
  }

  void clear() {
    filter.clear();
    keys.set(0);
  }

  /** What came of a put. */
  enum Put {
    CHANGED,
    UNCHANGED,
    NO_ROOM
  }
}
