package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.filter.FilterStats;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a guard's rebuilds, one at a time: on request, by schedule, when the rate or
 * growth requires it, and again after a failure.
 *
 * <p>Requests during a rebuild share one further rebuild after it, since keys written elsewhere
 * after its beginning may be missing in the one that runs. A stalled rebuild is abandoned and its
 * thread interrupted. No other begins until that thread has ended, so that a source that blocks
 * forever costs one thread only.
 */
final class Rebuilds<K> {

  private static final Logger LOG = System.getLogger("io.bloomery.guard");
  private static final double ROOM_TO_GROW = 1.5;

  private final String name;
  private final Generations<K> generations;
  private final WriteBarrier barrier;
  private final GuardSource<K, ?> source;
  private final LongFunction<BloomFilter<K>> filters;
  private final RebuildRules rules;
  private final ThreadFactory threads;
  private final ScheduledExecutorService clock;

  // Guarded by this.
  private @Nullable Run running;
  private @Nullable CompletableFuture<Void> queued;
  private Optional<String> lastError = Optional.empty();
  private long expectedKeys;
  private long completed;
  private long failed;
  private long lastEndNanos = System.nanoTime();
  private long warnedOf = Generation.NONE;
  private boolean closed;

  /**
   * Creates a scheduler that is not started.
   *
   * @param filters creates an empty filter for a number of keys
   */
  Rebuilds(
      String name,
      Generations<K> generations,
      WriteBarrier barrier,
      GuardSource<K, ?> source,
      LongFunction<BloomFilter<K>> filters,
      long expectedKeys,
      RebuildRules rules) {
    this.name = name;
    this.generations = generations;
    this.barrier = barrier;
    this.source = source;
    this.filters = filters;
    this.expectedKeys = expectedKeys;
    this.rules = rules;
    this.threads = new GuardThreads(name, "rebuild");
    this.clock = Executors.newSingleThreadScheduledExecutor(new GuardThreads(name, "clock"));
  }

