package io.bloomery.conformance;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Ends what would never end, such as reading an input that sends the reader round in circles. */
final class Watchdog {

  private static final long STEP_MILLIS = 1_000;

  private Watchdog() {}

  /**
   * Does something on a thread of its own.
   *
   * @throws StuckError if it is not done in time, with what it was at; the thread is left to
   *     itself, since nothing in Java stops it
   */
  static void run(Duration limit, String what, Runnable work) {
    run(limit, () -> 0, what, work);
  }

  /** Says that something did not end: its thread goes on. */
  static final class StuckError extends AssertionError {
    private static final long serialVersionUID = 1;

    StuckError(String message) {
      super(message);
    }
  }

  /** As above, where the limit begins anew whenever there is progress: a number that changes. */
  static void run(Duration limit, LongSupplier progress, String what, Runnable work) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            "conformance " + what);
    thread.setDaemon(true);
    thread.start();
    try {
      await(thread, limit, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveError("interrupted while waiting for " + what);
    }
    if (thread.isAlive()) {
      StackTraceElement[] at = thread.getStackTrace();
      throw new StuckError(
          what
              + " must end, but was not done after "
              + limit.toSeconds()
              + " seconds; at "
              + Arrays.stream(at).limit(8).toList());
    }
    rethrow(failure.get());
  }

  private static void await(Thread thread, Duration limit, LongSupplier progress)
      throws InterruptedException {
    long seen = progress.getAsLong();
    long since = System.nanoTime();
    while (thread.isAlive() && System.nanoTime() - since < limit.toNanos()) {
      thread.join(STEP_MILLIS);
      long now = progress.getAsLong();
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      }
    }
  }

  private static void rethrow(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
