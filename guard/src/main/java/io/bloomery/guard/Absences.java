package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keys that the source has said it does not have, until they are reported, a newer generation
 * serves, they are too old, or too many others came.
 *
 * <p>An answer of the source may be out of date when it arrives. So who is about to ask takes a
 * ticket, and an absence is confirmed only if the key was not reported since: {@link #withdraw}
 * first makes the tickets of the key void, then drops what is there; {@link #confirm} looks at the
 * ticket and enters the key in one step that excludes that drop. Whichever comes first, the key is
 * not there afterwards.
 */
final class Absences<K> {

  // Keys share these counts, which costs a confirmation now and then and never an answer.
  private static final int STRIPES = 1 << 10;

  private final Cache<K, Long> confirmed;
  private final AtomicLongArray reports = new AtomicLongArray(STRIPES);

  Absences(Caffeine<Object, Object> limits) {
    this.confirmed = limits.build();
  }

  /** Returns whether a key is known to be absent, as of this generation's filling or later. */
  boolean contains(K key, long generation) {
    Long since = confirmed.getIfPresent(key);
    return since != null && since >= generation;
  }

  /** Returns what {@link #confirm} wants of whoever asks the source now. */
  long ticket(K key) {
    return reports.get(stripe(key));
  }

  /**
   * Enters a key that the source does not have.
   *
   * @param ticket from before the source was asked
   * @param generation the number of the one that served before the source was asked
   * @return whether it was entered: not if it was reported since
   */
  boolean confirm(K key, long ticket, long generation) {
    Long now =
        confirmed
            .asMap()
            .compute(
                key,
                (same, before) -> {
                  if (reports.get(stripe(same)) != ticket) {
                    return before;
                  }
                  return before == null || before < generation ? (Long) generation : before;
                });
    return now != null;
  }

  /** Takes back that a key is absent, also of those who are asking the source just now. */
  void withdraw(K key) {
    reports.incrementAndGet(stripe(key));
    confirmed.asMap().remove(key);
  }

  /** Returns how many there are, some of them perhaps out of date. */
  long count() {
    return confirmed.estimatedSize();
  }

  private int stripe(K key) {
    int hash = key.hashCode();
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }
}
