package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.partitioned.PartitionedProvider;
import io.bloomery.scalable.ScalableProvider;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuardRebuildTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  @Test
  void whileTheFirstFilterIsFilledEveryKeyMayBeThere() throws Exception {
    MemorySource table = MemorySource.of("ada");
    CountDownLatch fill = new CountDownLatch(1);
    table.onKeys = () -> Guards.await(fill);
    Guard<String, String> guard = guards.open(Guards.builder(table).build());
    assertEquals(GuardState.FILLING, guard.state());
    assertTrue(guard.mightContain("nobody"));
    assertTrue(guard.get("ada").isPresent());
    assertEquals(2, guard.stats().withoutFilter());
    guard.write("bob", () -> table.insert("bob")); // after the snapshot
    assertThrows(TimeoutException.class, () -> guard.awaitFilter(Duration.ofMillis(20)));
    fill.countDown();
    guard.awaitFilter(Guards.LONG);
    Guards.await("ready", () -> guard.state() == GuardState.READY);
    assertTrue(guard.get("bob").isPresent());
    assertEquals(1, guard.stats().generation());
    assertTrue(guard.stats().filter().isPresent());
  }

  @Test
  void whatWasConfirmedBeforeTheKeysWereReadHoldsNoLonger() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    guard.get(key);
    assertFalse(guard.mightContain(key));
    table.insert(key); // elsewhere, and not reported
    Guards.result(guard.rebuild());
    assertTrue(guard.get(key).isPresent());
  }

  @Test
  void aLoadThatBeganBeforeTheKeysWereReadAnswersNobodyWhoAsksAfterwards() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    Gate gate = new Gate();
    table.onLoad = gate::pass;
    CompletableFuture<Optional<String>> early = CompletableFuture.supplyAsync(() -> guard.get(key));
    gate.awaitReached();
    table.onLoad = () -> {};
    table.insert(key); // elsewhere, and not reported
    Guards.result(guard.rebuild());
    assertTrue(guard.get(key).isPresent());
    gate.open();
    assertEquals(Optional.empty(), Guards.result(early));
    assertTrue(guard.mightContain(key));
    assertTrue(guard.get(key).isPresent());
  }

  @Test
  void anOutageLeavesTheOldFilterServingAndIsToldUntilItIsOver() throws Exception {
    MemorySource table = MemorySource.of("user-", 100);
    Guard<String, String> guard = guards.ready(Guards.builder(table).pause(Duration.ofMillis(50)));
    table.onKeys = MemorySource.failing(new IOException("no connection"));
    IOException failure = assertThrows(IOException.class, () -> Guards.result(guard.rebuild()));
    assertEquals("no connection", failure.getMessage());
    Guards.await("it says so", () -> guard.state() == GuardState.FAILED);
    assertTrue(guard.stats().lastError().orElseThrow().contains("no connection"));
    assertEquals(1, guard.stats().generation());
    guard.write("new", () -> table.insert("new"));
    assertTrue(guard.get("user-7").isPresent());
    assertTrue(guard.get("new").isPresent());
    assertTrue(Stream.of("a", "b", "c", "d").anyMatch(key -> !guard.mightContain(key)));
    table.onKeys = () -> {};
    Guards.await(
        "it tries again by itself",
        () -> guard.state() == GuardState.READY && guard.stats().generation() > 1);
    assertEquals(Optional.empty(), guard.stats().lastError());
    assertTrue(guard.stats().rebuildFailures() >= 1);
    assertTrue(guard.get("new").isPresent());
  }

  @Test
  void anOutageWhileKeysAreReadPutsNoHalfFilterIntoService() throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    AtomicInteger keys = new AtomicInteger();
    table.onEachKey =
        () -> {
          if (keys.incrementAndGet() == 700) {
            throw new IOException("connection lost");
          }
        };
    Guard<String, String> guard = guards.open(Guards.builder(table).build());
    Guards.await("it failed", () -> guard.state() == GuardState.FAILED);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(guard.get("user-" + i).isPresent());
    }
    assertTrue(guard.mightContain("nobody"));
  }

  @Test
  void requestsWhileOneRunsAreForOneMoreThatBeginsAfterwards() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    Gate gate = new Gate();
    table.onKeys = gate::pass;
    CompletableFuture<Void> first = guard.rebuild();
    gate.awaitReached();
    assertEquals(GuardState.REBUILDING, guard.state());
    table.insert("elsewhere"); // too late for the one that runs
    CompletableFuture<Void> second = guard.rebuild();
    CompletableFuture<Void> third = guard.rebuild();
    third.cancel(true); // which concerns nobody else
    gate.open();
    Guards.result(first);
    Guards.result(second);
    assertTrue(guard.get("elsewhere").isPresent());
    assertEquals(3, table.scans.get());
    assertEquals(3, guard.stats().generation());
  }

  @Test
  void aSourceThatHangsIsGivenUpAndCostsOneThread() throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Guard<String, String> guard =
        Guards.ready(
            Guards.builder(table)
                .name("hang")
                .pause(Duration.ofMillis(20))
                .patience(Duration.ofMillis(200)))) {
      Gate gate = new Gate();
      AtomicInteger hanging = new AtomicInteger();
      table.onEachKey =
          () -> {
            hanging.incrementAndGet();
            gate.passWhateverComes();
          };
      TimeoutException stalled =
          assertThrows(TimeoutException.class, () -> Guards.result(guard.rebuild()));
      assertTrue(stalled.getMessage().contains("must yield its next key"), stalled.getMessage());
      assertEquals(GuardState.FAILED, guard.state());
      Thread.sleep(200); // no other is begun
      assertEquals(1, hanging.get());
      assertTrue(guard.get("ada").isPresent());
      table.onEachKey = () -> {};
      gate.open();
      Guards.await("it goes on", () -> guard.state() == GuardState.READY);
    }
    Guards.await("no thread is left", () -> Guards.threads("hang").isEmpty());
  }

  @Test
  void whoAwaitsAFilterThatWasGivenUpTakesNoProcessorTime() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Gate gate = new Gate();
    table.onEachKey = gate::passWhateverComes;
    Guard<String, String> guard = Guards.builder(table).patience(Duration.ofMillis(50)).build();
    try {
      Guards.await("it was given up", () -> guard.state() == GuardState.FAILED);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadCpuTime();
      TimeoutException none =
          assertThrows(TimeoutException.class, () -> guard.awaitFilter(Duration.ofSeconds(1)));
      assertTrue(none.getMessage().contains("must yield its next key"), none.getMessage());
      assertEquals(0.0, (double) (threads.getCurrentThreadCpuTime() - before), 1e8);
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> assertThrows(IllegalStateException.class, () -> guard.awaitFilter(Guards.LONG)),
              task -> new Thread(task).start());
      guard.close();
      Guards.result(waiting);
    } finally {
      gate.open();
    }
  }

  @Test
  void closingInterruptsARebuildAndLeavesNoThread() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = Guards.ready(Guards.builder(table).name("close"));
    table.onKeys = () -> Thread.sleep(60_000);
    CompletableFuture<Void> running = guard.rebuild();
    CompletableFuture<Void> queued = guard.rebuild();
    guard.close();
    assertThrows(IllegalStateException.class, () -> Guards.result(running));
    assertThrows(IllegalStateException.class, () -> Guards.result(queued));
    Guards.await("no thread is left", () -> Guards.threads("close").isEmpty());
  }

  @Test
  void aWriteThatDoesNotEndIsToldAndWaitedForAgain() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard =
        guards.ready(Guards.builder(table).patience(Duration.ofMillis(100)));
    Gate gate = new Gate();
    CompletableFuture<Void> write =
        CompletableFuture.runAsync(
            () ->
                guard.write(
                    "slow",
                    () -> {
                      gate.pass();
                      table.insert("slow");
                    }));
    gate.awaitReached();
    for (int i = 0; i < 2; i++) {
      TimeoutException tooLong =
          assertThrows(TimeoutException.class, () -> Guards.result(guard.rebuild()));
      assertTrue(tooLong.getMessage().contains("a write must end within"), tooLong.getMessage());
    }
    assertEquals(1, table.scans.get());
    gate.open();
    Guards.result(write);
    Guards.result(guard.rebuild());
    assertTrue(guard.get("slow").isPresent());
  }

  @Test
  void aGuardIsRebuiltOnSchedule() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard =
        guards.ready(Guards.builder(table).rebuildEvery(Duration.ofMillis(30)));
    Guards.await("rebuilt three times", () -> guard.stats().rebuilds() >= 3);
  }

  @Test
  void moreKeysThanExpectedAreKeptAndDemandALargerFilter() throws Exception {
    MemorySource table = MemorySource.of("user-", 2_000);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(500).fpp(0.01), table)
                .pause(Duration.ofMillis(50)));
    for (int i = 0; i < 2_000; i++) {
      assertTrue(guard.get("user-" + i).isPresent());
    }
    Guards.await(
        "a filter that is large enough",
        () -> guard.stats().filter().map(stats -> stats.expectedKeys() > 2_000).orElse(false));
    assertFalse(guard.stats().filter().orElseThrow().isOverfull());
    assertTrue(guard.get("user-7").isPresent());
  }

  /** How many keys there are, for one of 500 that are expected, whatever the filter may take. */
  static Stream<Arguments> tables() {
    return Stream.concat(
        FilterProviders.installed().all().stream()
            .flatMap(
                provider -> {
                  boolean removes = RemovableFilter.class.isAssignableFrom(provider.filterType());
                  return Stream.of(
                      arguments(provider, removes ? 20_000 : 100_000, 0),
                      arguments(provider, 5_000, removes ? 12_000 : 3_000));
                }),
        Stream.of(
            arguments(new StandardProvider(), 2_000, 0),
            arguments(new PartitionedProvider(), 100_000, 700),
            arguments(new PartitionedProvider(), 300_000, 700)));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aRebuildPlansForTheKeysThatThereAre(FilterProvider variant, int keys, int maxBytes)
      throws Exception {
    MemorySource table = MemorySource.of("user-", keys);
    FilterBuilder<String> filter = Bloomery.strings().expect(500).variant(variant).fpp(0.01);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(maxBytes == 0 ? filter : filter.maxBytes(maxBytes), table)
                .pause(Duration.ofHours(1)));
    Guards.result(guard.rebuild());
    assertTrue(table.scans.get() <= 3, () -> table.scans + " readings of the source");
    GuardStats stats = guard.stats();
    assertEquals(GuardState.READY, stats.state(), stats::toString);
    // With less than a bit for each key, all of them are set.
    boolean hopeless = maxBytes != 0 && 8 * maxBytes < keys;
    assertEquals(hopeless, stats.filter().orElseThrow().isOverfull(), stats::toString);
    // Of 10,000 at 1 % hardly ever more than 160, by six standard deviations.
    long passed = IntStream.range(0, 10_000).filter(i -> guard.mightContain("nobody-" + i)).count();
    assertTrue(passed <= (maxBytes == 0 ? 160 : 10_000), passed + " of 10,000");
    for (int i = 0; i < keys; i++) {
      assertTrue(guard.mightContain("user-" + i));
    }
    // What was refused once is asked for again: the table shrinks.
    table.rows.keySet().removeIf(key -> key.length() > "user-99".length());
    table.insert("elsewhere");
    Guards.result(guard.rebuild());
    Guards.result(guard.rebuild());
    assertTrue(guard.get("elsewhere").isPresent());
    assertEquals(500, guard.stats().filter().orElseThrow().expectedKeys());
    assertTrue(guard.stats().lastError().isEmpty());
  }

  @Test
  void aFilterThatMayNotGrowAnyFurtherLetsEveryKeyThrough() throws Exception {
    MemorySource table = MemorySource.of("user-", 100);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(
                    Bloomery.strings()
                        .expect(100)
                        .variant(new ScalableProvider())
                        .fpp(0.01)
                        .maxBytes(1_000),
                    table)
                .pause(Duration.ofHours(1)));
    table.onKeys = MemorySource.failing(new IOException("no connection"));
    for (int i = 0; i < 5_000; i++) {
      String key = "new-" + i;
      guard.write(key, () -> table.insert(key));
      assertTrue(guard.mightContain(key));
    }
    for (int i = 0; i < 5_000; i++) {
      assertTrue(guard.get("new-" + i).isPresent());
    }
    Guards.await("it says so", () -> guard.state() == GuardState.FAILED);
    assertTrue(guard.mightContain("nobody"));
    table.onKeys = () -> {};
    Guards.result(guard.rebuild());
    assertEquals(GuardState.READY, guard.state());
    assertTrue(guard.get("new-7").isPresent());
  }

  @Test
  void keysThatWereDeletedDemandARebuild() throws Exception {
    MemorySource table = MemorySource.of("user-", 2_000);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(2_000).fpp(0.01), table)
                .pause(Duration.ofMillis(50))
                .rebuildAtRate(3));
    for (int i = 0; i < 1_000; i++) {
      String key = "user-" + i;
      guard.delete(key, () -> table.delete(key));
    }
    // A rebuild that began between deletes leaves some in, for which another comes.
    Guards.await(
        "rebuilt without them",
        () -> {
          askForDeleted(guard);
          return guard.stats().filter().orElseThrow().approximateKeys().orElseThrow() < 1_100;
        });
    // A filter is in place a moment before its rebuild counts as done.
    assertTrue(guard.stats().generation() > 1, () -> guard.stats().toString());
  }

  private static void askForDeleted(Guard<String, String> guard) {
    for (int i = 0; i < 1_000; i++) {
      guard.get("user-" + i);
      guard.get("nobody-" + i);
    }
  }

  @Test
  void nullsOfTheSourceAreNamedAndDuplicatesAreKeys() throws Exception {
    GuardSource<String, String> nullKey =
        GuardSource.of(() -> Stream.of("ada", "ada", null, "bob"), key -> Optional.empty());
    GuardSource<String, String> nullStream = GuardSource.of(() -> null, key -> Optional.empty());
    try (Guard<String, String> key = Guard.builder(Bloomery.strings().expect(10), nullKey).build();
        Guard<String, String> stream =
            Guard.builder(Bloomery.strings().expect(10), nullStream).build()) {
      Guards.await("both failed", () -> key.stats().lastError().isPresent());
      Guards.await("both failed", () -> stream.stats().lastError().isPresent());
      assertTrue(
          key.stats().lastError().orElseThrow().contains("number 3 was; leave nulls out"),
          () -> key.stats().toString());
      assertTrue(
          stream.stats().lastError().orElseThrow().contains("a stream of its keys"),
          () -> stream.stats().toString());
      assertTrue(key.mightContain("eve"));
    }
    GuardSource<String, String> twice =
        GuardSource.of(() -> Stream.of("ada", "ada", "bob", "ada"), key -> Optional.of("value"));
    Guard<String, String> guard =
        guards.ready(Guard.builder(Bloomery.strings().expect(10).variant("counting"), twice));
    assertTrue(guard.get("ada").isPresent() && guard.get("bob").isPresent());
  }

  @Test
  void theStreamOfKeysIsClosedHoweverTheRebuildEnds() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    Stream<String> good = Stream.of("ada").onClose(closed::incrementAndGet);
    Stream<String> bad = Stream.of("ada", null).onClose(closed::incrementAndGet);
    AtomicInteger calls = new AtomicInteger();
    GuardSource<String, String> source =
        GuardSource.of(() -> calls.getAndIncrement() == 0 ? good : bad, key -> Optional.empty());
    Guard<String, String> guard =
        guards.ready(Guard.builder(Bloomery.strings().expect(10), source));
    assertThrows(SourceException.class, () -> Guards.result(guard.rebuild()));
    assertEquals(2, closed.get());
  }

  @Test
  void thatMoreKeysCameThanWereExpectedIsSaidOnce() throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Log log = new Log();
        Guard<String, String> guard = Guards.ready(Guards.builder(table).name("crowded"))) {
      overfill(guard, "first");
      Guards.await("a warning", () -> log.warnings("crowded: more keys came") > 0);
      for (int i = 1; i <= 10; i++) {
        for (int j = 0; j < 10_000 * i; j++) {
          table.insert(i + "-" + j);
        }
        Guards.result(guard.rebuild());
      }
      assertEquals(1, log.warnings("crowded: more keys came"), log.toString());
    }
  }

  private static void overfill(Guard<String, String> guard, String prefix) {
    for (int i = 0; i < 30_000; i++) {
      guard.created(prefix + i);
    }
  }

  @Test
  void aRequestThatWaitsForAThreadThatHangsIsTold() throws Exception {
    Gate gate = new Gate();
    boolean[] first = {true};
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(
                    Bloomery.strings().expect(10),
                    GuardSource.<String, String>of(
                        () -> {
                          if (!first[0]) {
                            gate.passWhateverComes();
                          }
                          first[0] = false;
                          return Stream.of("ada");
                        },
                        Optional::of))
                .pause(Duration.ofHours(1))
                .patience(Duration.ofMillis(100)));
    CompletableFuture<Void> hanging = guard.rebuild();
    assertThrows(TimeoutException.class, () -> Guards.result(hanging));
    TimeoutException told =
        assertThrows(TimeoutException.class, () -> Guards.result(guard.rebuild()));
    assertTrue(told.getMessage().contains("still holds the thread"), told::toString);
    gate.open();
    Guards.await(
        "a rebuild succeeds",
        () -> {
          try {
            Guards.result(guard.rebuild());
            return true;
          } catch (Exception e) {
            return false;
          }
        });
  }

  @Test
  void aFailedRebuildIsTriedAgainWhenTheLogSaysSo() {
    Duration minute = Duration.ofMinutes(1);
    RebuildRules rules = new RebuildRules(Optional.of(Duration.ofSeconds(2)), minute, minute, 2);
    assertEquals(Duration.ofSeconds(2), rules.shortestPause());
    assertEquals(
        minute,
        new RebuildRules(Optional.of(Duration.ofHours(2)), minute, minute, 2).shortestPause());
    assertEquals(minute, RebuildRules.DEFAULTS.shortestPause());
  }

  @Test
  void anUnclosedGuardStopsOnceItIsCollected() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Guard<String, String> guard =
        Guard.builder(
                Bloomery.strings().expect(10),
                GuardSource.<String, String>of(
                    () -> {
                      reads.incrementAndGet();
                      return Stream.of("ada");
                    },
                    Optional::of))
            .name("forgotten")
            .rebuildEvery(Duration.ofMillis(1))
            .build();
    Guards.await("it rebuilds", () -> reads.get() > 10);
    WeakReference<Object> collected = new WeakReference<>(guard);
    guard = null;
    Guards.await(
        "its threads end",
        () -> {
          System.gc();
          return collected.get() == null && Guards.threads("forgotten").isEmpty();
        });
  }
}
