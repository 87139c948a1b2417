package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter that does not answer is left alone for a while, and no key is called absent for it. */
class FilterBreakerTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final RemoteFilter remote = new RemoteFilter();

  private ReadOnlyGuard<String, String> guard(int failures, Duration pause) {
    return ReadOnlyGuard.of(
        "remote",
        remote,
        MemorySource.of("ada"),
        AnswerLimits.defaults().filterFailures(failures, pause));
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, false", "5, true", "20, false", "300, true"})
  void anOpenBreakerKeepsQueriesFromTheFilterAndLetsEveryKeyPass(int failures, boolean batches) {
    ReadOnlyGuard<String, String> guard = guards.open(guard(failures, FOR_EVER));
    assertFalse(guard.mightContain("nobody"));
    remote.down = true;
    remote.queries.set(0);
    for (int i = 0; i < failures + 10; i++) {
      assertEquals(i < failures ? GuardState.READY : GuardState.FAILED, guard.state());
      assertEquals(i >= failures, guard.stats().lastError().isPresent());
      if (batches) {
        assertTrue(guard.getAll(List.of("ada", "nobody")).containsKey("ada"));
        assertTrue(guard.getAll(List.of()).isEmpty());
      } else {
        assertTrue(guard.mightContain("nobody"));
      }
    }
    assertEquals(failures, remote.queries.get());
    String told = guard.stats().lastError().orElseThrow();
    assertTrue(told.contains("no reply within 2 s") && told.contains("every key passes"), told);
    BloomFilter<String> next = Bloomery.strings().expect(100).create();
    guard.replace(next);
    assertFalse(guard.mightContain("nobody"), "another filter is queried at once");
    assertEquals(GuardState.READY, guard.state());
  }

  @Test
  void oneQueryEachPauseTriesTheFilterUntilItAnswers() throws Exception {
    Duration pause = Duration.ofMillis(50);
    ReadOnlyGuard<String, String> guard = guards.open(guard(1, pause));
    remote.down = true;
    long start = System.nanoTime();
    assertTrue(guard.mightContain("nobody"));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      all.add(
          threads.submit(
              () -> {
                while (remote.queries.get() < 5) {
                  assertTrue(guard.mightContain("nobody"));
                }
              }));
    }
    for (Future<?> thread : all) {
      thread.get();
    }
    threads.shutdown();
    long pauses = (System.nanoTime() - start) / pause.toNanos();
    assertTrue(remote.queries.get() - 1 <= pauses, remote.queries + " in " + pauses);
    assertEquals(GuardState.FAILED, guard.state());
    remote.down = false;
    Guards.await("its answers count again", () -> !guard.mightContain("nobody"));
    assertEquals(GuardState.READY, guard.state());
    assertFalse(guard.mightContain("somebody"));
  }

  @Test
  void thatItFailsAndThatItAnswersAgainIsToldOnceEach() throws Exception {
    try (Log log = new Log();
        ReadOnlyGuard<String, String> guard = guard(3, Duration.ofMillis(5))) {
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 30; i++) { // no three in a row
          remote.down = i % 3 != 0;
          assertEquals(remote.down, guard.mightContain("nobody"));
        }
        assertEquals(round - 1, log.warnings("its filter failed 3 queries in a row"));
        remote.down = false;
        assertFalse(guard.mightContain("nobody"));
        remote.down = true;
        remote.queries.set(0);
        int failures = round == 1 ? 3 : 3 + round; // some of them by tries
        Guards.await(
            "failures", () -> guard.mightContain("nobody") && remote.queries.get() == failures);
        assertEquals(round, log.warnings("its filter failed 3 queries in a row"));
        assertEquals(round - 1, log.infos("its filter answers again"));
        remote.down = false;
        Guards.await("its answers count again", () -> !guard.mightContain("nobody"));
        assertFalse(guard.mightContain("nobody"));
        assertEquals(round, log.infos("its filter answers again"));
      }
    }
  }

  @Test
  void whileOneTriesTheFilterNoOtherDoes() throws Exception {
    Duration pause = Duration.ofMillis(200);
    FilterBreaker breaker =
        new FilterBreaker(AnswerLimits.defaults().filterFailures(1, pause), new GuardLog("test"));
    long failed = System.nanoTime();
    breaker.failed(new FilterUnavailableException("hangs"));
    long tried;
    do {
      Thread.sleep(5);
      tried = System.nanoTime();
    } while (!breaker.permits());
    assertTrue(System.nanoTime() - failed >= pause.toNanos());
    boolean again = breaker.permits();
    long passed = System.nanoTime() - tried; // more than a pause if this thread was kept waiting
    assertTrue(!again || passed >= pause.toNanos(), passed + " ns after");
  }

  /** Keys put while queries do without the filter are found in it afterwards. */
  @Test
  void aWriteIsNeverLeftOut() {
    Generations<String> generations =
        new Generations<>(
            AnswerLimits.defaults().filterFailures(1, FOR_EVER), new GuardLog("test"));
    generations.serve(generations.begin(new HeapFilter<>(Bloomery.strings().expect(100).create())));
    Generation<String> serving = generations.serving();
    serving.breaker().failed(new FilterUnavailableException("hangs"));
    assertFalse(serving.breaker().permits());
    assertTrue(generations.put("bob").isEmpty());
    assertTrue(serving.view().mightContain("bob"));
  }

  @Test
  void failuresThatEndTogetherOpenItOnce() throws Exception {
    FilterBreaker breaker =
        new FilterBreaker(
            AnswerLimits.defaults().filterFailures(1_000, FOR_EVER), new GuardLog("test"));
    CompletableFuture<?>[] threads = new CompletableFuture<?>[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 250; i++) {
                  assertTrue(breaker.permits());
                  breaker.failed(new FilterUnavailableException("hangs"));
                }
              });
    }
    CompletableFuture.allOf(threads).get();
    assertFalse(breaker.permits());
  }
}
