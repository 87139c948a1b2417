package io.bloomery.conformance.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.check.Watchdog.StuckError;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class WatchdogTest {

  private static final Duration LIMIT = Duration.ofMillis(900);

  private static void waitForEver() {
    while (true) {
      LockSupport.park();
    }
  }

  @Test
  void whatWaitsForEverIsStuck() {
    StuckError stuck =
        assertThrows(
            StuckError.class, () -> Watchdog.run(LIMIT, "waiting", WatchdogTest::waitForEver));
    assertTrue(stuck.getMessage().contains("waitForEver"), stuck::getMessage);
  }

  /** A thread that is taken to run but is given no time: here it waits outside of Java. */
  @Test
  void whatIsGivenNoTimeIsNotAccused() throws IOException {
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InconclusiveError error =
          assertThrows(
              InconclusiveError.class,
              () -> Watchdog.run(LIMIT, "accepting", () -> accept(nobody)));
      assertTrue(error.getMessage().contains("the machine was busy"), error::getMessage);
    }
  }

  private static void accept(ServerSocket nobody) {
    try {
      nobody.accept().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatGoesOnIsWaitedFor() {
    AtomicLong progress = new AtomicLong();
    CountDownLatch done = new CountDownLatch(1);
    Watchdog.run(
        LIMIT,
        progress::get,
        List::of,
        "going on",
        () -> {
          for (int i = 0; i < 25; i++) {
            progress.incrementAndGet();
            LockSupport.parkNanos(100_000_000);
          }
          done.countDown();
        });
    assertEquals(0, done.getCount());
  }
}
