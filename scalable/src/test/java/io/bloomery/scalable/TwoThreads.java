package io.bloomery.scalable;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Two threads that run round after round, each begun by both at the same moment.
 *
 * <p>They live through all rounds and meet at a spin barrier, since starting a thread, or waking
 * one, takes longer than what is to be raced for.
 */
final class TwoThreads {

  private static final long DEADLINE_NANOS = 60_000_000_000L;
  private static final int SPINS_BEFORE_YIELD = 1_000;

  private final long start = System.nanoTime();
  private final AtomicIntegerArray meetings = new AtomicIntegerArray(2);
  private volatile Throwable failure;
  private volatile boolean over;

  /** What happens in a round. */
  interface Round {

    /** Runs in the first thread alone, before. */
    void prepare(int round);

    /** Runs in both threads, 0 and 1, at the same time. */
    void act(int thread);

    /** Runs in the first thread alone, after. */
    void verify();
  }

  /**
   * Runs rounds until all are done or one fails.
   *
   * @throws AssertionError if a round throws, or the threads do not finish within a minute
   */
  static void run(int rounds, Round round) {
    TwoThreads race = new TwoThreads();
    Thread other = new Thread(() -> race.runSecond(rounds, round), "race");
    other.setDaemon(true);
    other.start();
    try {
      for (int i = 0; i < rounds; i++) {
        round.prepare(i);
        race.meet(0);
        round.act(0);
        race.meet(0);
        round.verify();
      }
    } finally {
      race.over = true;
    }
  }

  private void runSecond(int rounds, Round round) {
    try {
      for (int i = 0; i < rounds && !over; i++) {
        meet(1);
        round.act(1);
        meet(1);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // where one core is free, the other thread needs it
  private void meet(int thread) {
    int meeting = meetings.incrementAndGet(thread);
    for (int spins = 0; meetings.get(1 - thread) < meeting; spins++) {
      if (failure != null) {
        throw new AssertionError("the other thread failed: " + failure, failure);
      }
      if (over) {
        return;
      }
      if (System.nanoTime() - start > DEADLINE_NANOS) {
        throw new AssertionError("two threads must finish their rounds within a minute");
      }
      if (spins < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }
}
