package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Ends checks that would never end, such as reading an input that sends the reader into an endless
 * loop.
 */
public final class Watchdog {
  // decisions.md#every-rule-runs-on-a-thread-of-its-own

  private static final long STEP_MILLIS = 1_000;

  /**
   * The maximum number of limits that a check may take on a machine that is busy with other work.
   */
  private static final int MAX_LIMITS = 4;

  /**
   * The fraction of a limit for which a runnable thread must have run; otherwise the machine is at
   * fault.
   */
  private static final double MIN_SHARE = 0.4;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Watchdog() {}

  /** Returns the time after which work without progress is ended, however busy the machine is. */
  public static Duration longest(Duration limit) {
    return limit.multipliedBy(MAX_LIMITS);
  }

  /**
   * Runs work in a thread of its own.
   *
   * @throws StuckError if it does not end in time, with its current state; the thread is abandoned,
   *     because Java cannot stop it
   * @throws InconclusiveError if it does not end in four times the limit, and could have run but
   *     was given less than a tenth of that time by the machine
   */
  public static void run(Duration limit, String what, Runnable work) {
    run(limit, () -> 0, what, work);
  }

  /** Thrown if work did not end: its thread is still running. */
  public static final class StuckError extends AssertionError {
    private static final long serialVersionUID = 1;

    StuckError(String message) {
      super(message);
    }
  }

  /** As above, but the limit starts again with each progress, shown by a number that changes. */
  public static void run(Duration limit, LongSupplier progress, String what, Runnable work) {
    run(limit, progress, List::of, what, work);
  }

  /**
   * As above, for work that has other threads help it. That threads wait for each other is seen
   * within a second or two, and both are named.
   *
   * @param helpers the threads that help now
   */
  public static void run(
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
    boolean isStarved;
    try {
      isStarved = await(thread, limit, progress, helpers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InconclusiveError("interrupted while waiting for " + what);
    }
    if (thread.isAlive()) {
      StringBuilder message = new StringBuilder(what);
      message.append(" must end, but was not done after ");
      message.append((isStarved ? longest(limit) : limit).toSeconds()).append(" seconds");
      if (isStarved) {
        message.append(
            ", in which the machine was busy with other things; run again when it is not");
        throw new InconclusiveError(message.toString());
      }
      message.append(", or waits for ever; at ").append(top(thread));
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

  /** Waits, and returns whether it took long because the machine was busy with other work. */
  private static boolean await(
      Thread thread, Duration limit, LongSupplier progress, Supplier<List<Thread>> helpers)
      throws InterruptedException {
    long seen = progress.getAsLong();
    long since = System.nanoTime();
    Map<Thread, Long> before = cpuNanos(thread, helpers);
    while (thread.isAlive()) {
      thread.join(STEP_MILLIS);
      long now = progress.getAsLong();
      long waited = System.nanoTime() - since;
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
        before = cpuNanos(thread, helpers);
      } else if (isDeadlocked(helpers.get())) {
        return false;
      } else if (waited >= limit.toNanos()) {
        boolean isStarved = isStarved(before, limit);
        if (!isStarved || waited >= longest(limit).toNanos()) {
          return isStarved;
        }
      }
    }
    return false;
  }

  private static Map<Thread, Long> cpuNanos(Thread thread, Supplier<List<Thread>> helpers) {
    Map<Thread, Long> nanos = new HashMap<>();
    nanos.put(thread, THREADS.getThreadCpuTime(thread.getId()));
    helpers.get().forEach(helper -> nanos.put(helper, THREADS.getThreadCpuTime(helper.getId())));
    return nanos;
  }

  private static boolean isStarved(Map<Thread, Long> before, Duration limit) {
    return before.entrySet().stream()
        .filter(each -> each.getKey().getState() == Thread.State.RUNNABLE)
        .map(each -> THREADS.getThreadCpuTime(each.getKey().getId()) - each.getValue())
        .anyMatch(used -> used < MIN_SHARE * limit.toNanos());
  }

  /** Returns whether any of some threads waits for a lock that it will never get. */
  private static boolean isDeadlocked(List<Thread> threads) {
    if (threads.isEmpty()) {
      return false;
    }
    long[] found = THREADS.findDeadlockedThreads();
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
