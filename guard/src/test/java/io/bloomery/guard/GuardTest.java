package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProviders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  static List<String> variants() {
    return FilterProviders.installed().variants();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void aGuardOfAnyVariantKeepsAbsentKeysFromTheSourceAndFindsTheOthers(String variant)
      throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(
                Bloomery.strings().expect(1_000).fpp(0.01).variant(variant).confined(), table));
    for (int i = 0; i < 1_000; i++) {
      assertEquals(Optional.of("value of user-" + i), guard.get("user-" + i));
    }
    long before = table.loads.sum();
    for (int i = 0; i < 10_000; i++) {
      assertEquals(Optional.empty(), guard.get("nobody-" + i));
    }
    // 100 are to be expected, 200 in fewer than one of 10^15 runs.
    assertTrue(table.loads.sum() - before < 200, () -> table.loads + " loads");
  }

  @Test
  void aWriteWorksFromItsReturnOnWhateverWasCachedOfItsKey() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    assertEquals(Optional.empty(), guard.get(key)); // and is now known to be absent
    assertFalse(guard.mightContain(key));
    assertEquals(
        5, guard.<Integer, RuntimeException>write(key, () -> writeAndAsk(guard, table, key)));
    assertTrue(guard.mightContain(key));
    assertEquals(Optional.of("value of " + key), guard.get(key));
    guard.write(key, () -> table.rows.put(key, "another"));
    assertEquals(Optional.of("another"), guard.get(key));
  }

  private static int writeAndAsk(Guard<String, String> guard, MemorySource table, String key) {
    guard.get(key); // confirms once more that it is absent
    table.insert(key);
    return 5;
  }

  @Test
  void anActionThatThrowsLeavesTheKeyMaybeThere() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    IOException failure = new IOException("disk full");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                guard.write(
                    "bob",
                    () -> {
                      throw failure;
                    }));
    assertEquals(failure, thrown);
    assertTrue(guard.mightContain("bob"));
    table.insert("bob"); // as if it had been written all the same
    assertTrue(guard.get("bob").isPresent());
    Guards.result(guard.rebuild()); // which waits for no write that has failed
  }

  /** Each interleaving of a load that has its answer with a report of its key. */
  @Test
  void aReportWithdrawsAnAbsenceAlsoFromALoadInFlight() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    Gate gate = new Gate();
    table.onLoad = gate::pass;
    CompletableFuture<Optional<String>> single =
        CompletableFuture.supplyAsync(() -> guard.get(key));
    gate.awaitReached();
    table.insert(key);
    guard.created(key);
    table.onLoad = () -> {};
    assertEquals(Optional.of("value of " + key), guard.get(key)); // does not wait for that one
    gate.open();
    assertEquals(Optional.empty(), Guards.result(single));
    assertTrue(guard.mightContain(key));
    assertEquals(Optional.of("value of " + key), guard.get(key));
  }

  @Test
  void aBatchInFlightKeepsNothingOfAKeyThatIsReported() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    Gate gate = new Gate();
    table.onLoad = gate::pass;
    CompletableFuture<Map<String, String>> batch =
        CompletableFuture.supplyAsync(() -> guard.getAll(List.of("ada", key)));
    gate.awaitReached();
    table.onLoad = () -> {};
    guard.write(key, () -> table.insert(key));
    guard.write("ada", () -> table.rows.put("ada", "another"));
    gate.open();
    assertEquals(Map.of("ada", "value of ada"), Guards.result(batch));
    assertEquals(Optional.of("value of " + key), guard.get(key));
    assertEquals(Optional.of("another"), guard.get("ada"));
  }

  @Test
  void aBatchAsksTheSourceOnceForWhatTheFilterLetsThrough() throws Exception {
    MemorySource table = MemorySource.of("user-", 100);
    Guard<String, String> guard = guards.ready(table);
    List<String> asked = new ArrayList<>(List.of("user-7", "user-3", "user-7"));
    for (int i = 0; i < 1_000; i++) {
      asked.add("nobody-" + i);
    }
    Map<String, String> found = guard.getAll(asked);
    assertEquals(List.of("user-7", "user-3"), List.copyOf(found.keySet()));
    assertEquals("value of user-3", found.get("user-3"));
    assertEquals(1, table.batches.get());
    assertEquals(found, guard.getAll(asked)); // from the cache, and what is known to be absent
    assertEquals(1, table.batches.get());
    assertEquals(0, table.loads.sum());
    GuardStats stats = guard.stats();
    assertEquals(2 * 1_002, stats.lookups());
    assertEquals(2 * 1_002, stats.absent() + stats.maybe());
    assertEquals(Map.of(), guard.getAll(List.of()));
  }

  /** One by one or all at once: of the keys that pass, the source is asked for each once. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheSourceHasAnsweredIsNotAskedAgainAndIsCounted(boolean asBatch) throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    Set<String> asked = ConcurrentHashMap.newKeySet();
    table.onLoadOf =
        keys -> keys.forEach(key -> assertTrue(asked.add(key), () -> key + " was asked again"));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add("nobody-" + i);
    }
    long present = 70;
    for (int i = 0; i < present; i++) {
      keys.add("user-" + i);
    }
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(1_000).fpp(0.1), table)
                .pause(Duration.ofHours(1)));
    for (long round = 0; round < 2; round++) {
      if (asBatch) {
        assertEquals(present, guard.getAll(keys).size());
      } else {
        assertEquals(present, keys.stream().filter(key -> guard.get(key).isPresent()).count());
      }
      GuardStats stats = guard.stats();
      long absent = asked.size() - present;
      assertTrue(absent > 0);
      assertEquals((round + 1) * asked.size(), stats.maybe());
      assertEquals((round + 1) * (keys.size() - asked.size()), stats.absent());
      assertEquals(round * present, stats.cached());
      assertEquals(round * absent, stats.knownAbsent());
      assertEquals(absent, stats.knownAbsences());
    }
    // Absences hold for one filter, and values for longer.
    long absent = asked.size() - present;
    for (int rebuild = 0; rebuild < 2; rebuild++) {
      asked.clear();
      Guards.result(guard.rebuild());
      for (int round = 0; round < 2; round++) {
        keys.forEach(key -> assertEquals(key.startsWith("user"), guard.get(key).isPresent()));
        assertEquals(absent, asked.size());
      }
    }
  }

  @Test
  void batchesThatShareKeysInAnyOrderDoNotWaitForEachOtherForEver() throws Exception {
    MemorySource table = MemorySource.of("user-", 50);
    Guard<String, String> guard =
        guards.ready(
            Guards.builder(table)
                .answers(AnswerLimits.defaults().values(0, Duration.ofSeconds(1))));
    List<CompletableFuture<Void>> batches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SplittableRandom random = new SplittableRandom(i);
      batches.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 200; round++) {
                  List<String> keys =
                      random.ints(10, 0, 50).distinct().mapToObj(n -> "user-" + n).toList();
                  assertEquals(keys, List.copyOf(guard.getAll(keys).keySet()));
                }
              }));
    }
    for (CompletableFuture<Void> batch : batches) {
      Guards.result(batch);
    }
  }

  @Test
  void aDeletedKeyIsConfirmedOnceAndFoundAgainWhenItIsWritten() throws Exception {
    MemorySource table = MemorySource.of("ada", "bob");
    Guard<String, String> guard = guards.ready(table);
    guard.get("ada");
    assertTrue(guard.delete("ada", () -> table.delete("ada")));
    assertFalse(guard.delete("ada", () -> table.delete("ada")));
    long before = table.loads.sum();
    for (int i = 0; i < 5; i++) {
      assertEquals(Optional.empty(), guard.get("ada"));
    }
    assertEquals(1, table.loads.sum() - before);
    guard.write("ada", () -> table.insert("ada"));
    assertTrue(guard.get("ada").isPresent());
    assertThrows(
        IOException.class,
        () ->
            guard.delete(
                "bob",
                () -> {
                  throw new IOException("no connection");
                }));
    assertTrue(guard.get("bob").isPresent());
  }

  /** Reports of what happened elsewhere, each up to three times and in any order. */
  @ParameterizedTest
  @ValueSource(strings = {"standard", "counting"})
  void reportsThatComeTwiceAndInAnyOrderLoseNoKey(String variant) throws Exception {
    SplittableRandom random = new SplittableRandom(27);
    MemorySource table = MemorySource.of("user-", 200);
    // So full that a count taken wrongly would be missed.
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(200).fpp(0.3).variant(variant), table)
                .pause(Duration.ofHours(1)));
    List<Runnable> reports = new ArrayList<>();
    for (int round = 0; round < 2_000; round++) {
      String key = "user-" + random.nextInt(300);
      if (random.nextBoolean()) {
        table.insert(key);
        repeat(random, reports, () -> guard.created(key));
      } else {
        table.delete(key);
        repeat(random, reports, () -> guard.deleted(key));
      }
      while (reports.size() > 20) {
        reports.remove(random.nextInt(reports.size())).run();
      }
      guard.get("user-" + random.nextInt(300));
    }
    while (!reports.isEmpty()) {
      reports.remove(random.nextInt(reports.size())).run();
    }
    assertTrue(table.rows.size() > 100);
    for (String key : table.rows.keySet()) {
      assertTrue(guard.get(key).isPresent(), key);
    }
  }

  private static void repeat(SplittableRandom random, List<Runnable> reports, Runnable report) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      reports.add(report);
    }
  }

  @Test
  void aGuardThatRemovesForgetsAKeyThatItsDeleteHasDeletedAndNoOther() throws Exception {
    MemorySource table = MemorySource.of("user-", 500);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(500).fpp(0.01), table).removeDeleted());
    for (int i = 0; i < 250; i++) {
      String key = "user-" + i;
      assertTrue(guard.delete(key, () -> table.delete(key)));
      // One that the source has not takes nothing back, though the filter may let it through.
      assertFalse(guard.delete("nobody-" + i, () -> table.delete("nobody")));
    }
    long through = 0;
    for (int i = 0; i < 250; i++) {
      through += guard.mightContain("user-" + i) ? 1 : 0;
      assertTrue(guard.get("user-" + (250 + i)).isPresent());
    }
    assertTrue(through < 20, through + " of 250 are still let through");
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> guard.created("user-0"));
    assertTrue(refused.getMessage().contains("leave out removeDeleted()"), refused.getMessage());
  }

  @Test
  void aDeleteDuringARebuildTakesNothingBackFromTheFilterThatIsFilled() throws Exception {
    MemorySource table = MemorySource.of("user-", 200);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(200).fpp(0.4), table)
                .pause(Duration.ofHours(1))
                .removeDeleted());
    Gate gate = new Gate();
    table.onKeys = gate::pass;
    CompletableFuture<Void> rebuild = guard.rebuild();
    gate.awaitReached(); // the snapshot was taken, no key of it is in the new filter
    for (int i = 0; i < 100; i++) {
      String key = "user-" + i;
      assertTrue(guard.delete(key, () -> table.delete(key)));
    }
    gate.open();
    Guards.result(rebuild);
    for (int i = 100; i < 200; i++) {
      assertTrue(guard.get("user-" + i).isPresent());
    }
  }

  @Test
  void anotherSourceIsAskedOnlyForKeysThatMayBeThereAndItsAbsencesCount() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard = guards.ready(table);
    assertEquals(Optional.of(3), guard.get("ada", key -> Optional.of(key.length())));
    String key = Guards.falsePositive(guard);
    assertEquals(Optional.empty(), guard.get(key, same -> Optional.empty()));
    assertFalse(guard.mightContain(key));
    assertEquals(
        Optional.empty(),
        guard.get(
            key,
            same -> {
              throw new AssertionError("was asked");
            }));
    assertEquals(0, table.loads.sum());
  }

  @Test
  void confirmedAbsencesAreBoundedInNumberAndTime() throws Exception {
    MemorySource table = MemorySource.of("ada");
    CountDownLatch never = new CountDownLatch(1);
    table.onKeys = () -> Guards.await(never); // every key may be there
    Guard<String, String> guard =
        guards.open(
            Guards.builder(table)
                .answers(AnswerLimits.defaults().absences(100, Duration.ofMillis(300)))
                .build());
    for (int i = 0; i < 1_000; i++) {
      guard.get("nobody-" + i);
    }
    assertTrue(guard.stats().knownAbsences() <= 100, () -> guard.stats().toString());
    table.insert("elsewhere"); // which is not reported
    guard.get("nobody");
    assertFalse(guard.mightContain("nobody"));
    Guards.await("its absence is too old", () -> guard.mightContain("nobody"));
    never.countDown();
  }

  @Test
  void whatCannotBeAKeyIsRefusedBeforeAnythingIsDone() throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Guard<String, String> guard = Guards.ready(table)) {
      Guard.VoidAction<RuntimeException> never =
          () -> {
            throw new AssertionError("was run");
          };
      for (Runnable call :
          List.<Runnable>of(
              () -> guard.get(null),
              () -> guard.mightContain(null),
              () -> guard.getAll(Arrays.asList("ada", null)),
              () -> guard.write(null, never),
              () -> guard.created(null),
              () -> guard.deleted(null),
              () -> guard.delete(null, () -> true))) {
        NullPointerException refused = assertThrows(NullPointerException.class, call::run);
        assertTrue(refused.getMessage().contains("must not be null"), refused.getMessage());
      }
      assertEquals(0, table.loads.sum() + table.batches.get());
      Guards.result(guard.rebuild()); // no write is left open
    }
    GuardSource<byte[], String> bytes =
        GuardSource.of(() -> List.of(new byte[] {1}).stream(), key -> Optional.of("one"));
    Guard<byte[], String> guard =
        guards.ready(Guard.builder(Bloomery.byteArrays().expect(10), bytes));
    for (Runnable call :
        List.<Runnable>of(
            () -> guard.get(new byte[] {1}),
            () -> guard.get(new byte[] {2}),
            () -> guard.get(new byte[] {2}, key -> Optional.empty()),
            () -> guard.getAll(List.of(new byte[] {2})),
            () -> guard.mightContain(new byte[] {2}),
            () -> guard.created(new byte[] {1}))) {
      IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call::run);
      assertTrue(refused.getMessage().contains("byte[]"), refused.getMessage());
    }
  }

  @Test
  void builderAndLimitsSayWhatMustHold() {
    GuardBuilder<String, String> builder = Guards.builder(new MemorySource());
    assertThrows(IllegalArgumentException.class, () -> builder.name(" "));
    assertThrows(IllegalArgumentException.class, () -> builder.rebuildEvery(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.pause(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> builder.patience(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.rebuildAtRate(0.5));
    assertThrows(IllegalArgumentException.class, () -> builder.rebuildAtRate(Double.NaN));
    AnswerLimits limits = AnswerLimits.defaults();
    assertThrows(IllegalArgumentException.class, () -> limits.values(-1, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> limits.absences(1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> limits.loadTimeout(Duration.ZERO));
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Guard.builder(
                            Bloomery.strings().expect(10).variant("standard"), new MemorySource())
                        .removeDeleted()
                        .build())
            .getMessage()
            .contains("standard"));
  }

  @Test
  void aClosedGuardRefusesEveryQuestionAndRunsNoAction() throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard =
        Guards.ready(
            Guards.builder(table)
                .name("closed")
                .answers(AnswerLimits.defaults().loadTimeout(Duration.ofSeconds(20))));
    guard.get("ada");
    guard.close();
    guard.close();
    assertEquals(GuardState.CLOSED, guard.state());
    assertEquals(1, guard.stats().cached() + guard.stats().loads());
    for (Runnable call :
        List.<Runnable>of(
            () -> guard.get("ada"),
            () -> guard.mightContain("nobody"),
            () -> guard.getAll(List.of("ada")),
            () -> guard.write("ada", () -> table.insert("eve")),
            () -> guard.created("eve"),
            () -> guard.deleted("eve"),
            () -> guard.delete("ada", () -> table.delete("ada")),
            () -> {
              CompletableFuture<Void> unused = guard.rebuild();
            })) {
      IllegalStateException refused = assertThrows(IllegalStateException.class, call::run);
      assertTrue(refused.getMessage().contains("guard closed must be open"), refused.getMessage());
    }
    assertNull(table.rows.get("eve"));
    assertTrue(table.rows.containsKey("ada"));
    Guards.await("no thread is left", () -> Guards.threads("closed").isEmpty());
  }
}
