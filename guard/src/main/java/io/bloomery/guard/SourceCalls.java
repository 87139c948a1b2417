package io.bloomery.guard;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the source: on the calling thread or, if loads have a time limit, on threads of the
 * guard, which end when idle for a while.
 */
final class SourceCalls {
  // decisions.md#loads-run-on-the-thread-that-asks-unless-they-have-a-time-out

  private final Optional<Pool> pool;

  SourceCalls(String guard, AnswerLimits limits) {
    this.pool = limits.loadTimeout().map(timeout -> new Pool(guard, timeout, limits));
  }

  /**
   * Calls the source. An Error that it throws is passed on.
   *
   * @param load the load whose keys it is asked for
   * @throws SourceException if it throws an exception, or takes too long
   * @throws IllegalStateException if the guard is closed meanwhile
   */
  <T> T call(@Nullable Loading load, Callable<T> source) {
    // Not within another call, which holds a turn: if all did, none would get a second one.
    if (pool.isPresent() && !Loading.isWithin(this)) {
      return pool.get().call(() -> Outcome.of(new Loading(this, List.of(), load), source));
    }
    try {
      return Loading.within(load, source);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  private static SourceException failed(Exception e) {
    if (e instanceof SourceException told) {
      return told;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new SourceException("interrupted while the source was asked", e);
    }
    return SourceException.failed(e);
  }

  void close() {
    pool.ifPresent(Pool::close);
  }

  /**
   * How a call ended. A future that fails would ask its exception for a text, which may throw.
   *
   * @param result null if it failed
   * @param failure null if it did not
   */
  private record Outcome<T>(@Nullable T result, @Nullable Throwable failure) {

    static <T> Outcome<T> of(@Nullable Loading load, Callable<T> source) {
      try {
        return new Outcome<>(Loading.within(load, source), null);
      } catch (Throwable e) {
        return new Outcome<>(null, e);
      }
    }

    T value() throws Exception {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw failure instanceof SourceException told ? told : SourceException.failed(failure);
      }
      return Objects.requireNonNull(result, "checked by the call");
    }
  }

  private static final class Pool {

    private final String guard;
    private final Duration timeout;
    private final int maxLoads;
    private final Semaphore turns;
    private final ThreadPoolExecutor threads;

    Pool(String guard, Duration timeout, AnswerLimits limits) {
      this.guard = guard;
      this.timeout = timeout;
      this.maxLoads = limits.maxLoads();
      this.turns = new Semaphore(maxLoads);
      this.threads =
          new ThreadPoolExecutor(
              0,
              Integer.MAX_VALUE,
              limits.loadThreads().isPresent() ? 0 : 1,
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              limits.loadThreads().orElseGet(() -> new GuardThreads(guard, "load")));
    }

    <T> T call(Callable<Outcome<T>> source) {
      long deadline = System.nanoTime() + AnswerLimits.nanos(timeout);
      try {
        takeTurn();
        return within(deadline, source).value();
      } catch (Exception e) {
        throw threads.isShutdown() ? Lookup.closed(guard) : failed(e);
      }
    }

    private void takeTurn() throws InterruptedException {
      if (!turns.tryAcquire(AnswerLimits.nanos(timeout), TimeUnit.NANOSECONDS)) {
        throw new SourceException(
            "at most "
                + maxLoads
                + " loads run at a time, and none of these ended within "
                + timeout
                + "; the source is too slow, or needs a larger maxLoads");
      }
    }

    /** Calls the source and gives the turn back once that call has ended, which may be later. */
    private <T> Outcome<T> within(long deadline, Callable<Outcome<T>> source) throws Exception {
      FutureTask<Outcome<T>> call = new FutureTask<>(source);
      boolean started = false;
      try {
        threads.execute(
            () -> {
              try {
                call.run();
              } finally {
                turns.release();
              }
            });
        started = true;
        return call.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw new SourceException(
            "a load must take at most " + timeout + ", but took longer, and was interrupted", e);
      } finally {
        if (!started) {
          turns.release();
        }
        call.cancel(true); // no effect if it has ended
      }
    }

    synchronized void close() {
      if (!threads.isShutdown()) {
        threads.shutdownNow();
        // For those who wait for one, and find out.
        turns.release(Math.max(0, Integer.MAX_VALUE - maxLoads - 1));
      }
    }
  }
}
