package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cache of confirmed absences: keys that the source has reported as absent. An entry lasts until
 * the key is reported as written, a newer generation serves, the entry expires, or it is evicted.
 *
 * <p>An answer of the source may be out of date when it arrives. A reader therefore takes a ticket
 * before it queries the source, and an absence is confirmed only if the key was not reported since:
 * {@link #withdraw} first invalidates the tickets of the key, then drops its entry; {@link
 * #confirm} checks the ticket and adds the entry in one step that is atomic with respect to that
 * drop. In either order, no entry is left.
 */
final class Absences<K> {
  // decisions.md#an-absence-holds-for-one-filter

  // Keys share these counters: a collision loses a confirmation now and then, and is never wrong.
  private static final int STRIPES = 1 << 10;

  private record Confirmed(Object key, long generation) {}

  private final KeyIdentity<K> identity;
  private final Cache<Object, Confirmed> confirmed;
  private final AtomicLongArray reports = new AtomicLongArray(STRIPES);

  Absences(KeyIdentity<K> identity, Caffeine<Object, Object> limits) {
    this.identity = identity;
    this.confirmed = limits.build();
  }

  /** Returns whether a key was confirmed as absent while this generation or a later one served. */
  boolean contains(K key, long generation) {
    Confirmed absence = confirmed.getIfPresent(identity.of(key));
    return absence != null && absence.generation >= generation && absence.key.equals(key);
  }

  /** Returns the ticket for {@link #confirm}, to be taken before the source is queried. */
  long ticket(K key) {
    return reports.get(stripe(identity.of(key)));
  }

  /**
   * Adds a key that the source does not have.
   *
   * @param ticket taken before the source was queried
   * @param generation the number of the generation that served before the source was queried
   * @return whether it was added: false if the key was reported since
   */
  boolean confirm(K key, long ticket, long generation) {
    Object id = identity.of(key);
    int stripe = stripe(id);
    Confirmed now =
        confirmed
            .asMap()
            .compute(
                id,
                (same, before) -> {
                  if (reports.get(stripe) != ticket) {
                    return before;
                  }
                  return before == null || before.generation <= generation
                      ? new Confirmed(key, generation)
                      : before;
                });
    return now != null;
  }

  /** Drops the entry of a key and invalidates the tickets of queries in progress. */
  void withdraw(K key) {
    Object id = identity.of(key);
    reports.incrementAndGet(stripe(id));
    confirmed.asMap().remove(id);
  }

  /** Returns the number of entries, which may include outdated ones. */
  long count() {
    return confirmed.estimatedSize();
  }

  private static int stripe(Object identity) {
    int hash = identity.hashCode();
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }
}
