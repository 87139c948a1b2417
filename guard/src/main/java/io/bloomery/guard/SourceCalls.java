package io.bloomery.guard;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
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

  // A blocked call that ignores interrupts keeps its thread; this bounds their number.
  private static final int MAX_THREADS = 256;

  private final Optional<Pool> pool;

  SourceCalls(String guard, Optional<Duration> timeout) {
    this.pool = timeout.map(limit -> new Pool(guard, limit));
  }

  /**
   * Calls the source. An Error that it throws is passed on.
   *
   * @param load the load whose keys it is asked for
   * @throws SourceException if it throws an exception, or takes too long
   * @throws IllegalStateException if the guard is closed meanwhile
   */
  <T> T call(@Nullable Loading load, Callable<T> source) {
    if (pool.isPresent()) {
      return pool.get().call(() -> Outcome.of(load, source));
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
    private final ThreadPoolExecutor threads;

    Pool(String guard, Duration timeout) {
      this.guard = guard;
      this.timeout = timeout;
      this.threads =
          new ThreadPoolExecutor(
              0,
              MAX_THREADS,
              1,
              TimeUnit.SECONDS,
              new SynchronousQueue<>(),
              new GuardThreads(guard, "load"));
    }

    <T> T call(Callable<Outcome<T>> source) {
      Future<Outcome<T>> result = submit(source);
      try {
        return result.get(AnswerLimits.nanos(timeout), TimeUnit.NANOSECONDS).value();
      } catch (TimeoutException e) {
        throw new SourceException(
            "a load must take at most " + timeout + ", but took longer, and was interrupted", e);
      } catch (Exception e) {
        throw threads.isShutdown() ? Lookup.closed(guard) : failed(e);
      } finally {
        result.cancel(true); // no effect if it has ended
      }
    }

    private <T> Future<T> submit(Callable<T> source) {
      try {
        return threads.submit(source);
      } catch (RejectedExecutionException e) {
        if (threads.isShutdown()) {
          throw Lookup.closed(guard);
        }
        throw new SourceException(
            "at most "
                + MAX_THREADS
                + " loads run at a time, and so many do; they hang, or the"
                + " source needs a shorter time-out of its own",
            e);
      }
    }

    void close() {
      threads.shutdownNow();
    }
  }
}
