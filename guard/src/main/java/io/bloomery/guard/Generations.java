package io.bloomery.guard;

import io.bloomery.BloomFilter;
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
  private boolean closed;

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
   * Adds a key to both generations. One that lacks it never serves from then on.
   *
   * @return the reason, if the serving one was therefore taken out of service
   */
  Optional<String> put(K key) {
    Pair<K> both = now;
    boolean complete = both.filling == null || both.filling.put(key);
    complete &= both.serving == null || both.serving.put(key);
    return complete ? Optional.empty() : withdrawIncomplete();
  }

  // The filling one may have begun to serve since the key was put, or is refused by serve().
  private synchronized Optional<String> withdrawIncomplete() {
    if (now.serving == null) {
      return Optional.empty();
    }
    Optional<String> reason = now.serving.unusable();
    if (reason.isPresent()) {
      now = new Pair<>(null, now.filling, now.number);
    }
    return reason;
  }

  /** Begins a generation with an empty filter, to which every later put adds its key. */
  synchronized Generation<K> begin(BloomFilter<K> filter) {
    checkOpen();
    Generation<K> next = Generation.of(++lastNumber, filter, new FilterBreaker(limits, log));
    now = new Pair<>(now.serving, next, now.number);
    return next;
  }

  /**
   * Makes the filled generation the serving one.
   *
   * @return false if it was {@linkplain #abandon abandoned}, or lacks keys
   */
  synchronized boolean serve(Generation<K> filled) {
    if (now.filling != filled || filled.unusable().isPresent()) {
      return false;
    }
    now = new Pair<>(filled, null, filled.number());
    notifyAll();
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
  synchronized void abandon(Generation<K> filling) {
    if (now.filling == filling) {
      now = new Pair<>(now.serving, null, now.number);
    }
  }

  /** Takes all generations out of service, permanently. */
  synchronized void close() {
    closed = true;
    notifyAll();
    now = new Pair<>(null, null, now.number);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the guard must be open, but was closed");
    }
  }
}
