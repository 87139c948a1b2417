package io.bloomery.conformance.internal.check;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that only queries one hash in a loop until another thread has put it. It reads nothing
 * that would order its queries, so that a compiler may move the read of a plain field out of the
 * loop, and the thread would wait forever.
 */
public final class Waiting {
  // decisions.md#rule-r73-is-checked-before-all-others

  private static final long WARM_UP_NANOS = 50_000_000;
  private static final int WARM_UP_CALLS = 2_000;
  private static final long WARM_UP_CALL_NANOS = 50_000;

  /** The processor time until the loop runs, and has been recompiled if necessary. */
  private static final long HEAD_START_NANOS = 10_000_000;

  /** The factor by which that may take longer on a busy machine. */
  private static final int MAX_HEAD_STARTS = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The minimum time for which queries continue after the put, unless they find it. */
  private static final long UNSEEN_NANOS = 50_000_000;

  /** A time longer than clocks of two processors differ, and than a processor reads ahead. */
  private static final long MARGIN_NANOS = 1_000_000;

  private Waiting() {}

  /** A loop of queries. */
  interface Loop {
    /** The result if the hash was found. */
    long FOUND = Long.MIN_VALUE;

    /**
     * Queries a hash until it is found, or until some time.
     *
     * @param end the time limit, as {@link System#nanoTime}
     * @return {@link #FOUND}, or a time after which one more query was made
     */
    long ask(Filter filter, long hash, long end);
  }

  /**
   * The loop; its class is loaded anew for each filter, so that the compiler has no profile of
   * other filters.
   */
  static final class Asking implements Loop {
    @Override
    public long ask(Filter filter, long hash, long end) {
      // The compiler may assume that reading the clock does not order other reads.
      long last = System.nanoTime();
      while (!filter.mightContain(hash)) {
        long now = System.nanoTime();
        if (now - end > 0) {
          return last;
        }
        last = now;
      }
      return FOUND;
    }
  }

  /** Fails if a thread that waits for a put into an empty filter never finds it. */
  public static void check(Filter empty, Hashes hashes, int round) {
    Loop loop = newLoop();
    warmUp(loop, empty, hashes.next());
    long headStart = HEAD_START_NANOS * (round + 1);
    assertTrue(
        isSeen(loop, empty.copy(), hashes.next(), headStart),
        () -> "a thread that waits for a put never sees it in " + Subject.text(empty));
  }

  /**
   * Causes the loop to be compiled as a whole, by the compiler that moves reads, which takes many
   * calls.
   */
  private static void warmUp(Loop loop, Filter empty, long hash) {
    long end = System.nanoTime() + WARM_UP_NANOS;
    for (int call = 0; call < WARM_UP_CALLS && System.nanoTime() - end < 0; call++) {
      loop.ask(empty, hash, System.nanoTime() + WARM_UP_CALL_NANOS);
    }
    LockSupport.parkNanos(HEAD_START_NANOS); // leaves the processor to the compiler
  }

  private static boolean isSeen(Loop loop, Filter filter, long hash, long headStart) {
    Putter putter = new Putter(filter, hash, headStart);
    Thread thread = new Thread(putter, Race.SECOND_THREAD);
    thread.setDaemon(true);
    thread.start();
    while (true) {
      long last = loop.ask(filter, hash, System.nanoTime() + 2 * headStart + UNSEEN_NANOS);
      if (last == Loop.FOUND) {
        return true;
      }
      if (putter.isDone && last - putter.done > MARGIN_NANOS) {
        return false; // not found by a query that began after the put returned
      }
      if (!thread.isAlive() && !putter.isDone) {
        throw new AssertionError("a put beside queries did not return");
      }
    }
  }

  /** Puts a hash after some time. */
  private static final class Putter implements Runnable {
    private final Filter filter;
    private final long hash;
    private final long headStart;
    private final long waiting = Thread.currentThread().getId();
    private long done;
    private volatile boolean isDone;

    Putter(Filter filter, long hash, long headStart) {
      this.filter = filter;
      this.hash = hash;
      this.headStart = headStart;
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      long before = THREADS.getThreadCpuTime(waiting);
      do {
        LockSupport.parkNanos(headStart);
      } while (THREADS.getThreadCpuTime(waiting) - before < headStart
          && System.nanoTime() - start < MAX_HEAD_STARTS * headStart);
      filter.put(hash);
      done = System.nanoTime();
      isDone = true;
    }
  }

  private static Loop newLoop() {
    String file = Asking.class.getName().replaceFirst(".*\\.", "") + ".class";
    try (InputStream in = Objects.requireNonNull(Waiting.class.getResourceAsStream(file), file)) {
      return (Loop)
          MethodHandles.lookup()
              .defineHiddenClass(in.readAllBytes(), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
