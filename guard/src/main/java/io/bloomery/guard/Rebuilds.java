package io.bloomery.guard;

import io.bloomery.filter.FilterStats;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a guard's rebuilds, one at a time: on request, by schedule, when the rate or
 * growth requires it, and again after a failure.
 *
 * <p>Requests during a rebuild share one further rebuild after it, since keys written elsewhere
 * after its beginning may be missing in the one that runs. A stalled rebuild is abandoned and its
 * thread interrupted. No other begins until that thread has ended, so that a source that blocks
 * forever costs one thread only.
 *
 * <p>State changes come first, then the log and the futures of requests. Code of others may block,
 * throw or call the guard: none of it runs under the lock, and callbacks of futures run neither on
 * the clock nor on the thread that closes the guard.
 */
final class Rebuilds<K> {

  private final String name;
  private final Generations<K> generations;
  private final WriteBarrier barrier;
  private final GuardSource<K, ?> source;
  private final NextFilter<K> filters;
  private final GuardLog log;
  private final RebuildRules rules;
  private final ThreadFactory threads;
  private final ScheduledExecutorService clock;

  // Guarded by this.
  private @Nullable Run running;
  private @Nullable CompletableFuture<Void> queued;
  private long queuedNanos;
  private @Nullable String lastError;
  private long completed;
  private long failed;
  private long lastEndNanos = System.nanoTime();
  private boolean closed;

  /** Creates a scheduler that is not started. */
  Rebuilds(
      String name,
      Generations<K> generations,
      WriteBarrier barrier,
      GuardSource<K, ?> source,
      NextFilter<K> filters,
      GuardLog log,
      RebuildRules rules) {
    this.name = name;
    this.generations = generations;
    this.barrier = barrier;
    this.source = source;
    this.filters = filters;
    this.log = log;
    this.rules = rules;
    this.threads = new GuardThreads(name, "rebuild");
    this.clock = Executors.newSingleThreadScheduledExecutor(new GuardThreads(name, "clock"));
  }

  /**
   * Begins the first rebuild, and the periodic checks for due rebuilds.
   *
   * @param guard the guard, which is closed once it is collected
   */
  void start(Object guard) {
    Future<?> unused = request();
    WeakReference<Object> reference = new WeakReference<>(guard);
    long nanos = AnswerLimits.nanos(rules.lookEvery());
    unused =
        clock.scheduleWithFixedDelay(() -> look(reference), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Requests a rebuild that begins after this call. */
  CompletableFuture<Void> request() {
    CompletableFuture<Void> result = new CompletableFuture<>();
    Run next = null;
    synchronized (this) {
      if (closed) {
        throw Lookup.closed(name);
      }
      if (running == null) {
        next = begin(result);
      } else if (queued == null) {
        queue(result);
      } else {
        result = queued;
      }
    }
    if (next != null) {
      next.start();
    }
    return result.copy(); // a copy: callers may cancel it
  }

  synchronized boolean isRunning() {
    return running != null && running.givenUp == null;
  }

  synchronized Optional<String> lastError() {
    return Optional.ofNullable(lastError);
  }

  synchronized long completed() {
    return completed;
  }

  synchronized long failed() {
    return failed;
  }

  /** Records that the guard answers without a filter, so that a rebuild is due at once. */
  void lost(String reason) {
    Run next = null;
    synchronized (this) {
      lastError = reason;
      if (running == null && !closed) {
        next = begin(new CompletableFuture<>());
      } else if (queued == null && !closed) {
        // It may be the filter of the running rebuild that was lost.
        queue(new CompletableFuture<>());
      }
    }
    if (next != null) {
      next.start();
    }
    log.warning(" answers without a filter: " + reason);
  }

  /** Records that a write could not go on, so that a rebuild is due after the pause. */
  synchronized void writeFailed(Exception reason) {
    lastError = GuardLog.describe(reason);
  }

  // Requires the lock.
  private void queue(CompletableFuture<Void> result) {
    queued = result;
    queuedNanos = System.nanoTime();
  }

  /** Stops all rebuilds, and joins the thread of a rebuild for at most a second. */
  void close() {
    clock.shutdownNow();
    IllegalStateException reason =
        new IllegalStateException("guard " + name + " was closed before the rebuild was done");
    Run last;
    CompletableFuture<Void> waiting;
    synchronized (this) {
      closed = true;
      last = running;
      waiting = queued;
      queued = null;
      if (last != null) {
        last.givenUp = reason;
      }
    }
    if (waiting != null) {
      failApart(waiting, reason);
    }
    if (last != null) {
      last.stop(reason);
      last.join();
    }
  }

  private void look(WeakReference<Object> guard) {
    try {
      if (guard.get() == null && !isRunning()) { // somebody may wait for one that runs
        close();
        generations.close();
        filters.store().close();
        return;
      }
      Generation<K> serving = generations.serving();
      giveUpIfStalled();
      giveUpQueued();
      Optional<FilterStats> overfull = Optional.empty();
      if (serving != null) {
        serving.measurement().refresh();
      }
      if (serving != null && !filters.isShortOfMemory()) {
        overfull = serving.measurement().last().filter(FilterStats::isOverfull);
      }
      if (overfull.isPresent() && !isRunning()) {
        FilterStats stats = overfull.get();
        filters.plan(stats.approximateKeys().orElse(2 * stats.expectedKeys()));
      }
      beginIfDue(serving, overfull.isPresent());
    } catch (RuntimeException | Error e) {
      // An exception would silently cancel the periodic check.
      log.error(" could not look whether a rebuild is due", e);
    }
  }

  private void giveUpIfStalled() {
    Run stalled;
    TimeoutException reason;
    synchronized (this) {
      stalled = running;
      if (stalled == null || !stalled.isStalled()) {
        return;
      }
      reason =
          new TimeoutException(
              "the source must yield its next key, or end, within "
                  + rules.patience()
                  + ", but did neither after "
                  + stalled.lastKeysRead
                  + " of them; see what it waits for, or give the guard more patience");
      stalled.givenUp = reason;
      failedBecause(reason.toString());
    }
    stalled.stop(reason);
    tell(reason);
  }

  /** Fails requests that wait too long for the thread of a rebuild that was given up. */
  private void giveUpQueued() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (running == null
          || running.givenUp == null
          || queued == null
          || System.nanoTime() - queuedNanos <= AnswerLimits.nanos(rules.patience())) {
        return;
      }
      waiting = queued;
      queued = null;
    }
    failApart(
        waiting,
        new TimeoutException(
            "a rebuild must begin within "
                + rules.patience()
                + ", but the source still holds the thread of one that was given up; see what it"
                + " waits for"));
  }