  /** Begins the first rebuild, and the periodic checks for due rebuilds. */
  void start() {
    synchronized (this) {
      begin(new CompletableFuture<>());
    }
    long nanos = AnswerLimits.nanos(rules.lookEvery());
    Future<?> unused = clock.scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Requests a rebuild that begins after this call. */
  synchronized CompletableFuture<Void> request() {
    if (closed) {
      throw new IllegalStateException("guard " + name + " must be open, but was closed");
    }
    CompletableFuture<Void> result;
    if (running == null) {
      result = new CompletableFuture<>();
      begin(result);
    } else {
      result = queued == null ? new CompletableFuture<>() : queued;
      queued = result;
    }
    return result.copy(); // a copy: callers may cancel it
  }

  /**
   * Returns a future that completes when the rebuild in progress has ended; never if there is none.
   */
  synchronized CompletableFuture<Void> running() {
    return running == null ? new CompletableFuture<>() : running.result.copy();
  }

  synchronized boolean isRunning() {
    return running != null && !running.givenUp;
  }

  synchronized Optional<String> lastError() {
    return lastError;
  }

  synchronized long completed() {
    return completed;
  }

  synchronized long failed() {
    return failed;
  }

  synchronized long expectedKeys() {
    return expectedKeys;
  }

  /** Records that the serving filter lacks a key, so that a rebuild is due at once. */
  synchronized void lost(String reason) {
    lastError = Optional.of(reason);
    LOG.log(Level.WARNING, "guard {0} answers without a filter: {1}", name, reason);
    if (!closed && running == null) {
      expectedKeys = grown(expectedKeys);
      begin(new CompletableFuture<>());
    }
  }

  /** Stops all rebuilds, and joins the thread of a rebuild for at most a second. */
  void close() {
    clock.shutdownNow();
    Thread last = null;
    synchronized (this) {
      closed = true;
      if (running != null) {
        last = running.thread;
        running.giveUp(closedException());
      }
      if (queued != null) {
        queued.completeExceptionally(closedException());
        queued = null;
      }
    }
    if (last != null && last != Thread.currentThread()) {
      try {
        last.join(1_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private IllegalStateException closedException() {
    return new IllegalStateException("guard " + name + " was closed before the rebuild was done");
  }

  private void look() {
    try {
      Generation<K> serving = generations.serving();
      if (serving != null) {
        serving.measurement().refresh(); // without the lock: may read a large filter
      }
      look(serving);
    } catch (RuntimeException | Error e) {
      // An exception would silently cancel the periodic check.
      LOG.log(Level.ERROR, "guard " + name + " could not look whether a rebuild is due", e);
    }
  }

  private synchronized void look(@Nullable Generation<K> serving) {
    if (running != null) {
      running.giveUpIfStalled();
    }
    Optional<FilterStats> stats = measured(serving);
    if (running == null && !closed) {
      dueBecause(serving, stats)
          .ifPresent(
              reason -> {
                LOG.log(Level.INFO, "guard {0} rebuilds its filter: {1}", name, reason);
                begin(new CompletableFuture<>());
              });
    }
  }

  private Optional<FilterStats> measured(@Nullable Generation<K> serving) {
    if (serving == null) {
      return Optional.empty();
    }
    Optional<FilterStats> stats = serving.measurement().last();
    if (stats.isPresent() && stats.get().isOverfull() && warnedOf != serving.number()) {
      warnedOf = serving.number();
      LOG.log(
          Level.WARNING,
          "guard {0}: more keys came than were expected, so that more of the absent ones reach the"
              + " source; expect more of them. {1}",
          name,
          stats.get());
    }
    return stats;
  }

  private Optional<String> dueBecause(
      @Nullable Generation<K> serving, Optional<FilterStats> stats) {
    long nanos = System.nanoTime() - lastEndNanos;
    if (nanos < AnswerLimits.nanos(rules.pause())
        && (rules.every().isEmpty() || nanos < AnswerLimits.nanos(rules.every().get()))) {
      return Optional.empty();
    }
    if (serving == null || lastError.isPresent()) {
      return Optional.of("the last time that failed");
    }
    if (rules.every().isPresent() && nanos >= AnswerLimits.nanos(rules.every().get())) {
      return Optional.of("it is time");
    }
    if (stats.isPresent() && stats.get().isOverfull()) {
      expectedKeys = grown(stats.get().approximateKeys().orElse(expectedKeys));
      return Optional.of("it has grown, and " + expectedKeys + " keys are expected from now on");
    }
    MeasuredRate rate = serving.rate();
    double planned = serving.plannedRate();
    return rate.low() > rules.rateFactor() * planned
        ? Optional.of("a rate of " + planned + " was planned, and measured is " + rate)
        : Optional.empty();
  }

  private static long grown(long keys) {
    return Math.max(keys, (long) (ROOM_TO_GROW * keys));
  }

  // Requires the lock.
  private void begin(CompletableFuture<Void> result) {
    Run run = new Run(result);
    running = run;
    try {
      run.thread.start();
    } catch (OutOfMemoryError e) { // such as no native thread
      running = null;
      failedBecause(e);
      result.completeExceptionally(e);
    }
  }

  private void ended(Run run, @Nullable Throwable failure) {
    synchronized (this) {
      if (failure == null) {
        completed++;
        lastError = Optional.empty();
        lastEndNanos = System.nanoTime();
      } else if (!run.givenUp) {
        failedBecause(failure);
      }
      running = null;
      if (queued != null) {
        CompletableFuture<Void> next = queued;
        queued = null;
        begin(next);
      }
    }
    if (failure == null) {
      run.result.complete(null);
    } else {
      run.result.completeExceptionally(failure);
    }
  }

  private void failedBecause(Throwable failure) {
    failed++;
    lastError = Optional.of(failure.toString());
    lastEndNanos = System.nanoTime();
    if (!closed) {
      LOG.log(
          Level.WARNING,
          "guard " + name + " could not rebuild its filter, and tries again in " + rules.pause(),
          failure);
    }
  }

  /** A rebuild on its thread. */
  private final class Run implements Runnable {

    private final CompletableFuture<Void> result;
    private final Rebuild<K> rebuild;
    private final Thread thread = threads.newThread(this);
    private long lastKeysRead;
    private long lastProgressNanos = System.nanoTime();
    private boolean givenUp;

    Run(CompletableFuture<Void> result) {
      long keys = expectedKeys;
      this.result = result;
      this.rebuild =
          new Rebuild<>(generations, barrier, source, () -> filters.apply(keys), rules.patience());
    }

    @Override
    public void run() {
      try {
        rebuild.run().measurement().refresh();
        ended(this, null);
      } catch (Throwable e) {
        ended(this, e);
      }
    }

    void giveUpIfStalled() {
      long now = System.nanoTime();
      long keysRead = rebuild.keysRead();
      if (keysRead != lastKeysRead || keysRead < 0) {
        lastKeysRead = keysRead;
        lastProgressNanos = now;
      } else if (!givenUp && now - lastProgressNanos > AnswerLimits.nanos(rules.patience())) {
        TimeoutException stalled =
            new TimeoutException(
                "the source must yield its next key within "
                    + rules.patience()
                    + ", but has not after "
                    + keysRead
                    + " of them; see what it waits for, or give the guard more patience");
        failedBecause(stalled);
        giveUp(stalled);
      }
    }

    void giveUp(Exception reason) {
      givenUp = true;
      rebuild.giveUp();
      thread.interrupt();
      result.completeExceptionally(reason);
    }
  }
}
