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

  private static final long DEADLINE_MILLIS = 30_000; // for each of two
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
    try {
      one.join(DEADLINE_MILLIS);
      other.join(DEADLINE_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (failure != null) {
      throw new AssertionError("a round failed", failure);
    }
    if (one.isAlive() || other.isAlive()) {
      throw new AssertionError("rounds must end within a minute, but one thread is at\n" + at(one));
    }
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
