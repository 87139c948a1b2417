package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardLoadTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  private static final Executor NEW_THREAD = task -> new Thread(task).start();

  @Test
  void aFailureIsToldToAllWhoWaitAndNothingIsTakenFromIt() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
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
    table.onLoad = MemorySource.failing(outage);
    assertThrows(SourceException.class, () -> guard.get(absent));
    assertTrue(guard.mightContain(absent)); // a failure confirms nothing
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
    io.bloomery.guard.ValueSource<String, String> single = key -> null;
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
    Guard<String, String> guard =
        guards.open(Guard.builder(Bloomery.strings().expect(10), source).build());
    self.set(guard);
    guard.awaitFilter(Guards.LONG);
    SourceException failure = assertThrows(SourceException.class, () -> guard.get("ada"));
    assertTrue(failure.getCause().getMessage().contains("ask the source itself"));
  }

  /** Whether the source has the other key, lacks it, or fails. */
  @Test
  void aSourceThatHasAskedForAnotherKeyIsToldAllTheSame() throws Exception {
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    MemorySource table = MemorySource.of("ada", "bob");
    table.onLoadOf =
        keys -> {
          if (keys.contains("carl")) {
            throw new IOException("no connection");
          }
          if (keys.contains("ada")) {
            for (String other : List.of("bob", "nobody", "carl")) {
              try {
                self.get().get(other);
              } catch (SourceException e) {
                // of carl
              }
            }
            self.get().get("ada");
          }
        };
    Guard<String, String> guard = guards.ready(table);
    self.set(guard);
    guard.created("carl");
    for (int i = 0; i < 3; i++) { // by one thread, which may ask again after a failure
      SourceException failure = assertThrows(SourceException.class, () -> guard.get("ada"));
      assertTrue(failure.getCause().getMessage().contains("ask the source itself"));
      failure = assertThrows(SourceException.class, () -> guard.get("carl"));
      assertTrue(failure.getCause() instanceof IOException, failure.toString());
    }
  }

  @Test
  void whoIsInterruptedWithinTheSourceStaysInterrupted() throws Exception {
    MemorySource table = MemorySource.of("ada");
    table.onLoad = MemorySource.failing(new InterruptedException());
    Guard<String, String> guard = guards.ready(table);
    assertThrows(SourceException.class, () -> guard.get("ada"));
    assertTrue(Thread.interrupted());
    assertThrows(SourceException.class, () -> guard.getAll(List.of("ada")));
    assertTrue(Thread.interrupted());
  }

  /** One after the other, and one while the other is being loaded. */
  @Test
  void aKeyHasItsOwnValueAlsoIfItIsAnotherOnesToTheFilter() throws Exception {
    List<String> like = List.of("Ada", "ada", "ADA");
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    GuardSource<String, String> source =
        GuardSource.of(
            () -> like.stream(),
            key -> {
              if (key.equals("Ada")) {
                assertEquals(Optional.empty(), self.get().get("aDA"));
                assertEquals(Optional.of("of ADA"), self.get().get("ADA"));
              }
              return like.contains(key) ? Optional.of("of " + key) : Optional.empty();
            });
    Filters<String> filters = Bloomery.strings().keyForm(KeyForm.IGNORE_CASE);
    Guard<String, String> guard = guards.ready(Guard.builder(filters.expect(100), source));
    self.set(guard);
    for (int i = 0; i < 2; i++) {
      for (String key : like) {
        assertEquals(Optional.of("of " + key), guard.get(key));
        assertEquals(Optional.empty(), guard.get("aDA"));
      }
    }
  }

  @Test
  void whoIsInterruptedWhileAnotherLoadsStaysInterrupted() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    Gate gate = new Gate();
    table.onLoad = gate::pass;
    CompletableFuture<Optional<String>> first =
        CompletableFuture.supplyAsync(() -> guard.get("ada"));
    gate.awaitReached();
    Thread.currentThread().interrupt();
    assertThrows(SourceException.class, () -> guard.get("ada"));
    assertTrue(Thread.interrupted());
    gate.open();
    assertTrue(Guards.result(first).isPresent());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sourcesThatAskForOtherKeysDoNotWaitForEachOther(boolean onOwnThreads) throws Exception {
    // A depends on B and D on C: two batches, each of which loads what the other depends on.
    Map<String, String> depends = Map.of("A", "B", "D", "C");
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    MemorySource table = MemorySource.of("A", "B", "C", "D");
    table.onLoadOf =
        keys -> {
          if (keys.size() > 1) {
            both.await(600, TimeUnit.SECONDS);
          }
          for (String key : keys) {
            if (depends.containsKey(key)) {
              assertTrue(self.get().get(depends.get(key)).isPresent());
            }
          }
        };
    AnswerLimits limits =
        onOwnThreads ? AnswerLimits.defaults().loadTimeout(Guards.LONG) : AnswerLimits.defaults();
    Guard<String, String> guard = guards.ready(Guards.builder(table).answers(limits));
    self.set(guard);
    CompletableFuture<Map<String, String>> first =
        CompletableFuture.supplyAsync(() -> guard.getAll(List.of("A", "C")), NEW_THREAD);
    CompletableFuture<Map<String, String>> second =
        CompletableFuture.supplyAsync(() -> guard.getAll(List.of("D", "B")), NEW_THREAD);
    assertEquals(Set.of("A", "C"), Guards.result(first).keySet());
    assertEquals(Set.of("D", "B"), Guards.result(second).keySet());
  }

  @Test
  void aBatchMayDependOnAnotherKeyOfItselfAndNoneOnItself() throws Exception {
    Map<String, List<String>> depends = new HashMap<>();
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    MemorySource table = MemorySource.of("A", "B", "C");
    table.onLoadOf =
        keys -> {
          for (String key : keys) {
            List<String> others = depends.getOrDefault(key, List.of());
            assertEquals(others.size(), self.get().getAll(others).size());
          }
        };
    Guard<String, String> guard = guards.ready(table);
    self.set(guard);
    depends.putAll(Map.of("A", List.of("B", "C"), "B", List.of("C")));
    assertEquals(3, guard.getAll(List.of("A", "B", "C")).size());
    guard.deleted("A");
    guard.deleted("B");
    guard.deleted("C");
    depends.put("C", List.of("A"));
    for (Executable asks :
        List.<Executable>of(
            () -> guard.get("A"), () -> guard.get("C"), () -> guard.getAll(List.of("A", "C")))) {
      SourceException failure = assertThrows(SourceException.class, asks);
      assertTrue(
          causes(failure).stream()
              .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("ask the source")),
          failure::toString);
    }
    depends.clear();
    assertEquals(3, guard.getAll(List.of("A", "B", "C")).size());
  }

  /** How the thread that loads is told to end, which is no fault of the source. */
  enum Interruption {
    THROWN {
      @Override
      void end() throws Exception {
        throw new InterruptedException();
      }
    },
    WRAPPED {
      @Override
      void end() throws Exception {
        throw new IOException("statement was cancelled", new ClosedByInterruptException());
      }
    },
    ONLY_MARKED {
      @Override
      void end() throws Exception {
        Thread.currentThread().interrupt();
        throw new IOException("statement was cancelled");
      }
    },
    ERROR {
      @Override
      void end() {
        throw new StackOverflowError();
      }
    };

    abstract void end() throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsForALoadOfAnInterruptedThreadLoadsItself(Interruption kind) throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    table.onLoad =
        () -> {
          table.onLoad = () -> {};
          loading.countDown();
          Guards.await(go);
          kind.end();
        };
    CompletableFuture<Optional<String>> first =
        CompletableFuture.supplyAsync(() -> guard.get("ada"), NEW_THREAD);
    Guards.await(loading);
    List<CompletableFuture<Optional<String>>> waiting = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 49; i++) {
      CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
      waiting.add(answer);
      threads.add(
          new Thread(
              () ->
                  answer.completeAsync(
                      () -> guard.getAll(List.of("ada", "eve")).values().stream().findFirst(),
                      Runnable::run)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      Guards.await("it waits", () -> thread.getState() == Thread.State.WAITING);
    }
    go.countDown();
    assertThrows(Throwable.class, () -> Guards.result(first));
    for (CompletableFuture<Optional<String>> answer : waiting) {
      assertTrue(Guards.result(answer).isPresent());
    }
    assertTrue(table.batches.get() <= 49 + 1, () -> table.batches + " batches");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorOfTheSourceArrivesAsItIs(boolean onOwnThreads) throws Exception {
    MemorySource table = MemorySource.of("ada");
    AnswerLimits limits =
        onOwnThreads ? AnswerLimits.defaults().loadTimeout(Guards.LONG) : AnswerLimits.defaults();
    Guard<String, String> guard = guards.ready(Guards.builder(table).answers(limits));
    Error error = new NoClassDefFoundError("driver");
    table.onLoad =
        () -> {
          throw error;
        };
    assertSame(error, assertThrows(Error.class, () -> guard.get("ada")));
    assertSame(error, assertThrows(Error.class, () -> guard.getAll(List.of("ada"))));
    assertSame(error, assertThrows(Error.class, () -> guard.get("ada", table)));
    table.onLoad = () -> {};
    assertTrue(guard.get("ada").isPresent());
  }

  @Test
  void aLookupThatRacesWithCloseSaysThatTheGuardIsClosed() throws Exception {
    for (int i = 0; i < 200; i++) {
      MemorySource table = MemorySource.of("ada");
      table.onLoad = () -> Thread.sleep(1);
      Guard<String, String> guard =
          Guards.ready(
              Guards.builder(table)
                  .answers(
                      AnswerLimits.defaults().values(0, Guards.LONG).loadTimeout(Guards.LONG)));
      CompletableFuture<Void> asks =
          CompletableFuture.runAsync(
              () -> {
                while (guard.get("ada").isPresent()) {
                  Thread.onSpinWait();
                }
              },
              NEW_THREAD);
      Guards.await("it asks", () -> table.loads.sum() > 0);
      guard.close();
      IllegalStateException closed =
          assertThrows(IllegalStateException.class, () -> Guards.result(asks));
      assertTrue(closed.getMessage().contains("was closed"), closed::toString);
    }
  }

  /** Its value, its absence or its error is for all who wait. */
  @ParameterizedTest
  @ValueSource(strings = {"ada", "nobody", "broken"})
  void ofThreadsThatAskForOneKeyOneLoadsIt(String key) throws Exception {
    Error error = new NoClassDefFoundError("gone");
    MemorySource table = MemorySource.of("ada");
    table.onKeys = new Gate()::pass; // so that every key may be there
    Gate gate = new Gate();
    table.onLoad =
        () -> {
          gate.pass();
          if (key.equals("broken")) {
            throw error;
          }
        };
    Guard<String, String> guard = guards.open(Guards.builder(table).build());
    List<CompletableFuture<Optional<String>>> all = new ArrayList<>();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 50; i++) {
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                threads.add(Thread.currentThread());
                return guard.get(key);
              },
              NEW_THREAD));
    }
    Guards.await("all wait", () -> threads.stream().filter(GuardLoadTest::waits).count() == 50);
    gate.open();
    for (CompletableFuture<Optional<String>> one : all) {
      if (key.equals("broken")) {
        assertSame(error, assertThrows(ExecutionException.class, one::get).getCause());
      } else {
        assertEquals(table.rows.containsKey(key), Guards.result(one).isPresent());
      }
    }
    assertEquals(1, guard.stats().loads());
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Names that the filter does not tell apart, nor the table, but equals does. */
  private static Stream<Arguments> likeKeys() {
    return Stream.of(
        Arguments.of(
            "ignoring case",
            Bloomery.strings().keyForm(KeyForm.IGNORE_CASE),
            (UnaryOperator<String>) key -> key.toUpperCase(Locale.ROOT)),
        Arguments.of(
            "trimmed",
            Bloomery.strings().keyForm(KeyForm.TRIM),
            (UnaryOperator<String>) key -> " " + key),
        Arguments.of(
            "by its first part",
            Bloomery.of(
                KeyHasher.strings().compose((String key) -> key.substring(0, key.indexOf('-')))),
            (UnaryOperator<String>) key -> key + "more"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("likeKeys")
  void aReportAppliesToAllKeysThatAreTheSameToTheFilter(
      String name, Filters<String> filters, UnaryOperator<String> other) throws Exception {
    Map<String, String> rows = new ConcurrentHashMap<>();
    UnaryOperator<String> row = key -> key.strip().toLowerCase(Locale.ROOT).replaceAll("-.*", "-");
    GuardSource<String, String> source =
        GuardSource.of(Stream::<String>of, key -> Optional.ofNullable(rows.get(row.apply(key))));
    Guard<String, String> guard = guards.ready(Guard.builder(filters.expect(1_000), source));
    for (int i = 0; i < 100; i++) {
      String key = "key" + i + "-";
      String like = other.apply(key);
      guard.created(key); // passes from now on
      assertEquals(Optional.empty(), guard.get(key));
      guard.write(like, () -> rows.put(row.apply(like), "first"));
      assertEquals(Optional.of("first"), guard.get(key));
      assertEquals(Optional.of("first"), guard.get(like));
      guard.write(key, () -> rows.put(row.apply(key), "second"));
      assertEquals(Map.of(key, "second", like, "second"), guard.getAll(List.of(key, like)));
      assertTrue(guard.delete(like, () -> rows.remove(row.apply(like)) != null));
      assertEquals(Optional.empty(), guard.get(key));
    }
  }

  @Test
  void aKeyThatIsNotInItsFormIsRefusedBeforeAnythingIsDone() throws Exception {
    Guard<String, String> guard =
        guards.open(
            Guard.builder(
                    Bloomery.strings().keyForm(KeyForm.HEX).expect(10),
                    GuardSource.of(
                        () -> {
                          throw new IOException("never filled");
                        },
                        key -> Optional.of(key)))
                .build());
    boolean[] ran = {false};
    assertThrows(IllegalArgumentException.class, () -> guard.write("zz", () -> ran[0] = true));
    assertFalse(ran[0]);
    assertThrows(NullPointerException.class, () -> guard.get("00", null));
    assertThrows(NullPointerException.class, () -> guard.awaitFilter(null));
  }
}
