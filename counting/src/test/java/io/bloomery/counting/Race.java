package io.bloomery.counting;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Lets two threads do something at the very same moment, many times over.
 *
 * <p>Both threads live for all rounds and meet at a barrier on which they spin: threads that are
 * started or woken for each round hardly ever overlap.
 */
final class Race {

  private static final long DEADLINE_NANOS = 60_000_000_000L;

  /** One round: both sides at once, then what must hold. */
  interface Round {
    void one();

    void other();

    void check();
  }

  private final AtomicLong arrived = new AtomicLong();
  private final long deadline = System.nanoTime() + DEADLINE_NANOS;
  private volatile Round round;
  private volatile Throwable failure;

  private Race() {}

  static void run(int rounds, Supplier<Round> source) {
    new Race().runAll(rounds, source);
  }

  private void runAll(int rounds, Supplier<Round> source) {
    Thread second = new Thread(() -> runOthers(rounds));
    second.setDaemon(true); // a round that hangs must not keep the JVM
    second.start();
    for (int i = 0; i < rounds; i++) {
      round = source.get();
      meet();
      round.one();
      meet();
      round.check();
    }
  }

  private void runOthers(int rounds) {
    try {
      for (int i = 0; i < rounds; i++) {
        meet();
        round.other();
        meet();
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  // The thread that is awaited may need this core.
  @SuppressWarnings("ThreadPriorityCheck")
  private void meet() {
    long both = (arrived.getAndIncrement() / 2 + 1) * 2;
    for (int spins = 1; arrived.get() < both; spins++) {
      if (failure != null) {
        throw new AssertionError("the other thread failed", failure);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("the other thread must arrive within a minute, but did not");
      }
      if (spins % 1_000 == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
