package io.bloomery.guard;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
   * Calls the source.
   *
   * @throws SourceException if it throws, or takes too long
   */
  <T> T call(Callable<T> source) {
    try {
      return pool.isPresent() ? pool.get().call(source) : source.call();
    } catch (SourceException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceException("interrupted while the source was asked", e);
    } catch (Exception e) {
      throw SourceException.failed(e);
    }
  }

  void close() {
    pool.ifPresent(Pool::close);
  }

  private static final class Pool {

    private final Duration timeout;
    private final ThreadPoolExecutor threads;

    Pool(String guard, Duration timeout) {
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

    <T> T call(Callable<T> source) throws Exception {
      Future<T> result;
      try {
        result = threads.submit(source);
      } catch (RejectedExecutionException e) {
        throw new SourceException(
            "at most "
                + MAX_THREADS
                + " loads run at a time, and so many do; they hang, or the"
                + " source needs a shorter time-out of its own",
            e);
      }
      try {
        return result.get(AnswerLimits.nanos(timeout), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw new SourceException(
            "a load must take at most " + timeout + ", but took longer, and was interrupted", e);
      } catch (ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        throw cause instanceof SourceException broken ? broken : SourceException.failed(cause);
      } finally {
        result.cancel(true); // no effect if it has ended
      }
    }

    void close() {
      threads.shutdownNow();
    }
  }
}
