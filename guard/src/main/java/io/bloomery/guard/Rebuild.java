package io.bloomery.guard;

import io.bloomery.filter.FilterFullException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filling of a generation, in an order that loses no key:
 *
 * <ol>
 *   <li>The new generation is published beside the serving one; each write that begins from now on
 *       puts its key into both.
 *   <li>Writes that began before, and put their keys into the old generation only, are waited for.
 *       Their keys are then in the source.
 *   <li>The keys of the source are read.
 *   <li>The new generation serves.
 * </ol>
 *
 * <p>Without the second step the key of a slow write would be lost: it is in the old generation
 * only, and enters the source after the source's keys were read.
 *
 * <p>If the source turns out to have more keys than the generation was planned for, another one is
 * filled, which is planned for those that were counted.
 */
final class Rebuild<K> {
  // decisions.md#a-filter-that-is-too-small-serves-until-the-second-one-of-its-rebuild-is-filled

  // The second is planned for the keys that were counted; it is full only for want of memory.
  private static final int MAX_ATTEMPTS = 3;
  private static final long NOT_READING = -1;

  private final Generations<K> generations;
  private final WriteBarrier barrier;
  private final GuardSource<K, ?> source;
  private final NextFilter<K> filters;
  private final Duration patience;
  private volatile long keysRead = NOT_READING;
  private volatile @Nullable Generation<K> filling;

  Rebuild(
      Generations<K> generations,
      WriteBarrier barrier,
      GuardSource<K, ?> source,
      NextFilter<K> filters,
      Duration patience) {
    this.generations = generations;
    this.barrier = barrier;
    this.source = source;
    this.filters = filters;
    this.patience = patience;
  }

  /**
   * Fills a generation and makes it the serving one.
   *
   * @throws Exception if that fails; the previous generation continues to serve, or the first of
   *     two that were filled
   */
  void run() throws Exception {
    for (int attempts = MAX_ATTEMPTS; attempts > 0; attempts--) {
      try {
        Generation<K> served = fill();
        if (served.grows() || filters.isShortOfMemory() || !filters.wasTooSmall()) {
          return;
        }
      } catch (FilterFullException e) {
        if (attempts == 1) {
          throw e;
        }
      }
    }
  }

  private Generation<K> fill() throws Exception {
    Generation<K> next = generations.begin(filters.create());
    filling = next;
    keysRead = NOT_READING;
    try {
      awaitEarlierWrites();
      long read = read(next);
      if (!generations.serve(next)) {
        Optional<String> lacking = next.unusable();
        if (lacking.isPresent()) {
          filters.planAfterFull(read);
          throw new FilterFullException(lacking.get());
        }
        throw new IllegalStateException("the rebuild was given up before it was complete");
      }
      return next;
    } finally {
      generations.abandon(next); // no effect once it serves
    }
  }

  /** Prevents this rebuild from making its generation the serving one. */
  void giveUp() {
    Generation<K> given = filling;
    if (given != null) {
      generations.abandon(given);
    }
  }

  /** Returns the number of keys read so far, or a negative number while no key is awaited. */
  long keysRead() {
    return keysRead;
  }

  private void awaitEarlierWrites() throws InterruptedException, TimeoutException {
    try {
      barrier.awaitEarlier(patience);
    } catch (TimeoutException e) {
      throw new TimeoutException(
          "a write must end within "
              + patience
              + ", but one that began before the rebuild has not; give its action a time-out, or"
              + " the guard more patience");
    }
  }

  /** Reads all keys of the source, plans the next filter for as many, and returns their number. */
  private long read(Generation<K> next) throws Exception {
    keysRead = 0;
    try (Stream<? extends K> keys =
        SourceException.checked(source.keys(), "a stream of its keys, empty if it has none")) {
      Counted all = new Counted(keys.iterator());
      try {
        next.putAll(() -> all);
      } catch (FilterFullException e) {
        all.forEachRemaining(key -> {});
        filters.planAfterFull(keysRead);
        throw e;
      }
    }
    long read = keysRead;
    keysRead = NOT_READING;
    next.measurement().refresh();
    filters.plan(next.distinctKeys(read));
    return read;
  }

  /** An iterator over the keys of the source that checks and counts them. */
  private final class Counted implements Iterator<K> {

    private final Iterator<? extends K> keys;

    Counted(Iterator<? extends K> keys) {
      this.keys = keys;
    }

    @Override
    public boolean hasNext() {
      return keys.hasNext();
    }

    @Override
    public K next() {
      if (Thread.interrupted()) {
        throw new IllegalStateException("the rebuild was interrupted while it read keys");
      }
      K key = keys.next();
      long number = keysRead + 1;
      if (key == null) {
        throw new SourceException(
            "the keys of the source must not be null, but number "
                + number
                + " was; leave nulls out of what keys() returns");
      }
      setKeysRead(number);
      return key;
    }
  }

  // Called by one thread only.
  private void setKeysRead(long number) {
    keysRead = number;
  }
}
