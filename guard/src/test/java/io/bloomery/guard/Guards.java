package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.fail;

import io.bloomery.Bloomery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What tests of guards need. */
final class Guards {

  static final Duration LONG = Duration.ofMinutes(5);

  private Guards() {}

  /** Returns a builder for 10,000 keys at 1 % that rebuilds on demand only. */
  static GuardBuilder<String, String> builder(MemorySource table) {
    return Guard.builder(Bloomery.strings().expect(10_000).fpp(0.01), table)
        .pause(Duration.ofHours(1));
  }

  /** Builds a guard whose filter serves. */
  static Guard<String, String> ready(GuardBuilder<String, String> builder) throws Exception {
    Guard<String, String> guard = builder.build();
    guard.awaitFilter(LONG);
    return guard;
  }

  static Guard<String, String> ready(MemorySource table) throws Exception {
    return ready(builder(table));
  }

  /** Waits until something is so. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        fail("not in time: " + what);
      }
      Thread.sleep(2);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
        fail("not in time");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static <T> T result(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Returns a key that the table lacks and the filter lets through. */
  static String falsePositive(Guard<String, String> guard) {
    guard.created("ghost");
    return "ghost";
  }

  /** Returns the threads of a guard that live. */
  static List<String> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.startsWith("bloomery-guard-" + name + "-"))
        .toList();
  }
}
