package io.bloomery.scalable;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Two threads that run round after round, each begun by both at the same moment.
 *
 * <p>They live through all rounds and meet at a spin barrier, since starting a thread, or waking
 * one, takes longer than what is to be raced for. One that waits longer sleeps, since it would not
 * get its core back for milliseconds where the machine is busy, and then both meet again awake.
 */
final class TwoThreads {

  private static final long DEADLINE_NANOS = 60_000_000_000L;
  private static final int SPINS = 1_000;
  private static final int SPINS_TILL_AWAKE = 20_000;
  private static final long NAP_NANOS = 20_000;

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
   * @throws AssertionError if a round throws, or a thread does not end its part of one within a
   *     minute
   */
  static void run(int rounds, Round round) {
    TwoThreads race = new TwoThreads();
    Thread other = new Thread(() -> race.runSecond(rounds, round), "race");
    other.setDaemon(true);
    other.start();
    try {
      for (int i = 0; i < rounds; i++) {
        round.prepare(i);
        race.meet(0, SPINS);
        race.meet(0, SPINS_TILL_AWAKE);
        round.act(0);
        race.meet(0, SPINS);
        round.verify();
      }
    } finally {
      race.over = true;
    }
  }

  private void runSecond(int rounds, Round round) {
    try {
      for (int i = 0; i < rounds && !over; i++) {
        meet(1, SPINS);
        meet(1, SPINS_TILL_AWAKE);
        round.act(1);
        meet(1, SPINS);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void meet(int thread, int spinsBeforeSleep) {
    int meeting = meetings.incrementAndGet(thread);
    long start = System.nanoTime();
    for (int spins = 0; meetings.get(1 - thread) < meeting; spins++) {
      if (failure != null) {
        throw new AssertionError("the other thread failed: " + failure, failure);
      }
      if (over) {
        return;
      }
      if (System.nanoTime() - start > DEADLINE_NANOS) {
        throw new AssertionError("a thread must end its part of a round within a minute");
      }
      if (spins < spinsBeforeSleep) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
  }
}
