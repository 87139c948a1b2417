package io.bloomery.scalable;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that a thread that asks again and again sees what another one puts. */
class VisibilityTest {

  private static Stream<FilterProvider> providers() {
    return Stream.of(new ScalableProvider(), new ScalableProvider().withFirstLayer(100));
  }

  // The loop is compiled while it waits; were reads allowed to leave it, it would never end.
  @ParameterizedTest
  @MethodSource("providers")
  void aLoopThatWaitsForAPutEnds(FilterProvider provider) throws InterruptedException {
    Filter filter = provider.create(FilterSpec.of(1_000, 0.01), ThreadMode.SHARED);
    for (long hash = 1; hash <= 1_000; hash++) {
      filter.put(hash * 0x9e3779b97f4a7c15L);
    }
    CountDownLatch started = new CountDownLatch(1);
    Thread reader =
        new Thread(
            () -> {
              started.countDown();
              while (!filter.mightContain(-1)) {}
            });
    reader.setDaemon(true);
    reader.start();
    started.await();
    Thread.sleep(1_000); // long enough for the compiler
    assertTrue(filter.put(-1));
    reader.join(SECONDS.toMillis(600));
    assertTrue(!reader.isAlive(), "still waits");
  }
}
