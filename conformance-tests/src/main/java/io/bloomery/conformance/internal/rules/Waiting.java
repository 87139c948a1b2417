package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.kit.Hashes;
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
 * A thread that does nothing but ask for one hash until another has put it. It reads nothing that
 * would order its queries, so that a compiler may take the read of a plain field out of its loop,
 * and the thread would wait for ever.
 */
final class Waiting {

  private static final long WARM_UP_NANOS = 50_000_000;
  private static final int WARM_UP_CALLS = 2_000;
  private static final long WARM_UP_CALL_NANOS = 50_000;

  /** Time of a processor until the loop runs, and has been compiled once more if need be. */
  private static final long HEAD_START_NANOS = 10_000_000;

  /** How many times as long that may take on a busy machine. */
  private static final int MAX_HEAD_STARTS = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** How long queries go on after the put at least, unless they find it. */
  private static final long UNSEEN_NANOS = 50_000_000;

  /** More than clocks of two processors differ by, and than a processor reads ahead. */
  private static final long MARGIN_NANOS = 1_000_000;

  private Waiting() {}

  /** What asks again and again. */
  interface Loop {
    /** What is returned once the hash is there. */
    long FOUND = Long.MIN_VALUE;

    /**
     * Asks for a hash until it is there, or until some time.
     *
     * @param end until when, in the time of {@link System#nanoTime}
     * @return {@link #FOUND}, or a time after which one more query was made
     */
    long ask(Filter filter, long hash, long end);
  }

  /** Loaded anew for each filter, so that the compiler knows of no other filters. */
  static final class Asking implements Loop {
    @Override
    public long ask(Filter filter, long hash, long end) {
      // The compiler knows that reading the clock orders no other reads.
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

  /** Fails if a thread that waits for a put into an empty filter never sees it. */
  static void check(Filter empty, Hashes hashes, int round) {
    Loop loop = newLoop();
    warmUp(loop, empty, hashes.next());
    long headStart = HEAD_START_NANOS * (round + 1);
    assertTrue(
        isSeen(loop, empty.copy(), hashes.next(), headStart),
        () -> "a thread that waits for a put never sees it in " + empty);
  }

  /** Has the loop compiled as a whole, by the compiler that moves reads: it takes many calls. */
  private static void warmUp(Loop loop, Filter empty, long hash) {
    long end = System.nanoTime() + WARM_UP_NANOS;
    for (int call = 0; call < WARM_UP_CALLS && System.nanoTime() - end < 0; call++) {
      loop.ask(empty, hash, System.nanoTime() + WARM_UP_CALL_NANOS);
    }
    LockSupport.parkNanos(HEAD_START_NANOS); // in which a compiler has the processor
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
        return false; // by a query that began after the put had returned
      }
      if (!thread.isAlive() && !putter.isDone) {
        throw new AssertionError("a put beside queries did not return");
      }
    }
  }

  /** Puts a hash after a while. */
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
