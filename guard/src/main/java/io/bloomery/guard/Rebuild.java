package io.bloomery.guard;

import io.bloomery.BloomFilter;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filling of a generation. The order is what keeps every key:
 *
 * <ol>
 *   <li>The new generation is published beside the one that serves; each write that begins from now
 *       on puts its key into both.
 *   <li>Writes that began before, and put their keys into the old one only, are waited for. What
 *       they write is then in the source.
 *   <li>The keys of the source are read.
 *   <li>The new generation serves.
 * </ol>
 *
 * <p>Without the second step the key of a slow write is lost: it is in the old generation alone,
 * and came into the source after its keys were read.
 */
final class Rebuild<K> {

  private static final long NOT_READING = -1;

  private final Generations<K> generations;
  private final WriteBarrier barrier;
  private final GuardSource<K, ?> source;
  private final Supplier<BloomFilter<K>> filter;
  private final Duration patience;
  private volatile long keysRead = NOT_READING;
  private volatile @Nullable Generation<K> filling;

  Rebuild(
      Generations<K> generations,
      WriteBarrier barrier,
      GuardSource<K, ?> source,
      Supplier<BloomFilter<K>> filter,
      Duration patience) {
    this.generations = generations;
    this.barrier = barrier;
    this.source = source;
    this.filter = filter;
    this.patience = patience;
  }

  /**
   * Fills the generation and puts it into service.
   *
   * @throws Exception if that was not possible; what served before still does
   */
  Generation<K> run() throws Exception {
    Generation<K> next = generations.begin(filter);
    filling = next;
    try {
      awaitEarlierWrites();
      keysRead = 0;
      read(next);
      if (next.unusable().isPresent()) {
        throw new IllegalStateException(next.unusable().get());
      }
      if (!generations.serve(next)) {
        throw new IllegalStateException("the rebuild was given up before it was complete");
      }
      return next;
    } finally {
      generations.abandon(next); // which does nothing once it serves
    }
  }

  /** Sees to it that this can put nothing into service any more. */
  void giveUp() {
    Generation<K> given = filling;
    if (given != null) {
      generations.abandon(given);
    }
  }

  /** Returns how many keys were read so far; negative while none is waited for. */
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

  private void read(Generation<K> next) throws Exception {
    try (Stream<? extends K> keys =
        SourceException.checked(source.keys(), "a stream of its keys, empty if it has none")) {
      Iterator<? extends K> all = keys.iterator();
      next.putAll(() -> new Counted(all));
    }
  }

  /** The keys of the source, checked, and counted as they are read. */
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

  // By one thread alone.
  private void setKeysRead(long number) {
    keysRead = number;
  }
}
