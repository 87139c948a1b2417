package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long random walks of puts and removes, every step against an exact counter of each position. */
class CountingWalkTest {

  private static final int EXPECTED_KEYS = 2_000;

  /** A filter, and what it should hold. */
  private static final class Walk {

    private final CounterBlockFilter<?> filter;
    private final long[] hashes;
    private final int[] times; // that each is in the filter
    private final long[][] positions; // of each, without those that coincide
    private final long[] exact; // by position

    Walk(CountingVariant variant, double rate, int keys, SplittableRandom random) {
      FilterSpec spec = FilterSpec.of(EXPECTED_KEYS, rate);
      this.filter = variant.create(spec, ThreadMode.CONFINED);
      CountingLayout layout = variant.layout(filter);
      this.hashes = random.longs(keys).toArray();
      this.times = new int[keys];
      this.positions =
          Arrays.stream(hashes)
              .mapToObj(hash -> variant.provider().positions(hash, layout.bits(), layout.probes()))
              .map(all -> Arrays.stream(all.orElseThrow()).distinct().toArray())
              .toArray(long[][]::new);
      this.exact = new long[(int) layout.bits()];
    }

    long least(int key) {
      return Arrays.stream(positions[key]).map(at -> exact[(int) at]).min().orElseThrow();
    }

    void put(int key) {
      assertEquals(least(key) == 0, filter.put(hashes[key]));
      times[key]++;
      add(key, 1);
    }

    void remove(int key) {
      assertTrue(filter.remove(hashes[key]));
      times[key]--;
      add(key, -1);
    }

    private void add(int key, int more) {
      for (long at : positions[key]) {
        exact[(int) at] += more;
      }
      assertEquals(least(key), filter.approximateCount(hashes[key]));
    }

    void checkAll() {
      for (int i = 0; i < hashes.length; i++) {
        long count = filter.approximateCount(hashes[i]);
        assertEquals(least(i), count);
        assertTrue(count >= times[i], "a count is never too low");
      }
    }
  }

  @ParameterizedTest(name = "{0} at {1}, load {2}, hot {3}: {4} steps by night")
  @CsvSource({
    "SMALL, 0.01, 1, 1, 1_000_000",
    "SMALL, 0.01, 3, 1, 1_000_000",
    "SMALL, 0.01, 1, 8, 1_000_000",
    "SMALL, 0.9, 1, 1, 200_000",
    "SMALL, 0.2, 1, 1, 200_000",
    "SMALL, 0.05, 3, 1, 200_000",
    "SMALL, 0.05, 1, 8, 200_000",
    "SMALL, 0.001, 1, 1, 200_000",
    "SMALL, 0.001, 3, 8, 200_000",
    "SMALL, 1e-4, 3, 1, 200_000",
    "SMALL, 1e-5, 1, 8, 200_000",
    "FAST, 0.01, 1, 1, 1_000_000",
    "FAST, 0.01, 3, 1, 1_000_000",
    "FAST, 0.01, 1, 8, 1_000_000",
    "FAST, 0.9, 1, 1, 200_000",
    "FAST, 0.2, 1, 1, 200_000",
    "FAST, 0.05, 3, 1, 200_000",
    "FAST, 0.05, 1, 8, 200_000",
    "FAST, 0.001, 1, 1, 200_000",
    "FAST, 0.001, 3, 8, 200_000",
    "FAST, 2e-4, 1, 8, 200_000"
  })
  @Retention(RetentionPolicy.RUNTIME)
  @interface EachWalk {}

  @EachWalk
  void everyStepCountsExactly(
      CountingVariant variant, double rate, double load, int hot, int steps) {
    check(variant, rate, load, hot, steps / 5);
  }

  @EachWalk
  @Tag("nightly")
  void everyStepOfALongWalkCountsExactly(
      CountingVariant variant, double rate, double load, int hot, int steps) {
    check(variant, rate, load, hot, steps);
  }

  /**
   * Once the walk is at its load, a key is as often put as removed.
   *
   * @param load keys in the filter for each that was expected
   * @param hot the power by which some keys are drawn more often than others
   */
  private static void check(CountingVariant variant, double rate, double load, int hot, int steps) {
    SplittableRandom random = new SplittableRandom(steps + hot);
    int inFilter = (int) (load * EXPECTED_KEYS);
    Walk walk = new Walk(variant, rate, 2 * inFilter, random);
    int puts = 0;
    for (int step = 0; step < steps; step++) {
      int key = (int) (walk.hashes.length * Math.pow(random.nextDouble(), hot));
      boolean up = puts < inFilter * random.nextDouble(0.5, 1.5);
      if (up) {
        walk.put(key);
        puts++;
      } else if (walk.times[key] > 0) {
        walk.remove(key);
        puts--;
      }
      if (step % (steps / 10) == 0) {
        walk.checkAll();
      }
    }
    assertTrue(puts > inFilter / 3, puts + " in the filter");
    walk.checkAll();
    for (int key = 0; key < walk.times.length; key++) {
      while (walk.times[key] > 0) {
        walk.remove(key);
      }
    }
    assertArrayEquals(
        PayloadWords.of(variant.create(walk.filter.spec(), ThreadMode.CONFINED)),
        PayloadWords.of(walk.filter));
  }
}
