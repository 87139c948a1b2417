package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A race of two threads, repeated in rounds that both begin at the same moment.
 *
 * <p>The threads live through all rounds and meet at a spin barrier, because starting or waking a
 * thread takes longer than the raced code. A round in which one thread had finished before the
 * other began tests nothing and is repeated.
 */
public final class Race {
  // decisions.md#rounds-of-a-race-count-only-if-both-threads-acted-at-the-same-time

  /** The name of the thread that calls {@link Round#act} with 1. */
  public static final String SECOND_THREAD = "conformance race";

  /** The time after which two threads are considered to be deadlocked or waiting forever. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The time after which two cores are considered to be unavailable. */
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  /** The same where the JVM has one processor: what waits for others overlaps there, too. */
  private static final long PATIENCE_NANOS_OF_ONE = 10_000_000_000L;

  /** The number of consecutive rounds without overlap after which the second thread is replaced. */
  private static final int PATIENCE_ROUNDS = 5;

  private static final int SPINS_BEFORE_YIELD = 1_000;

  /** Longer than a thread takes to wake up. */
  private static final int SPINS_TILL_AWAKE = 20_000;

  private static final long NAP_NANOS = 20_000;

  /** The maximum time until one thread sees a write of the other. */
  private static final long LEAD_NANOS = 400;

  private static final int OFFSETS = 9;
  private static final long OFFSET_NANOS = 25;

  private final AtomicIntegerArray meetings = new AtomicIntegerArray(2);
  private final Span[] spans = {new Span(), new Span()};
  private volatile Start start = new Start(-1, 0);
  private volatile Throwable failure;
  private volatile boolean over;
  private final Round round;
  private final long end;
  private final Progress progress;

  private Race(Progress progress, Round round, long end) {
    this.progress = progress;
    this.round = round;
    this.end = end;
  }

  /** The actions of a round. Its fields hold the state shared by the two threads. */
  public interface Round {

    /** Prepares one round, in the first thread only. */
    void prepare(int round);

    /** Runs in both threads, 0 and 1, at the same time. */
    void act(int thread);

    /** Checks the result, in the first thread only. */
    void verify();

    /** Returns whether each thread ends without the other: then one can do what both do. */
    default boolean endsAlone() {
      return true;
    }
  }

  /** The state of a race: the number of rounds begun, and the second thread. */
  static final class Progress {
    private final AtomicInteger begun = new AtomicInteger();
    private volatile List<Thread> second = List.of();
  }

  /** The agreed start time of a turn. */
  private record Start(int turn, long moment) {}

  /**
   * The time span in which a thread acted; a class of its own, so that the threads do not write to
   * the same cache line.
   */
  private static final class Span {
    private long from;
    private long to;
  }

  /**
   * Returns a number of rounds that misses a fault that shows in 3 % of rounds with a probability
   * of 5e-6, and in the smallest tier one of 2e-9 that shows in a third of them: slow calls overlap
   * in every round.
   */
  public static int rounds(Tier tier) {
    return tier.choose(50, 400, 10_000, 10_000);
  }

  /**
   * Runs rounds until in as many as requested both threads have acted at the same time, or one
   * fails. Before them one thread does what both do: a fault that shows then is not one of threads.
   *
   * @param evidence receives the number of rounds
   * @throws AssertionError if a round throws, or the threads do not finish it within half a minute
   * @throws InconclusiveError if the machine does not run two threads at once
   */
  public static void run(Evidence evidence, int rounds, Round round) {
    Progress progress = new Progress();
    Watchdog.run(
        LIMIT,
        () -> {
          // Signals progress to the watchdog of the rule.
          evidence.progress();
          return progress.begun.get();
        },
        () -> progress.second,
        "racing threads",
        () -> {
          if (round.endsAlone()) {
            checkByOneThread(round, progress);
          }
          run(rounds, round, progress, patienceNanos(Runtime.getRuntime().availableProcessors()));
        });
    evidence.raced(rounds);
  }

  static long patienceNanos(int processors) {
    return processors > 1 ? PATIENCE_NANOS : PATIENCE_NANOS_OF_ONE;
  }