  private void beginIfDue(@Nullable Generation<K> serving, boolean overfull) {
    Run next = null;
    Optional<String> reason = Optional.empty();
    synchronized (this) {
      if (running == null && queued != null) {
        // Memory was short when its turn came.
        next = begin(queued);
        queued = null;
      } else if (running == null && !closed) {
        reason = dueBecause(serving, overfull);
        if (reason.isPresent()) {
          next = begin(new CompletableFuture<>());
        }
      }
    }
    reason.ifPresent(due -> log.info(" rebuilds its filter: " + due));
    if (next != null) {
      next.start();
    }
  }

  // Requires the lock.
  private Optional<String> dueBecause(@Nullable Generation<K> serving, boolean overfull) {
    long nanos = System.nanoTime() - lastEndNanos;
    if (nanos < AnswerLimits.nanos(rules.shortestPause())) {
      return Optional.empty();
    }
    if (serving == null || lastError != null) {
      return Optional.of("the last time that failed");
    }
    if (rules.every().isPresent() && nanos >= AnswerLimits.nanos(rules.every().get())) {
      return Optional.of("it is time");
    }
    if (overfull) {
      return Optional.of("it has grown, and is made for " + filters.keys() + " keys from now on");
    }
    double planned = serving.plannedRate();
    return serving
        .rate()
        .filter(rate -> rate.low() > rules.rateFactor() * planned)
        .map(rate -> "a rate of " + planned + " was planned, and measured is " + rate);
  }

  // Requires the lock. The caller starts it afterwards.
  private Run begin(CompletableFuture<Void> result) {
    Run run = new Run(result);
    running = run;
    return run;
  }

  private void ended(Run run, @Nullable Throwable failure) {
    Throwable told = failure;
    try {
      String text = failure == null ? null : GuardLog.describe(failure);
      Run next;
      synchronized (this) {
        told = settle(run, failure, text);
        next = queued == null ? null : begin(queued);
        queued = null;
      }
      if (next != null) {
        next.start();
      }
    } finally {
      if (told == null) {
        run.result.complete(null);
      } else {
        if (told == failure) {
          tell(told);
        }
        run.result.completeExceptionally(told);
      }
    }
  }

  // Requires the lock. Returns the failure to tell, which was recorded before if it was given up.
  private @Nullable Throwable settle(Run run, @Nullable Throwable failure, @Nullable String text) {
    running = null;
    if (failure == null) {
      completed++;
      lastError = null;
      lastEndNanos = System.nanoTime();
      return null;
    }
    if (run.givenUp != null) {
      return run.givenUp;
    }
    failedBecause(text);
    return failure;
  }

  // Requires the lock.
  private void failedBecause(@Nullable String failure) {
    failed++;
    lastError = failure;
    lastEndNanos = System.nanoTime();
  }

  private void tell(Throwable failure) {
    log.warning(
        " could not rebuild its filter, and tries again in " + rules.shortestPause(), failure);
  }

  private void failApart(CompletableFuture<Void> result, Exception reason) {
    Runnable fail = () -> result.completeExceptionally(reason);
    try {
      threads.newThread(fail).start();
    } catch (OutOfMemoryError e) { // such as no native thread
      fail.run();
    }
  }

  /** A rebuild on its thread. */
  private final class Run implements Runnable {

    private final CompletableFuture<Void> result;
    private final Rebuild<K> rebuild =
        new Rebuild<>(generations, barrier, source, filters, rules.patience());
    private final Thread thread = threads.newThread(this);

    // Guarded by the lock of the scheduler.
    private long lastKeysRead;
    private long lastProgressNanos = System.nanoTime();
    private @Nullable Exception givenUp;

    Run(CompletableFuture<Void> result) {
      this.result = result;
    }

    void start() {
      try {
        thread.start();
      } catch (OutOfMemoryError e) { // such as no native thread
        ended(this, e);
      }
    }

    @Override
    public void run() {
      try {
        rebuild.run();
      } catch (Throwable e) {
        // Futures wrap it in exceptions that take its text.
        ended(this, GuardLog.describable(e));
        return;
      }
      ended(this, null);
    }

    boolean isStalled() {
      long now = System.nanoTime();
      long keysRead = rebuild.keysRead();
      if (keysRead != lastKeysRead || keysRead < 0) {
        lastKeysRead = keysRead;
        lastProgressNanos = now;
      }
      return givenUp == null && now - lastProgressNanos > AnswerLimits.nanos(rules.patience());
    }

    void stop(Exception reason) {
      rebuild.giveUp();
      thread.interrupt();
      failApart(result, reason);
    }

    void join() {
      if (thread != Thread.currentThread()) {
        try {
          thread.join(1_000);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
