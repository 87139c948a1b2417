package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class GuardLoadTest {

  @Test
  void aFailureIsToldToAllWhoWaitAndNothingIsTakenFromIt() throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Guard<String, String> guard = Guards.ready(table)) {
      IOException outage = new IOException("no connection to ada");
      CountDownLatch loading = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      table.onLoad =
          () -> {
            loading.countDown();
            Guards.await(go);
            throw outage;
          };
      CompletableFuture<SourceException> first = failure(guard, "ada");
      Guards.await(loading);
      CompletableFuture<SourceException> second = failure(guard, "ada");
      go.countDown();
      for (CompletableFuture<SourceException> told : List.of(first, second)) {
        SourceException failure = Guards.result(told);
        assertTrue(causes(failure).contains(outage));
        assertEquals("the source failed: java.io.IOException", failure.getMessage());
      }
      assertTrue(guard.stats().loadFailures() >= 1);
      assertThrows(SourceException.class, () -> guard.getAll(List.of("ada")));
      table.onLoad = () -> {};
      assertTrue(guard.get("ada").isPresent());
      String absent = Guards.falsePositive(guard);
      table.onLoad =
          () -> {
            throw outage;
          };
      assertThrows(SourceException.class, () -> guard.get(absent));
      assertTrue(guard.mightContain(absent)); // a failure confirms nothing
    }
  }

  private static CompletableFuture<SourceException> failure(
      Guard<String, String> guard, String key) {
    CompletableFuture<SourceException> failure = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                failure.complete(assertThrows(SourceException.class, () -> guard.get(key)));
              } catch (AssertionError e) {
                failure.completeExceptionally(e);
              }
            })
        .start();
    return failure;
  }

  private static List<Throwable> causes(Throwable from) {
    return Stream.iterate(from, cause -> cause != null, Throwable::getCause).toList();
  }

  @Test
  void aLoadThatHangsIsInterruptedInTimeForAllWhoWait() throws Exception {
    MemorySource table = MemorySource.of("ada");
    AtomicReference<Throwable> interrupt = new AtomicReference<>();
    try (Guard<String, String> guard =
        Guards.ready(
            Guards.builder(table)
                .name("slow")
                .answers(AnswerLimits.defaults().loadTimeout(Duration.ofMillis(700))))) {
      assertTrue(guard.get("ada").isPresent());
      guard.write("ada", () -> table.insert("ada"));
      table.onLoad =
          () -> {
            try {
              Thread.sleep(60_000);
            } catch (InterruptedException e) {
              interrupt.set(e);
              throw e;
            }
          };
      CompletableFuture<SourceException> first = failure(guard, "ada");
      CompletableFuture<SourceException> second = failure(guard, "ada");
      for (CompletableFuture<SourceException> told : List.of(first, second)) {
        String message = Guards.result(told).getMessage();
        assertTrue(message.contains("must take at most PT0.7S"), message);
      }
      assertThrows(SourceException.class, () -> guard.getAll(List.of("ada")));
      Guards.await("interrupted", () -> interrupt.get() != null);
      table.onLoad = () -> {};
      assertTrue(guard.get("ada").isPresent());
      IOException outage = new IOException("no connection");
      assertSame(
          outage,
          assertThrows(
                  SourceException.class,
                  () ->
                      guard.get(
                          "ada",
                          key -> {
                            throw outage;
                          }))
              .getCause());
    }
    Guards.await("no thread is left", () -> Guards.threads("slow").isEmpty());
  }

  @Test
  void nullsOfTheSourceAreNamed() throws Exception {
    GuardSource<String, String> source =
        new GuardSource<>() {
          @Override
          public Stream<String> keys() {
            return Stream.of("ada", "bob");
          }

          @Override
          public Optional<String> load(String key) {
            return null;
          }

          @Override
          public Map<String, String> loadAll(Collection<String> keys) {
            return keys.contains("bob") ? null : Collections.singletonMap("ada", null);
          }
        };
    try (Guard<String, String> guard =
        Guard.builder(Bloomery.strings().expect(10), source).build()) {
      guard.awaitFilter(Guards.LONG);
      assertMessage("must return Optional.empty()", () -> guard.get("ada"));
      assertMessage("must return Optional.empty()", () -> guard.get("ada", key -> null));
      assertMessage("must return a map from loadAll", () -> guard.getAll(List.of("bob")));
      assertMessage("must return no null values", () -> guard.getAll(List.of("ada")));
    }
    ValueSource<String, String> single = key -> null;
    assertMessage("must return Optional.empty()", () -> single.loadAll(List.of("ada")));
  }

  private static void assertMessage(String part, Executable call) {
    SourceException failure = assertThrows(SourceException.class, call);
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
  }

  @Test
  void aSourceThatAsksItsGuardForTheKeyThatItLoadsIsTold() throws Exception {
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    GuardSource<String, String> source =
        GuardSource.of(() -> Stream.of("ada"), key -> self.get().get(key));
    try (Guard<String, String> guard =
        Guard.builder(Bloomery.strings().expect(10), source).build()) {
      self.set(guard);
      guard.awaitFilter(Guards.LONG);
      SourceException failure = assertThrows(SourceException.class, () -> guard.get("ada"));
      assertTrue(failure.getCause().getMessage().contains("ask the source itself"));
    }
  }

  @Test
  void whoIsInterruptedWhileAnotherLoadsStaysInterrupted() throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Guard<String, String> guard = Guards.ready(table)) {
      CountDownLatch loading = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      table.onLoad =
          () -> {
            loading.countDown();
            Guards.await(go);
          };
      CompletableFuture<Optional<String>> first =
          CompletableFuture.supplyAsync(() -> guard.get("ada"));
      Guards.await(loading);
      Thread.currentThread().interrupt();
      assertThrows(SourceException.class, () -> guard.get("ada"));
      assertTrue(Thread.interrupted());
      go.countDown();
      assertTrue(Guards.result(first).isPresent());
    }
  }
}
