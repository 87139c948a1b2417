package io.bloomery.conformance;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

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
    run(limit, progress, List::of, what, work);
  }

  /**
   * As above, for work that has other threads help it. That threads wait for each other is seen
   * within a second or two, and both are named.
   *
   * @param helpers the threads that help now
   */
  static void run(
      Duration limit,
      LongSupplier progress,
      Supplier<List<Thread>> helpers,
      String what,
      Runnable work) {
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
      await(thread, limit, progress, helpers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveError("interrupted while waiting for " + what);
    }
    if (thread.isAlive()) {
      StringBuilder message = new StringBuilder(what);
      message.append(" must end, but was not done after ").append(limit.toSeconds());
      message.append(" seconds, or waits for ever; at ").append(top(thread));
      for (Thread helper : helpers.get()) {
        message.append("\n  and ").append(helper.getName()).append(" at ").append(top(helper));
      }
      throw new StuckError(message.toString());
    }
    rethrow(failure.get());
  }

  private static List<StackTraceElement> top(Thread thread) {
    return Arrays.stream(thread.getStackTrace()).limit(8).toList();
  }

  private static void await(
      Thread thread, Duration limit, LongSupplier progress, Supplier<List<Thread>> helpers)
      throws InterruptedException {
    long seen = progress.getAsLong();
    long since = System.nanoTime();
    while (thread.isAlive() && System.nanoTime() - since < limit.toNanos()) {
      thread.join(STEP_MILLIS);
      long now = progress.getAsLong();
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      } else if (isDeadlocked(helpers.get())) {
        return;
      }
    }
  }

  /** Returns whether one of some threads waits for a lock that it will never be given. */
  private static boolean isDeadlocked(List<Thread> threads) {
    if (threads.isEmpty()) {
      return false;
    }
    long[] found = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
    return found != null
        && LongStream.of(found)
            .anyMatch(id -> threads.stream().anyMatch(thread -> thread.getId() == id));
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
