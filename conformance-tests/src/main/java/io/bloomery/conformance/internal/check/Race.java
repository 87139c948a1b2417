package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Two threads that run round after round, each begun by both at the same moment.
 *
 * <p>The threads live through all rounds and meet at a spin barrier, since starting a thread, or
 * waking one, takes longer than what is to be raced for. A round in which one was done before the
 * other began tests nothing and is run again.
 */
public final class Race {

  /** The name of the thread that calls {@link Round#act} with 1. */
  public static final String SECOND_THREAD = "conformance race";

  /** After which time two threads wait for each other, or for something that never comes. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** After which time two cores are not to be had. */
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  /** After how many vain rounds in a row the second thread is replaced. */
  private static final int PATIENCE_ROUNDS = 5;

  private static final int SPINS_BEFORE_YIELD = 1_000;

  /** How long it takes at most until one thread sees what the other has written. */
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

  /** What happens in a round. Its fields hold what the two threads share. */
  public interface Round {

    /** Prepares one round, in the first thread alone. */
    void prepare(int round);

    /** Runs in both threads, 0 and 1, at the same time. */
    void act(int thread);

    /** Judges what came of it, in the first thread alone. */
    void verify();
  }

  /** What a race is at: how many rounds were begun, and who runs them beside the first thread. */
  static final class Progress {
    private final AtomicInteger begun = new AtomicInteger();
    private volatile List<Thread> second = List.of();
  }

  /** When the two start together for the so-manieth time. */
  private record Start(int turn, long moment) {}

  /** How long a thread acted; a class of its own, so that both do not write to one cache line. */
  private static final class Span {
    private long from;
    private long to;
  }

  /**
   * Enough to miss a fault that shows in 3 % of rounds with a probability of 5e-10, and in the
   * smallest tier one that shows in a third of them: calls that are slow overlap in every round.
   */
  public static int rounds(Tier tier) {
    return tier.choose(50, 700, 10_000, 10_000);
  }

  /**
   * Runs rounds until as many as asked have had both threads act at the same time, or one fails.
   *
   * @param evidence where to note how many
   * @throws AssertionError if a round throws, or the threads do not finish one within half a minute
   * @throws InconclusiveError if the machine does not run two threads at once
   */
  public static void run(Evidence evidence, int rounds, Round round) {
    Progress progress = new Progress();
    Watchdog.run(
        LIMIT,
        () -> {
          // Whoever waits for the rule is to know that it goes on.
          evidence.progress();
          return progress.begun.get();
        },
        () -> progress.second,
        "racing threads",
        () -> run(rounds, round, progress, PATIENCE_NANOS));
    evidence.raced(rounds);
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

  /** Runs all rounds, however many fail, and returns which share of them does. */
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
        });
    return (double) failing[0] / all[0];
  }

  /**
   * Runs rounds with a second thread of its own, and returns in how many both acted at the same
   * time. Stops early where the two seem to share a core: they would for long, and a new thread is
   * given the core that has less to do.
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
   * Agrees on a moment to start at, now that both threads run: whoever comes last to a meeting
   * would be done before the other has seen that they met.
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
    // Now a little earlier than the first thread, now a little later: faults have short windows.
    awaitMoment(agreed.moment + (turn % OFFSETS - OFFSETS / 2) * OFFSET_NANOS);
    return true;
  }

  private static void awaitMoment(long moment) {
    while (System.nanoTime() - moment < 0) {
      Thread.onSpinWait();
    }
  }

  /**
   * Waits for the other thread, for a moment at first, and then such that it may have this core.
   */
  @SuppressWarnings("ThreadPriorityCheck") // where one core is free, the other thread needs it
  public static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private void meet(int thread) {
    int meeting = meetings.incrementAndGet(thread);
    for (int spins = 0; meetings.get(1 - thread) < meeting; spins++) {
      if (failure != null) {
        throw new AssertionError("the other thread failed: " + failure, failure);
      }
      if (over) {
        return;
      }
      pause(spins);
    }
  }
}
