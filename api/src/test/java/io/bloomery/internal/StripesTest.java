package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks locks. */
class StripesTest {

  private static final int THREADS = 4; // more than most stripes of the small table
  private static final int STEPS = 20_000;

  @ParameterizedTest(name = "{0} words, {1} stripes")
  @CsvSource({"1, 1", "255, 1", "256, 2", "1024, 8", "32768, 256", "2147483639, 256"})
  void thereIsOneForEachKibibyteButAtMost256(int words, int stripes) {
    assertEquals(stripes, new Stripes(words).size());
  }

  @Test
  void theLowestBitsOfTheSelectorChoose() {
    Stripes stripes = new Stripes(1024);
    for (long selector : new long[] {0, 7, 8, 15, 1L << 40, -1}) {
      int stripe = stripes.lock(selector);
      assertEquals(Math.floorMod(selector, 8), stripe);
      assertEquals(stripe, stripes.of(selector));
      stripes.unlock(stripe);
    }
  }

  @Test
  void noStepOfAnyThreadIsLostUnderItsLock() {
    Stripes stripes = new Stripes(256);
    long[] steps = new long[stripes.size()]; // plain: only the locks make this right
    run(
        thread -> {
          for (int i = 0; i < STEPS; i++) {
            int stripe = stripes.lock(i + thread);
            steps[stripe]++;
            stripes.unlock(stripe);
          }
        });
    for (long count : steps) {
      assertEquals((long) THREADS * STEPS / steps.length, count);
    }
  }

  /** An interrupted thread took 91 % of a core, as nothing parks it. */
  @Test
  void anInterruptedThreadWaitsWithoutACore() throws InterruptedException {
    Stripes stripes = new Stripes(1);
    stripes.lockAll();
    long[] nanos = new long[2];
    boolean[] interrupted = new boolean[1];
    Thread waiter =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              nanos[0] = System.nanoTime();
              stripes.unlock(stripes.lock(0));
              nanos[0] = System.nanoTime() - nanos[0];
              nanos[1] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
              interrupted[0] = Thread.interrupted();
            });
    waiter.start();
    // Not for an event: long enough to tell a waiter that spins by the time it takes of a core.
    Thread.sleep(500);
    stripes.unlockAll();
    waiter.join();
    assertTrue(interrupted[0], "it still is");
    assertTrue(nanos[1] < nanos[0] / 2, nanos[1] + " of " + nanos[0] + " ns");
  }

  @Test
  void whoHasAllIsAlone() {
    Stripes stripes = new Stripes(1024);
    long[] steps = new long[stripes.size()];
    long[] torn = new long[1];
    run(
        thread -> {
          for (int i = 0; i < STEPS / 10; i++) {
            if (thread % 2 == 0) {
              int stripe = stripes.lock(i);
              steps[stripe]++;
              steps[stripe]--;
              stripes.unlock(stripe);
            } else {
              stripes.lockAll();
              for (long count : steps) {
                torn[0] += count;
              }
              stripes.unlockAll();
            }
          }
        });
    assertEquals(0, torn[0]);
  }

  private interface Work {
    void run(int thread);
  }

  private static void run(Work work) {
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> {
          CountDownLatch done = new CountDownLatch(THREADS);
          for (int i = 0; i < THREADS; i++) {
            int thread = i;
            new Thread(
                    () -> {
                      work.run(thread);
                      done.countDown();
                    })
                .start();
          }
          done.await();
        });
  }
}
