package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The serving generation and the one being filled, published together: a write sees both, or the
 * rebuild waits for it.
 */
final class Generations<K> {

  private record Pair<K>(
      @Nullable Generation<K> serving, @Nullable Generation<K> filling, long number) {}

  private volatile Pair<K> now = new Pair<>(null, null, Generation.NONE);
  private final AnswerLimits limits;
  private final GuardLog log;
  private long lastNumber = Generation.NONE;
  private volatile boolean closed;

  Generations(AnswerLimits limits, GuardLog log) {
    this.limits = limits;
    this.log = log;
  }

  /** Returns the generation that serves, or null if there is none and every key may exist. */
  @Nullable Generation<K> serving() {
    return now.serving;
  }

  /** Returns the number of the generation that serves or served last. */
  long number() {
    return now.number;
  }

  /** Returns why queries do without the serving filter, or empty if they query it. */
  Optional<String> openReason() {
    Generation<K> serving = now.serving;
    return serving == null ? Optional.empty() : serving.breaker().openReason();
  }

  /**
   * Adds a key to both generations. One that lacks it never serves from then on, neither here nor
   * in a later run.
   *
   * @return the reason, if the serving one was therefore taken out of service
   * @throws IllegalStateException if the guard was closed, so that the key may be in neither
   * @throws java.io.UncheckedIOException if a later run may serve from one that lacks the key
   */
  Optional<String> put(K key) {
    Pair<K> both = now;
    boolean complete = both.filling == null || both.filling.put(key);
    complete &= both.serving == null || both.serving.put(key);
    Optional<String> reason = complete ? Optional.empty() : withdrawIncomplete();
    checkOpen();
    return reason;
  }

  // The filling one may have begun to serve since the key was put, or is refused by serve().
  private Optional<String> withdrawIncomplete() {
    FilledFilter<K> withdrawn;
    Optional<String> reason;
    synchronized (this) {
      if (now.serving == null) {
        return Optional.empty();
      }
      reason = now.serving.unusable();
      if (reason.isEmpty()) {
        return reason;
      }
      withdrawn = now.serving.filled();
      withdrawn.forsake();
      now = new Pair<>(null, now.filling, now.number);
    }
    withdrawn.discard();
    return reason;
  }

  /** Begins with a generation that an earlier run filled. */
  synchronized void resume(FilterStore.Kept<K> kept) {
    Generation<K> first = Generation.of(++lastNumber, kept, new FilterBreaker(limits, log));
    now = new Pair<>(first, null, first.number());
  }

  /** Begins a generation with an empty filter, to which every later put adds its key. */
  synchronized Generation<K> begin(FilledFilter<K> filter) {
    if (closed) {
      filter.discard();
    }
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, filter, new FilterBreaker(limits, log));
    now = new Pair<>(now.serving, next, now.number);
    return next;
  }

  /**
   * Makes the filled generation the serving one.
   *
   * @return false if it was {@linkplain #abandon abandoned}, or lacks keys
   * @throws java.io.UncheckedIOException if it should be kept for a later run, and cannot be
   */
  boolean serve(Generation<K> filled) {
    Generation<K> last;
    synchronized (this) {
      if (now.filling != filled || filled.unusable().isPresent()) {
        return false;
      }
      // While writes put into both. One whose key is missing waits for the lock, and withdraws it.
      filled.filled().keep();
      last = now.serving;
      now = new Pair<>(filled, null, filled.number());
      notifyAll();
    }
    if (last != null) {
      last.filled().discard();
    }
    return true;
  }

  /**
   * Waits until a generation serves.
   *
   * @return false if none does after that time, or all were taken out of service for good
   */
  synchronized boolean awaitServing(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (now.serving == null && !closed) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return !closed;
  }

  /** Makes a read-only view the serving generation. */
  synchronized void serve(BloomFilterView<K> view) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, view, new FilterBreaker(limits, log));
    now = new Pair<>(next, null, next.number());
  }

  /** Discards a generation that is being filled. */
  void abandon(Generation<K> filling) {
    synchronized (this) {
      if (now.filling != filling) {
        return;
      }
      now = new Pair<>(now.serving, null, now.number);
    }
    filling.filled().discard();
  }

  /** Takes all generations out of service, permanently. */
  void close() {
    Pair<K> last;
    synchronized (this) {
      last = now;
      closed = true; // first: who sees no generation must see this
      now = new Pair<>(null, null, now.number);
      notifyAll();
    }
    if (last.filling != null) {
      last.filling.filled().discard();
    }
    if (last.serving != null) {
      last.serving.close();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the guard must be open, but was closed");
    }
  }
}
