package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeasuredRateTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  /** 500,000 unknown keys in four rounds: the allow list answers in three of them. */
  @Test
  void theRateIsInItsIntervalWhileTheAllowListWorks() throws Exception {
    MemorySource table = MemorySource.of("user-", 10_000);
    Guard<String, String> guard =
        guards.ready(
            Guards.builder(table)
                .answers(AnswerLimits.defaults().absences(20_000, Duration.ofHours(1))));
    double exact = guard.stats().filter().orElseThrow().falsePositiveRate();
    long first = 0;
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 500_000; i++) {
        guard.get("nobody-" + i);
      }
      first = round == 0 ? table.loads.sum() : first;
      MeasuredRate rate = guard.stats().measuredRate().orElseThrow();
      // Fixed keys: that the interval misses the rate is a matter of these, once and for all.
      assertTrue(rate.low() < exact && exact < rate.high(), rate + " and in truth " + exact);
      assertTrue(rate.high() - rate.low() < 0.007, rate.toString());
    }
    assertEquals(5_000, (double) first, 500);
    assertEquals(first, table.loads.sum());
    assertEquals(3 * first, guard.stats().knownAbsent());
  }

  @Test
  void aKeyCountsOnceHoweverOftenItIsAskedFor() throws Exception {
    MemorySource table = MemorySource.of("user-", 10_000);
    Guard<String, String> guard = guards.ready(table);
    String hot = Guards.falsePositive(guard);
    for (int i = 0; i < 100_000; i++) {
      guard.get(hot);
      guard.get("cold");
    }
    MeasuredRate rate = guard.stats().measuredRate().orElseThrow();
    assertTrue(rate.keys() <= 2, rate.toString());
    assertTrue(rate.falsePositives() <= 1, rate.toString());
  }

  @Test
  void aSampleIsBoundedAndFair() {
    AbsentKeySample sample = new AbsentKeySample();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000_000; i++) {
      long hash = random.nextLong();
      if (i % 20 == 0) {
        sample.letThrough(hash);
      } else {
        sample.keptBack(hash, true);
      }
    }
    MeasuredRate rate = sample.rate().orElseThrow();
    assertTrue(rate.keys() > 7_000 && rate.keys() <= 1 << 14, rate.toString());
    assertTrue(rate.low() < 0.05 && 0.05 < rate.high(), rate.toString());
  }

  /** By a caller that asks the source itself and by one that does not, in any order. */
  @Test
  void aKeyThatIsAskedForInBothWaysCountsOnceAsOneOfTheGuard() {
    SplittableRandom random = new SplittableRandom(3);
    AbsentKeySample sample = new AbsentKeySample();
    for (int keys = 1; keys <= 1_000; keys++) {
      long hash = random.nextLong();
      boolean asksSource = random.nextBoolean();
      sample.keptBack(hash, asksSource);
      sample.keptBack(hash, !asksSource);
      assertEquals(keys, sample.rate().orElseThrow().keys());
    }
    sample.reported(random.nextLong()); // keys that were only asked about count from now on
    assertEquals(1_001, sample.rate().orElseThrow().keys());
  }

  @Test
  void threadsThatAddTheSameKeysCountEachOnce() throws Exception {
    AbsentKeySample sample = new AbsentKeySample();
    CompletableFuture<?>[] threads = new CompletableFuture<?>[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          CompletableFuture.runAsync(
              () -> {
                for (long key = 0; key < 10_000; key++) {
                  sample.keptBack(key * 0x9e3779b97f4a7c15L, true);
                }
              });
    }
    Guards.result(CompletableFuture.allOf(threads));
    assertEquals(10_000, sample.rate().orElseThrow().keys());
  }

  /** The values of Wilson's interval for 99 in 100 that a table gives. */
  @Test
  void theIntervalIsWilsons() {
    MeasuredRate ten = new MeasuredRate(1_000, 10);
    assertEquals(10, ten.falsePositives());
    assertEquals(0.01, ten.rate());
    assertEquals(0.004530, ten.low(), 1e-6);
    assertEquals(0.021929, ten.high(), 1e-6);
    MeasuredRate zero = new MeasuredRate(100, 0);
    assertEquals(0, zero.low(), 1e-12);
    assertEquals(0.062221, zero.high(), 1e-6);
  }

  /** The ways of a caller that asks the source itself. */
  enum Caller {
    TELLS_NOTHING,
    REPORTS,
    ASKS_BOTH_WAYS,
    ASKS_ANOTHER_SOURCE
  }

  /**
   * The true rate is 0.1, of 20,000 absent keys, and a further 1,000 queries are of present ones.
   */
  @ParameterizedTest
  @EnumSource
  void whatPassesAndIsAbsentCountsWhereverItPasses(Caller caller) throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(Bloomery.strings().expect(1_000).fpp(0.1), table)
                .pause(Duration.ofHours(1))
                .rebuildAtRate(Double.POSITIVE_INFINITY));
    long reached = 0;
    for (int i = 0; i < 21_000; i++) {
      String key = i < 1_000 ? "user-" + i : "nobody-" + i;
      if (guard.mightContain(key) && !table.rows.containsKey(key)) {
        reached++;
        if (caller == Caller.REPORTS) {
          guard.notFound(key);
        }
      }
      if (caller == Caller.ASKS_BOTH_WAYS) {
        guard.get(key);
      }
      if (caller == Caller.ASKS_ANOTHER_SOURCE) {
        guard.get(key, other -> Optional.ofNullable(table.rows.get(other)));
      }
    }
    Optional<MeasuredRate> rate = guard.stats().measuredRate();
    if (caller == Caller.TELLS_NOTHING) {
      assertEquals(Optional.empty(), rate);
      assertTrue(guard.toString().contains("rate not measured"), guard.toString());
    } else {
      double truth = reached / 20_000.0;
      // 99 % of such intervals have it; these keys are always the same.
      assertTrue(
          rate.orElseThrow().low() < truth && truth < rate.orElseThrow().high(),
          caller + ": " + rate + ", " + truth);
    }
  }

  @Test
  void aRateIsEmptyWhileTheSourceHasNeverAnswered() throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    boolean[] down = {true};
    Guard<String, String> guard =
        guards.ready(
            Guard.builder(
                    Bloomery.strings().expect(1_000).fpp(0.1),
                    GuardSource.of(
                        table::keys,
                        key -> {
                          if (down[0]) {
                            throw new IOException("down");
                          }
                          return table.load(key);
                        }))
                .pause(Duration.ofHours(1)));
    for (int i = 0; i < 1_000; i++) {
      String key = "nobody-" + i;
      try {
        Optional<String> unused = guard.get(key);
      } catch (SourceException e) {
        assertEquals(Optional.empty(), guard.stats().measuredRate());
      }
    }
    down[0] = false;
    for (int i = 0; i < 1_000; i++) {
      guard.get("nobody-" + i);
    }
    assertEquals(0.1, guard.stats().measuredRate().orElseThrow().rate(), 0.05);
  }

  @Test
  void aKeyThatIsReportedWhileItIsAskedForIsNoFalsePositive() throws Exception {
    MemorySource table = new MemorySource();
    Guard<String, String> guard = guards.ready(table);
    String key = Guards.falsePositive(guard);
    table.onLoad = () -> guard.created(key);
    assertEquals(Optional.empty(), guard.get(key));
    assertEquals(Map.of(), guard.getAll(List.of(key)));
    assertEquals(Optional.empty(), guard.stats().measuredRate());
    table.onLoad = () -> {};
    assertEquals(Optional.empty(), guard.get(key));
    assertEquals(1, guard.stats().measuredRate().orElseThrow().falsePositives());
  }

  @Test
  void aRateIsEmptyWithoutAFilterOrAKey() throws Exception {
    MemorySource table = MemorySource.of("user-", 10);
    Guard<String, String> guard = guards.ready(table);
    assertEquals(Optional.empty(), guard.stats().measuredRate());
    assertTrue(guard.get("user-1").isPresent());
    assertEquals(Optional.empty(), guard.stats().measuredRate());
  }
}
