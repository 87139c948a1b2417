package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterStats;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedWindowTest {

  private static SlidingBloomFilter<Long> last(long keys, double rate) {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(rate)).create();
  }

  /** Where a key stands among the others, by the order in which they were put last. */
  private static final class Model {

    private final Set<Long> latestLast = new LinkedHashSet<>();
    private final Map<Long, Integer> newBefore = new HashMap<>();
    private int newKeys;

    /** Returns how many different other keys came since, or so many that no window has room. */
    int othersSince(long key) {
      if (!latestLast.contains(key)) {
        return Integer.MAX_VALUE;
      }
      int others = 0;
      for (long other : latestLast) {
        others = other == key ? 0 : others + 1;
      }
      return others;
    }

    /** Returns how many new ones came since, or so many that no window has room. */
    int newSince(long key) {
      return newBefore.containsKey(key) ? newKeys - newBefore.get(key) : Integer.MAX_VALUE;
    }

    void came(long key, boolean wasNew) {
      newKeys += wasNew ? 1 : 0;
      newBefore.put(key, newKeys);
      latestLast.remove(key);
      latestLast.add(key);
    }
  }

  /**
   * Both promises, on streams of six kinds, with one kind of put or both. False positives would
   * show as keys that are not forgotten; at 1e-9 none is to be expected in half a million questions
   * (5e-4), and seeds are fixed.
   */
  @Property(tries = 300, seed = "27")
  void theLastKeysAreRememberedAndOlderOnesForgotten(
      @ForAll @IntRange(min = 1, max = 60) int window,
      @ForAll @IntRange(min = 1, max = 300) int percent,
      @ForAll @IntRange(min = 0, max = 5) int kind,
      @ForAll @IntRange(min = 0, max = 2) int halvesIfAbsent,
      @ForAll long seed) {
    int keys = 1 + window * percent / 100;
    SplittableRandom random = new SplittableRandom(seed);
    IntUnaryOperator stream =
        List.<IntUnaryOperator>of(
                i -> random.nextInt(keys),
                i -> i % keys,
                i -> (int) (keys * Math.pow(random.nextDouble(), 4)),
                i -> i % 3 == 0 ? random.nextInt(keys) : i % Math.max(1, window / 2),
                i -> i % 2 == 0 ? 0 : 1 + (i / 2) % keys,
                i -> i / (4 * keys) % 2 == 0 ? i % Math.max(1, window - 1) : i)
            .get(kind);
    SlidingBloomFilter<Long> seen = last(window, 1e-9);
    Model model = new Model();
    for (int i = 0; i < 20 * window; i++) {
      long key = stream.applyAsInt(i);
      boolean isRecent = model.othersSince(key) < window;
      boolean isOld = model.newSince(key) >= (3 * window + 1) / 2;
      boolean isFound = seen.mightContain(key);
      assertTrue(isFound || !isRecent, "key " + i + " is one of the last " + window);
      assertFalse(isFound && isOld, "key " + i + " is older than 1.5 times " + window);
      boolean renews = random.nextInt(2) >= halvesIfAbsent;
      boolean isNew = renews ? seen.put(key) : seen.putIfAbsent(key);
      assertEquals(!isFound, isNew);
      if (renews || isNew) {
        model.came(key, isNew);
      }
    }
  }

  /** Wherever in a generation a key comes again, also in windows of odd numbers. */
  @Test
  void aKeyIsForgottenNeitherTooEarlyNorTooLate() {
    for (int window = 1; window <= 15; window++) {
      for (int before = 0; before <= 2 * window; before++) {
        for (int between = 0; between < window; between++) {
          SlidingBloomFilter<Long> seen = last(window, 1e-9);
          long fresh = 0;
          while (fresh < before) {
            seen.put(fresh++);
          }
          seen.put(-1L);
          while (fresh < before + between) {
            seen.put(fresh++);
          }
          seen.put(-1L);
          int others = 0;
          while (seen.mightContain(-1L)) {
            seen.put(fresh++);
            others++;
          }
          String what = others + " others, of " + window + ", after " + before + ", " + between;
          assertTrue(others >= window && others <= (3 * window + 1) / 2, what);
        }
      }
    }
  }

  @Test
  void aGenerationIsForgottenByTheLastOfThePutsThatAreTold() {
    for (int window = 1; window <= 15; window++) {
      SlidingFilter seen = last(window, 1e-9).filter();
      SplittableRandom random = new SplittableRandom(window);
      for (int i = 0; i < 50; i++) {
        long forgotten = seen.forgottenGenerations();
        for (long left = seen.putsBeforeForgetting(); left > 0; left--) {
          assertEquals(left, seen.putsBeforeForgetting());
          assertEquals(forgotten, seen.forgottenGenerations());
          assertTrue(seen.put(random.nextLong()));
        }
        assertEquals(forgotten + 1, seen.forgottenGenerations());
      }
    }
  }

  /** Six deviations above what is asked, and as many from what is stated: a chance of 1e-8. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void theRateIsTheOneAskedForAndTheOneStated(double rate) {
    int keys = 200_000;
    SlidingBloomFilter<Long> seen = last(2_000, rate);
    int wrong = 0;
    double stated = 0;
    for (int i = 0; i < keys; i++) {
      if (i % 100 == 0) {
        stated += 100 * seen.stats().falsePositiveRate();
      }
      wrong += seen.put((long) i) ? 0 : 1;
    }
    assertTrue(wrong <= rate * keys + 6 * Math.sqrt(rate * keys), wrong + "");
    assertEquals(stated, wrong, 6 * Math.sqrt(wrong));
  }

  /** Bits differ a little from what is expected of them: 2 % are allowed for that. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01})
  void keysThatKeepComingDoNotOverfillIt(double rate) {
    int window = 20_000;
    SlidingBloomFilter<Long> seen = last(window, rate);
    double highest = 0;
    for (int i = 0; i < 10 * window; i++) {
      seen.put((long) (i % (window * 13 / 10)));
      if (i % 1_000 == 0) {
        FilterStats stats = seen.stats();
        assertFalse(stats.isOverfull(), stats + "");
        highest = Math.max(highest, stats.falsePositiveRate());
      }
    }
    assertTrue(highest > 0.8 * rate && highest < 1.02 * rate, highest + "");
  }

  @Test
  void theRateBeforeForgettingIsTheHighestThatWas() {
    SlidingFilter seen = last(1_000, 0.1).filter();
    double highest = 0;
    long forgotten = 0;
    for (int i = 0; i < 5_000; i++) {
      double before = seen.stats().falsePositiveRate();
      seen.put(i * 0x9e3779b97f4a7c15L);
      highest = Math.max(highest, before);
      if (seen.forgottenGenerations() > forgotten) {
        forgotten++;
        double stated = seen.statsBeforeForgetting().falsePositiveRate();
        // The key that closes a generation is still in it.
        assertTrue(stated >= highest && stated < 1.02 * highest, stated + ", was " + highest);
        highest = 0;
      }
    }
    assertEquals(forgotten, seen.forgottenGenerations());
    assertTrue(forgotten >= 9, forgotten + " generations");
  }
}
