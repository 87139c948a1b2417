package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers, readers and rebuilds at a time: no key that was reported is ever called absent. */
class GuardRaceTest {

  /** Lets a rebuild wait for nobody. */
  private static final WriteBarrier NO_BARRIER =
      new WriteBarrier() {
        @Override
        public Passage enter() {
          return () -> {};
        }

        @Override
        public void awaitEarlier(Duration patience) {}
      };

  private static GuardBuilder<String, String> settings(MemorySource table) {
    // Cached answers are few and short-lived, so that most questions go all the way.
    return Guards.builder(table)
        .name("race")
        .answers(
            AnswerLimits.defaults()
                .values(100, Duration.ofMillis(20))
                .absences(1_000, Duration.ofMinutes(1)));
  }

  @Test
  void noReportedKeyIsCalledAbsentBesideEndlessRebuilds() throws Exception {
    assertEquals(0, lost(GuardRaceTest::settings, Duration.ofSeconds(3)));
  }

  @Test
  void theSameLosesKeysWithoutTheWaitForEarlierWrites() throws Exception {
    EndlessRebuilds run =
        new EndlessRebuilds(
            GuardRaceTest::settings, NO_BARRIER, EndlessRebuilds.untilLost(Duration.ofSeconds(20)));
    assertTrue(run.lost() > 0);
  }

  @Test
  void countsAreTakenBackWithoutLosingAnotherKey() throws Exception {
    // So full that keys share most of their counters: one removed wrongly is another one lost.
    Function<MemorySource, GuardBuilder<String, String>> removing =
        table ->
            Guard.builder(Bloomery.strings().expect(4_000).fpp(0.3), table)
                .name("race")
                .pause(Duration.ofHours(1))
                .removeDeleted();
    assertEquals(0, lost(removing, Duration.ofSeconds(2)));
  }

  @Tag("nightly")
  @Test
  void tenMinutesLoseNoKey() throws Exception {
    assertEquals(0, lost(GuardRaceTest::settings, Duration.ofMinutes(10)));
  }

  private static long lost(
      Function<MemorySource, GuardBuilder<String, String>> settings, Duration length)
      throws Exception {
    return new EndlessRebuilds(settings, new WriteEpochs(), EndlessRebuilds.during(length)).lost();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSlowWriteDuringARebuildIsFoundIfItIsWaitedFor(boolean waits) throws Exception {
    int found = 0;
    for (int i = 0; i < 20; i++) {
      MemorySource table = MemorySource.of("old-", 10);
      WriteBarrier barrier = waits ? new WriteEpochs() : NO_BARRIER;
      try (Guard<String, String> guard = settings(table).build(barrier)) {
        guard.awaitFilter(Guards.LONG);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch rebuilt = new CountDownLatch(1);
        CompletableFuture<Void> write =
            CompletableFuture.runAsync(
                () ->
                    guard.write(
                        "slow",
                        () -> {
                          begun.countDown();
                          if (waits) {
                            sleep(60);
                          } else {
                            Guards.await(rebuilt);
                          }
                          table.insert("slow");
                        }));
        Guards.await(begun);
        Guards.result(guard.rebuild());
        rebuilt.countDown();
        Guards.result(write);
        found += guard.get("slow").isPresent() ? 1 : 0;
      }
    }
    assertEquals(waits ? 20 : 0, found);
  }

  @Test
  void ofFiftyThreadsThatAskForOneKeyOneLoadsIt() throws Exception {
    for (String key : List.of("ada", "nobody")) {
      MemorySource table = MemorySource.of("ada");
      CountDownLatch fill = new CountDownLatch(1);
      table.onKeys = () -> Guards.await(fill); // so that every key may be there
      table.onLoad = () -> sleep(50);
      try (Guard<String, String> guard = settings(table).build()) {
        CountDownLatch all = new CountDownLatch(50);
        List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
          answers.add(answer);
          threads.add(
              new Thread(
                  () -> {
                    all.countDown();
                    Guards.await(all);
                    answer.complete(guard.get(key));
                  }));
        }
        threads.forEach(Thread::start);
        for (CompletableFuture<Optional<String>> answer : answers) {
          assertEquals(table.rows.containsKey(key), Guards.result(answer).isPresent());
        }
        assertEquals(1, table.loads.sum());
        fill.countDown();
      }
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
