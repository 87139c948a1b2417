package io.bloomery.conformance.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.run.Evidence;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Checks that races are run by two threads, and end when one of them fails. */
class RaceTest {

  private static class Counting implements Race.Round {
    final AtomicInteger[] acts = {new AtomicInteger(), new AtomicInteger()};
    int prepared;

    @Override
    public void prepare(int round) {
      assertEquals(prepared++, round);
    }

    @Override
    public void act(int thread) {
      acts[thread].incrementAndGet();
    }

    @Override
    public void verify() {
      assertEquals(prepared, acts[0].get(), "rounds of the first thread");
      assertEquals(prepared, acts[1].get(), "rounds of the second thread");
    }
  }

  @Test
  void bothThreadsActOnceInEveryRound() {
    Counting counting = new Counting();
    Race.run(new Evidence(), 50, counting);
    // A round in which the threads did not meet is run again.
    assertTrue(counting.prepared >= 50, () -> counting.prepared + " rounds");
  }

  @Test
  void aRaceThatIsNotRunInTimeProvesNothing() {
    InconclusiveError error =
        assertThrows(
            InconclusiveError.class,
            () -> Race.run(Integer.MAX_VALUE, new Counting(), new Race.Progress(), 10_000_000));
    assertTrue(error.getMessage().contains("where two cores are free"), error::getMessage);
  }

  @Test
  void onlyRoundsInWhichBothActAtTheSameTimeCount() {
    Evidence evidence = new Evidence();
    // Each round takes so long that the threads are sure to meet, whoever begins.
    Counting counting =
        new Counting() {
          @Override
          public void act(int thread) {
            super.act(thread);
            LockSupport.parkNanos(2_000_000);
          }
        };
    Race.run(evidence, 20, counting);
    assertEquals(20, evidence.rounds());
    assertTrue(counting.prepared < 40, () -> counting.prepared + " rounds for 20 that count");
  }

  @Test
  void aFailureOfEitherThreadEndsTheRace() {
    for (int failing = 0; failing < 2; failing++) {
      int thrower = failing;
      Counting counting =
          new Counting() {
            @Override
            public void act(int thread) {
              if (thread == thrower && prepared == 3) {
                throw new AssertionError("on purpose");
              }
              super.act(thread);
            }
          };
      AssertionError error =
          assertThrows(AssertionError.class, () -> Race.run(new Evidence(), 50, counting));
      assertEquals(
          thrower == 0 ? "on purpose" : "the other thread failed: " + error.getCause(),
          error.getMessage());
      assertEquals(3, counting.prepared);
    }
  }
}