  private static void checkByOneThread(Round round, Progress progress) {
    try {
      round.prepare(progress.begun.getAndIncrement());
      round.act(0);
      round.act(1);
      round.verify();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "even if one thread does what both do, one after the other: " + Subject.text(e), e);
    }
  }

  private static void run(int rounds, Round round) {
    run(new Evidence(), rounds, round);
  }

  public static void run(int rounds, Round round, Progress progress, long patienceNanos) {
    long end = System.nanoTime() + patienceNanos;
    int raced = 0;
    while (raced < rounds) {
      Race race = new Race(progress, round, end);
      raced += race.runWhileOverlapping(rounds - raced);
      if (raced < rounds && System.nanoTime() - end >= 0) {
        throw new InconclusiveError(
            "in "
                + raced
                + " rounds of "
                + rounds
                + " two threads ran at the same time; run again where two cores are free");
      }
    }
  }

  /** Runs all rounds, however many fail, and returns the fraction that does. */
  public static double shareOfFailingRounds(int rounds, Round round) {
    int[] failing = new int[1];
    int[] all = new int[1];
    run(
        rounds,
        new Round() {
          @Override
          public void prepare(int number) {
            round.prepare(number);
          }

          @Override
          public void act(int thread) {
            round.act(thread);
          }

          @Override
          public void verify() {
            all[0]++;
            try {
              round.verify();
            } catch (AssertionError e) {
              failing[0]++;
            }
          }

          @Override
          public boolean endsAlone() {
            return false; // its rounds are counted
          }
        });
    return (double) failing[0] / all[0];
  }

  /**
   * Runs rounds with a second thread, and returns the number in which both acted at the same time.
   * Stops early if the two seem to share a core: that would persist, and a new thread is scheduled
   * on a less busy core.
   */
  private int runWhileOverlapping(int rounds) {
    Thread other = new Thread(this::runSecond, SECOND_THREAD);
    other.setDaemon(true);
    other.start();
    progress.second = List.of(other);
    int raced = 0;
    try {
      for (int vain = 0; raced < rounds && vain < PATIENCE_ROUNDS && isInTime(); ) {
        round.prepare(progress.begun.getAndIncrement());
        meet(0);
        meetAwake(0);
        setStart();
        act(0);
        meet(0);
        round.verify();
        boolean overlapped = hasOverlapped();
        raced += overlapped ? 1 : 0;
        vain = overlapped ? 0 : vain + 1;
      }
    } finally {
      over = true;
    }
    return raced;
  }

  private void runSecond() {
    try {
      for (int turn = 0; !over; turn++) {
        meet(1);
        meetAwake(1);
        if (awaitStart(turn)) {
          act(1);
        }
        meet(1);
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void act(int thread) {
    Span span = spans[thread];
    span.from = System.nanoTime();
    round.act(thread);
    span.to = System.nanoTime();
  }

  private boolean isInTime() {
    return System.nanoTime() - end < 0;
  }

  private boolean hasOverlapped() {
    return Math.max(spans[0].from, spans[1].from) < Math.min(spans[0].to, spans[1].to);
  }

  /**
   * Agrees on a start time now that both threads run: the last one to arrive at a barrier would
   * finish before the other has noticed.
   */
  private void setStart() {
    long moment = System.nanoTime() + LEAD_NANOS;
    start = new Start(start.turn + 1, moment);
    awaitMoment(moment);
  }

  private boolean awaitStart(int turn) {
    Start agreed = start;
    for (int spins = 0; agreed.turn < turn; spins++) {
      if (over) {
        return false;
      }
      pause(spins);
      agreed = start;
    }
    // Starts slightly before or after the first thread, because faults have short windows.
    awaitMoment(agreed.moment + (turn % OFFSETS - OFFSETS / 2) * OFFSET_NANOS);
    return true;
  }

  private static void awaitMoment(long moment) {
    while (System.nanoTime() - moment < 0) {
      Thread.onSpinWait();
    }
  }

  /** Waits for the other thread, briefly at first, and then in a way that yields this core. */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread needs the core if only one is free
  public static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /**
   * Waits for the other thread, which may take long. A thread that has slept gets a core at once
   * when it wakes, even on a busy machine; one that yields gets it milliseconds later.
   */
  private void meet(int thread) {
    int meeting = meetings.incrementAndGet(thread);
    for (int spins = 0; isMissing(1 - thread, meeting); spins++) {
      if (spins < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
  }

  /** Waits until the other thread, which may have slept, runs. */
  private void meetAwake(int thread) {
    int meeting = meetings.incrementAndGet(thread);
    for (int spins = 0; isMissing(1 - thread, meeting); spins++) {
      pause(spins - SPINS_TILL_AWAKE);
    }
  }

  private boolean isMissing(int thread, int meeting) {
    if (meetings.get(thread) >= meeting || over) {
      return false;
    }
    if (failure != null) {
      throw new AssertionError("the other thread failed: " + failure, failure);
    }
    return true;
  }
}
