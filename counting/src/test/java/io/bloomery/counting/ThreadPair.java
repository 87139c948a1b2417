package io.bloomery.counting;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Lets two threads do something at the very same moment, many times over.
 *
 * <p>Both threads live for all rounds and meet at a barrier on which they spin: threads that are
 * started or woken for each round hardly ever overlap. One that waits longer sleeps, since it would
 * not get its core back for milliseconds where the machine is busy, and then both meet again awake.
 */
final class ThreadPair {

  /** How long no thread may come to the next barrier; a busy machine takes seconds at most. */
  private static final long PATIENCE_MILLIS = 60_000;

  private static final int SPINS = 1_000;
  private static final int SPINS_TILL_AWAKE = 20_000;
  private static final long NAP_NANOS = 20_000;

  /** One round: both sides at once, then what must hold. */
  interface Round {
    void one();

    void other();

    void check();
  }

  private final AtomicLong arrived = new AtomicLong();
  private final int rounds;
  private final Supplier<Round> source;
  private volatile Round round;
  private volatile Throwable failure;

  private ThreadPair(int rounds, Supplier<Round> source) {
    this.rounds = rounds;
    this.source = source;
  }

  static void run(int rounds, Supplier<Round> source) {
    new ThreadPair(rounds, source).run();
  }

  private void run() {
    Thread one = start(this::runOnes);
    Thread other = start(this::runOthers);
    long before;
    do {
      before = arrived.get();
      join(one);
      join(other);
    } while (failure == null && isEither(one, other) && arrived.get() != before);
    if (failure != null) {
      throw new AssertionError("a round failed", failure);
    }
    if (isEither(one, other)) {
      throw new AssertionError("rounds must go on, but for a minute one thread is at\n" + at(one));
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(PATIENCE_MILLIS / 2);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isEither(Thread one, Thread other) {
    return one.isAlive() || other.isAlive();
  }

  private Thread start(Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (RuntimeException | Error e) {
                if (failure == null) {
                  failure = e; // and not that of the thread that then waits in vain
                }
              }
            });
    thread.setDaemon(true); // a round that hangs must not keep the JVM
    thread.start();
    return thread;
  }

  private static String at(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .map(StackTraceElement::toString)
        .collect(Collectors.joining("\n"));
  }

  private void runOnes() {
    for (int i = 0; i < rounds; i++) {
      round = source.get();
      meet(SPINS);
      meet(SPINS_TILL_AWAKE);
      round.one();
      meet(SPINS);
      round.check();
    }
  }

  private void runOthers() {
    for (int i = 0; i < rounds; i++) {
      meet(SPINS);
      meet(SPINS_TILL_AWAKE);
      round.other();
      meet(SPINS);
    }
  }

  private void meet(int spinsBeforeSleep) {
    long both = (arrived.getAndIncrement() / 2 + 1) * 2;
    for (int spins = 1; arrived.get() < both; spins++) {
      if (failure != null) {
        throw new IllegalStateException("the other thread failed", failure);
      }
      if (spins < spinsBeforeSleep) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
  }
}
