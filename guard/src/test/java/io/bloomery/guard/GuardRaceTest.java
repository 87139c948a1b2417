package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two things at a time, in an order that is arranged. */
class GuardRaceTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSlowWriteDuringARebuildIsFoundIfItIsWaitedFor(boolean waits) throws Exception {
    int found = 0;
    for (int i = 0; i < 20; i++) {
      MemorySource table = MemorySource.of("old-", 10);
      WriteBarrier barrier = waits ? new WriteEpochs() : GuardCampaignTest.NO_BARRIER;
      try (Guard<String, String> guard = Guards.builder(table).build(barrier)) {
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

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
