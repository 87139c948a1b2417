package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimedWindowTest {

  private static SlidingBloomFilter<Long> lasting(long nanos, AtomicLong ticks) {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(1_000).fpp(1e-9))
        .lasting(Duration.ofNanos(nanos))
        .ticker(ticks::get)
        .create();
  }

  /**
   * Queries, puts of both kinds, saves and looks at it, at drawn times; also a ticker that passes
   * its highest number.
   */
  @Property(tries = 300, seed = "27")
  void whatIsYoungIsRememberedAndWhatIsOldForgotten(
      @ForAll @LongRange(min = 1_000_000, max = 1_000_000_000_001L) long time,
      @ForAll long start,
      @ForAll long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicLong ticks = new AtomicLong(start);
    SlidingBloomFilter<Long> seen = lasting(time, ticks);
    long[] putAt = new long[40];
    boolean[] wasPut = new boolean[putAt.length];
    for (int i = 0; i < 400; i++) {
      // Mostly small steps, sometimes across several generations.
      ticks.addAndGet(random.nextLong(random.nextInt(20) == 0 ? 4 * time : 1 + time / 8));
      switch (random.nextInt(40)) {
        case 0 -> seen.filter().writeTo(OutputStream.nullOutputStream());
        case 1 -> assertEquals(3, seen.filter().generations().size());
        case 2 -> assertFalse(seen.stats().isOverfull());
        default -> {}
      }
      int key = random.nextInt(putAt.length);
      long age = ticks.get() - putAt[key];
      int kind = random.nextInt(3);
      boolean isFound =
          switch (kind) {
            case 0 -> seen.mightContain((long) key);
            case 1 -> !seen.put((long) key);
            default -> !seen.putIfAbsent((long) key);
          };
      if (wasPut[key] && age < time) {
        assertTrue(isFound, "put " + age + " ns ago, of " + time);
      }
      if (!wasPut[key] || age > time + time / 2 + 2) {
        assertFalse(isFound, "put " + age + " ns ago, of " + time);
      }
      if (kind == 1 || (kind == 2 && !isFound)) {
        putAt[key] = ticks.get();
        wasPut[key] = true;
      }
    }
  }

  @Test
  void moreKeysThanExpectedRaiseTheRateAndAreNotForgotten() {
    AtomicLong ticks = new AtomicLong();
    SlidingBloomFilter<Long> seen =
        SlidingBloomFilter.builder(Bloomery.longs().expect(1_000).fpp(0.01))
            .lasting(Duration.ofSeconds(10))
            .ticker(ticks::get)
            .create();
    for (long i = 0; i < 1_000; i++) {
      seen.put(i);
    }
    FilterStats asExpected = seen.stats();
    assertFalse(asExpected.isOverfull(), asExpected + "");
    assertTrue(asExpected.falsePositiveRate() <= 0.01, asExpected + "");
    for (long i = 1_000; i < 3_000; i++) {
      seen.put(i);
    }
    FilterStats stats = seen.stats();
    assertTrue(stats.isOverfull() && stats.falsePositiveRate() > 0.01, stats + "");
    assertEquals(2_000, (double) stats.excessKeys().getAsLong(), 200);
    ticks.set(Duration.ofSeconds(10).toNanos() - 1);
    for (long i = 0; i < 3_000; i++) {
      assertTrue(seen.mightContain(i));
    }
    ticks.set(Duration.ofSeconds(15).toNanos());
    assertEquals(0, seen.stats().setBits(), "a look at the statistics moves it on");
  }

  /** Whatever makes the steps, one or several at once, and whoever looks at it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void whatMakesAWindowForgetTellsWhatWasRememberedBefore(int steps) {
    long half = 500_000_000;
    for (Consumer<SlidingFilter> move :
        List.<Consumer<SlidingFilter>>of(
            seen -> seen.put(-1),
            seen -> seen.putIfAbsent(-1),
            SlidingFilter::stats,
            SlidingFilter::generations,
            TimedWindowTest::save,
            TimedWindowTest::settle)) {
      AtomicLong ticks = new AtomicLong();
      SlidingFilter seen = lasting(2 * half, ticks).filter();
      assertTrue(seen.put(-2));
      assertEquals(0, seen.statsBeforeForgetting().setBits(), "as at the beginning");
      assertEquals(Long.MAX_VALUE, seen.putsBeforeForgetting());
      SplittableRandom random = new SplittableRandom(steps);
      for (int i = 0; i < 500; i++) {
        ticks.set(3 * half * i / 500); // into three generations
        seen.put(random.nextLong());
      }
      long forgotten = seen.forgottenGenerations();
      FilterStats before = seen.stats();
      ticks.addAndGet(steps * half);
      move.accept(seen);
      assertEquals(before.setBits(), seen.statsBeforeForgetting().setBits());
      assertEquals(before.falsePositiveRate(), seen.statsBeforeForgetting().falsePositiveRate());
      assertEquals(Math.min(steps, 3), seen.forgottenGenerations() - forgotten);
    }
  }

  private static void save(SlidingFilter seen) {
    try {
      seen.writeTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void settle(SlidingFilter seen) {
    try {
      seen.settled(now -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTickerThatGoesBackForgetsNothing() {
    AtomicLong ticks = new AtomicLong(Duration.ofHours(2).toNanos());
    SlidingBloomFilter<Long> seen = lasting(Duration.ofHours(1).toNanos(), ticks);
    assertTrue(seen.put(7L));
    ticks.set(0);
    assertFalse(seen.put(7L));
    assertTrue(seen.put(8L));
    assertTrue(seen.mightContain(8L));
  }

  @Test
  void withoutATickerItIsThatOfTheSystem() throws Exception {
    SlidingBloomFilter<Long> seen =
        SlidingBloomFilter.builder(Bloomery.longs().expect(10))
            .lasting(Duration.ofMillis(40))
            .create();
    long before = System.nanoTime();
    seen.put(7L);
    while (seen.mightContain(7L)) {
      Thread.sleep(1);
    }
    assertTrue(System.nanoTime() - before >= 40_000_000, "it must not be forgotten early");
  }
}
