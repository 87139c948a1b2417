package io.bloomery.conformance.internal.rules;

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

  /** Takes a tenth of a second where no query is left in the loop, two seconds where all are. */
  private static final int MAX_QUERIES = 1 << 26;

  private static final long WARM_UP_NANOS = 50_000_000;
  private static final int WARM_UP_CALLS = 2_000;
  private static final int WARM_UP_QUERIES = 1_000;

  /** Time of a processor until the loop runs, and has been compiled once more if need be. */
  private static final long HEAD_START_NANOS = 10_000_000;

  /** How many times as long that may take on a busy machine. */
  private static final int MAX_HEAD_STARTS = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A query that lasts so long was interrupted. */
  private static final long LONGEST_QUERY_NANOS = 10_000_000;

  /**
   * A query may be under way, and interrupted, when the put returns; hardly in two of a few times.
   */
  private static final int MAX_UNSEEN = 2;

  /** How often the put must be seen: where no query is left in the loop, it may end just then. */
  private static final int MIN_SEEN = 3;

  private Waiting() {}

  /** What asks again and again. */
  interface Loop {
    /**
     * Asks for a hash until it is there, or so many times.
     *
     * @return 0 if it was there, and any other number if not
     */
    int ask(Filter filter, long hash, int times);
  }

  /** Loaded anew for each filter, so that the compiler knows of no other filters. */
  static final class Asking implements Loop {
    @Override
    public int ask(Filter filter, long hash, int times) {
      // A number that is computed in each turn, or nothing would be left of the loop.
      int turn = 1;
      for (int i = 0; i < times; i++) {
        if (filter.mightContain(hash)) {
          return 0;
        }
        turn = turn * 31 + 2; // odd for ever
      }
      return turn;
    }
  }

  /** Fails if a thread that waits for a put into an empty filter never sees it. */
  static void check(Filter empty, Hashes hashes, int round) {
    Loop loop = newLoop();
    warmUp(loop, empty, hashes.next());
    int seen = 0;
    for (int unseen = 0; seen < MIN_SEEN; ) {
      if (isSeen(loop, empty.copy(), hashes.next(), HEAD_START_NANOS * (round + 1))) {
        seen++;
      } else if (++unseen == MAX_UNSEEN) {
        throw new AssertionError("a thread that waits for a put never sees it in " + empty);
      }
    }
  }

  /** Has the loop compiled as a whole, by the compiler that moves reads: it takes many calls. */
  private static void warmUp(Loop loop, Filter empty, long hash) {
    long end = System.nanoTime() + WARM_UP_NANOS;
    for (int call = 0; call < WARM_UP_CALLS && System.nanoTime() - end < 0; call++) {
      loop.ask(empty, hash, WARM_UP_QUERIES);
    }
    LockSupport.parkNanos(HEAD_START_NANOS); // in which a compiler has the processor
  }

  private static boolean isSeen(Loop loop, Filter filter, long hash, long headStart) {
    Putter putter = new Putter(filter, hash, headStart);
    Thread thread = new Thread(putter, Race.SECOND_THREAD);
    thread.setDaemon(true);
    thread.start();
    while (true) {
      boolean found = loop.ask(filter, hash, MAX_QUERIES) == 0;
      long end = System.nanoTime();
      if (found) {
        return true;
      }
      if (putter.isDone) {
        // All of these queries were false, of which the last began long after the put returned.
        return end - putter.done < LONGEST_QUERY_NANOS;
      }
      if (!thread.isAlive()) {
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
