package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many loads with a time limit run at a time. */
class LoadLimitTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  private static final Executor NEW_THREAD = task -> new Thread(task).start();

  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private Optional<String> load(String key) throws InterruptedException {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      permits.acquire();
      return Optional.of(key);
    } finally {
      running.decrementAndGet();
    }
  }

  private Guard<String, String> guard(AnswerLimits limits) throws Exception {
    return guard(limits, this::load);
  }

  private static Guard<String, String> guard(
      AnswerLimits limits, io.bloomery.guard.ValueSource<String, String> source) throws Exception {
    return Guards.ready(
        Guard.builder(
                Bloomery.strings().expect(1_000).fpp(0.5),
                GuardSource.of(Stream::<String>of, source))
            .answers(limits));
  }

  private static List<CompletableFuture<Optional<String>>> lookups(
      Guard<String, String> guard, int count) {
    List<CompletableFuture<Optional<String>>> lookups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = "key-" + i;
      guard.created(key);
      lookups.add(CompletableFuture.supplyAsync(() -> guard.get(key), NEW_THREAD));
    }
    return lookups;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void furtherLookupsOfAHealthySourceWaitForTheirTurn(boolean ownThreads) throws Exception {
    AtomicInteger made = new AtomicInteger();
    AnswerLimits limits = AnswerLimits.defaults().loadTimeout(Guards.LONG);
    if (ownThreads) {
      limits =
          limits
              .maxLoads(7)
              .loadThreads(
                  task -> {
                    made.incrementAndGet();
                    return new Thread(task);
                  });
    }
    int turns = ownThreads ? 7 : 256;
    Guard<String, String> guard = guards.open(guard(limits));
    List<CompletableFuture<Optional<String>>> lookups = lookups(guard, 300);
    Guards.await("all turns are taken", () -> running.get() == turns);
    permits.release(300);
    for (int i = 0; i < lookups.size(); i++) {
      assertEquals(Optional.of("key-" + i), Guards.result(lookups.get(i)));
    }
    assertEquals(turns, most.get());
    assertEquals(0, guard.stats().loadFailures());
    assertTrue(!ownThreads || made.get() >= 7, made::toString);
  }

  @Test
  void whoseTimeEndsBeforeTheirTurnAreToldOfTheLimit() throws Exception {
    AnswerLimits limits = AnswerLimits.defaults().loadTimeout(Duration.ofMillis(200)).maxLoads(1);
    Semaphore hangs = new Semaphore(0);
    Guard<String, String> guard =
        guards.open(
            guard(
                limits,
                key -> {
                  hangs.acquireUninterruptibly();
                  return Optional.of(key);
                }));
    guard.created("hangs");
    guard.created("ada");
    CompletableFuture<Optional<String>> first =
        CompletableFuture.supplyAsync(() -> guard.get("hangs"), NEW_THREAD);
    assertThrows(SourceException.class, () -> Guards.result(first));
    String told = assertThrows(SourceException.class, () -> guard.get("ada")).getMessage();
    assertTrue(told.contains("at most 1 loads run at a time"), told);
    assertTrue(told.contains("maxLoads"), told);
    hangs.release(Integer.MAX_VALUE / 2);
    Guards.await("the turn is given back", () -> finds(guard));
  }

  @Test
  void aLoadThatGetsNoThreadGivesItsTurnBack() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    AnswerLimits limits =
        AnswerLimits.defaults()
            .loadTimeout(Guards.LONG)
            .maxLoads(1)
            .loadThreads(
                task -> {
                  if (fails.get()) {
                    throw new IllegalStateException("no thread");
                  }
                  return new Thread(task);
                });
    Guard<String, String> guard = guards.open(guard(limits, Optional::of));
    guard.created("ada");
    for (int i = 0; i < 3; i++) {
      assertThrows(SourceException.class, () -> guard.get("ada"));
    }
    fails.set(false);
    assertEquals(Optional.of("ada"), guard.get("ada"));
  }

  private static boolean finds(Guard<String, String> guard) {
    try {
      return guard.get("ada").isPresent();
    } catch (SourceException e) {
      return false;
    }
  }

  /** If each took a second turn for the inner load, all would wait for ever. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLoadWithinALoadNeedsNoTurn(boolean byAnotherSource) throws Exception {
    AtomicReference<Guard<String, String>> self = new AtomicReference<>();
    io.bloomery.guard.ValueSource<String, String> source =
        key -> key.startsWith("inner") ? Optional.of(key) : self.get().get("inner of " + key);
    AnswerLimits limits = AnswerLimits.defaults().loadTimeout(Guards.LONG).maxLoads(2);
    Guard<String, String> guard = guards.open(guard(limits, source));
    self.set(guard);
    List<CompletableFuture<Optional<String>>> lookups = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String key = "key-" + i;
      guard.created(key);
      guard.created("inner of " + key);
      lookups.add(
          CompletableFuture.supplyAsync(
              () -> byAnotherSource ? guard.get(key, source) : guard.get(key), NEW_THREAD));
    }
    for (int i = 0; i < lookups.size(); i++) {
      assertEquals(Optional.of("inner of key-" + i), Guards.result(lookups.get(i)));
    }
  }

  /** Those who have a turn, too, unless they neither end nor heed an interrupt. */
  @ParameterizedTest
  @CsvSource({"1, true", "2147483646, true", "2147483647, true", "2, false"})
  void whoWaitsForATurnIsToldThatTheGuardIsClosed(int turns, boolean heeds) throws Exception {
    Semaphore hangs = new Semaphore(0);
    io.bloomery.guard.ValueSource<String, String> unheeding =
        key -> {
          running.incrementAndGet();
          hangs.acquireUninterruptibly();
          return Optional.of(key);
        };
    Guard<String, String> guard =
        guard(
            AnswerLimits.defaults().loadTimeout(Guards.LONG).maxLoads(turns),
            heeds ? this::load : unheeding);
    List<CompletableFuture<Optional<String>>> lookups = lookups(guard, 10);
    Guards.await("they ask", () -> running.get() == Math.min(turns, 10));
    guard.close();
    guard.close();
    long told = heeds ? 10 : 10 - turns;
    Guards.await("told", () -> lookups.stream().filter(Future::isDone).count() == told);
    for (CompletableFuture<Optional<String>> lookup : lookups) {
      if (lookup.isDone()) {
        IllegalStateException closed =
            assertThrows(IllegalStateException.class, () -> Guards.result(lookup));
        assertTrue(closed.getMessage().contains("closed"), closed::toString);
      }
    }
    hangs.release(2);
  }

  @Test
  void limitsAreChecked() {
    AnswerLimits limits = AnswerLimits.defaults();
    assertThrows(IllegalArgumentException.class, () -> limits.maxLoads(0));
    assertThrows(
        IllegalArgumentException.class, () -> limits.filterFailures(0, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> limits.filterFailures(1, Duration.ZERO));
    assertThrows(NullPointerException.class, () -> limits.loadThreads(null));
  }
}
