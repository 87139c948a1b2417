package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.ThreadMode;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingBloomFilterTest {

  private static SlidingBloomFilterBuilder<Long> last(long keys, double rate) {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(rate));
  }

  /** In any order of threads, also where the key is moved to a younger generation. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofRacingPutsOfOneKeyExactlyOneIsNew(boolean ifAbsent) throws Exception {
    int threads = 4;
    int keys = 40_000;
    // A window that closes a generation at every fiftieth key.
    SlidingBloomFilter<Long> seen = last(100, 1e-9).create();
    AtomicIntegerArray isNew = new AtomicIntegerArray(keys);
    CyclicBarrier barrier = new CyclicBarrier(threads);
    inParallel(
        threads,
        () -> {
          for (int from = 0; from < keys; from += 20) {
            barrier.await();
            for (int key = from; key < from + 20; key++) {
              if (ifAbsent ? seen.putIfAbsent((long) key) : seen.put((long) key)) {
                isNew.incrementAndGet(key);
              }
            }
          }
        });
    for (int key = 0; key < keys; key++) {
      assertEquals(1, isNew.get(key), "key " + key);
    }
    assertEquals(keys / 50, seen.filter().forgottenGenerations());
  }

  /**
   * Threads that keep putting one key while each of them moves the clock: a call that lets it
   * through has a time between the two that its thread read around it.
   */
  @Test
  void aKeyIsLetThroughOnceInEachTimeWhereverThreadsMeet() throws Exception {
    long time = 2_000_000;
    AtomicLong ticks = new AtomicLong();
    SlidingBloomFilter<Long> seen =
        last(1_000, 1e-9).lasting(Duration.ofNanos(time)).ticker(ticks::get).create();
    List<long[]> letThrough = Collections.synchronizedList(new ArrayList<>());
    AtomicLong seeds = new AtomicLong(55);
    inParallel(
        4,
        () -> {
          SplittableRandom random = new SplittableRandom(seeds.getAndIncrement());
          for (int i = 0; i < 50_000; i++) {
            long before = ticks.addAndGet(random.nextLong(time / 20));
            if (seen.putIfAbsent(7L)) {
              letThrough.add(new long[] {before, ticks.get()});
            }
          }
        });
    // A thread may stop within a call: only the bounds of when it was let through are known.
    for (int i = 1; i < letThrough.size(); i++) {
      for (int j = 0; j < i; j++) {
        long[] one = letThrough.get(j);
        long[] other = letThrough.get(i);
        long between = Math.max(other[1] - one[0], one[1] - other[0]);
        assertTrue(between >= time, between + " ns at most between two, of " + time);
      }
    }
    assertTrue(letThrough.size() > 100, letThrough.size() + " times");
  }

  /** Without the lock of those who put, counts are lost in nearly every run. */
  @Test
  void eachKeyOfManyThreadsIsCountedOnce() throws Exception {
    int threads = 4;
    long keysOfThread = 100_000;
    // Nothing is forgotten in the time of this test.
    SlidingBloomFilter<Long> seen =
        last(threads * keysOfThread, 1e-12).lasting(Duration.ofDays(1)).create();
    AtomicLong nextThread = new AtomicLong();
    CyclicBarrier barrier = new CyclicBarrier(threads);
    inParallel(
        threads,
        () -> {
          long from = nextThread.getAndIncrement() * keysOfThread;
          barrier.await();
          for (long key = from; key < from + keysOfThread; key++) {
            assertTrue(seen.put(key));
          }
        });
    GenerationStats youngest = seen.filter().generations().get(0);
    assertEquals(threads * keysOfThread, youngest.keys());
    assertEquals(threads * keysOfThread, youngest.newKeys());
  }

  /** One writer, since of several one may stop between taking a number and putting it. */
  @Test
  void queriesFindWhatIsRecentWhileGenerationsAreForgotten() throws Exception {
    SlidingBloomFilter<Long> seen = last(1_000, 1e-9).create();
    AtomicLong latest = new AtomicLong(-1);
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicLong asked = new AtomicLong();
    AtomicLong next = new AtomicLong();
    ExecutorService reader = Executors.newSingleThreadExecutor();
    Future<?> reading =
        reader.submit(
            () -> {
              SplittableRandom random = new SplittableRandom(27);
              while (!isDone.get()) {
                long from = latest.get();
                long key = from - random.nextInt(200);
                boolean isFound = key < 0 || seen.mightContain(key);
                // As many may have come since as make it old.
                if (next.get() - key < 900) {
                  assertTrue(isFound, "key " + key + " of " + next.get());
                  asked.incrementAndGet();
                }
                seen.stats();
              }
              return null;
            });
    try {
      for (int i = 0; i < 100_000; i++) {
        long key = next.getAndIncrement();
        seen.put(key);
        latest.set(key);
      }
    } finally {
      isDone.set(true);
      reader.shutdown();
    }
    reading.get();
    assertTrue(asked.get() > 100, asked + " answers");
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void inParallel(int threads, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CompletionService<Void> all = new ExecutorCompletionService<>(pool);
    try {
      for (int i = 0; i < threads; i++) {
        all.submit(
            () -> {
              work.run();
              return null;
            });
      }
      for (int i = 0; i < threads; i++) {
        all.take().get();
      }
    } finally {
      pool.shutdownNow(); // others may wait for one that failed
    }
  }

  /** Returns the variants whose filters neither grow nor count. */
  static Stream<String> variants() {
    return variants(true);
  }

  static Stream<String> otherVariants() {
    return variants(false);
  }

  private static Stream<String> variants(boolean ofFixedSize) {
    return FilterProviders.installed().all().stream()
        .map(provider -> provider.create(FilterSpec.of(100, 0.01), ThreadMode.CONFINED))
        .filter(
            filter -> ofFixedSize != (filter instanceof RemovableFilter || filter.stats().grows()))
        .map(Filter::variant);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void itsMemoryIsWhatWasPlannedWhateverComes(String variant) {
    SlidingBloomFilterBuilder<Long> builder =
        SlidingBloomFilter.builder(Bloomery.longs().expect(5_000).variant(variant).fpp(0.01))
            .lasting(Duration.ofHours(1));
    FilterPlan plan = builder.plan();
    SlidingBloomFilter<Long> seen = builder.create();
    for (long i = 0; i < 50_000; i++) {
      seen.put(i);
    }
    assertEquals(plan.heapBytes(), seen.filter().sizeInBytes());
    assertEquals(plan.sizeInBits(), Byte.SIZE * seen.filter().sizeInBytes());
    assertEquals(plan.sizeInBits(), seen.stats().sizeInBits());
    assertTrue(plan.falsePositiveRate(5_000) <= 0.01, plan + "");
    assertEquals(seen.spec(), plan.spec());
    assertEquals(variant, plan.variant());
  }

  @Test
  void lowRatesAreToldToManyDigits() {
    SlidingBloomFilterBuilder<Long> builder = last(100_000, 1e-12);
    double planned = builder.plan().falsePositiveRate(10_000);
    // So few keys are taken for each other by equal hashes alone.
    assertEquals(3 * 10_000 * 0x1p-64, planned, planned * 1e-6);
    assertEquals(0.0, builder.plan().falsePositiveRate(0));
    SlidingBloomFilter<Long> seen = builder.create();
    assertEquals(0.0, seen.stats().falsePositiveRate(), "0, and not -0");
    for (long i = 0; i < 40_000; i++) {
      seen.put(i);
    }
    // Those of the other two generations are nothing beside that of the youngest.
    double rate = seen.filter().generations().get(0).filter().falsePositiveRate();
    assertEquals(rate, seen.stats().falsePositiveRate(), rate * 1e-6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.1, 0.001})
  void anAbsentKeyIsFoundUnlessNoneOfTheThreeFindsIt(double rate) {
    SlidingBloomFilter<Long> seen = last(1_000, rate).create();
    for (long i = 0; i < 5_000; i++) {
      seen.put(i);
      if (i % 100 == 0) {
        double none = 1;
        for (GenerationStats generation : seen.filter().generations()) {
          none *= 1 - generation.filter().falsePositiveRate();
        }
        assertEquals(1 - none, seen.stats().falsePositiveRate(), 1e-12);
      }
    }
  }

  @Test
  void itSelectsWhatItRemembers() {
    SlidingBloomFilter<String> seen =
        SlidingBloomFilter.builder(Bloomery.strings().expect(100).fpp(1e-9)).create();
    assertTrue(seen.put("b"));
    assertFalse(seen.put("b"));
    assertEquals(List.of("b", "b"), seen.select(List.of("a", "b", "c", "b")));
    assertEquals(Optional.empty(), seen.time());
    assertEquals(1, seen.filter().generations().get(0).keys());
    assertEquals(
        "keys must not be null, but key 1 is; leave it out",
        assertThrows(NullPointerException.class, () -> seen.select(Arrays.asList("a", null)))
            .getMessage());
    assertEquals(
        "key must not be null",
        assertThrows(NullPointerException.class, () -> seen.put(null)).getMessage());
    assertEquals(
        "key must not be null",
        assertThrows(NullPointerException.class, () -> seen.putIfAbsent(null)).getMessage());
  }

  @ParameterizedTest
  @MethodSource("otherVariants")
  void variantsWhoseMemoryDependsOnWhatComesAreRefused(String variant) {
    SlidingBloomFilterBuilder<Long> window =
        SlidingBloomFilter.builder(Bloomery.longs().expect(100).variant(variant).fpp(0.01));
    String message = assertThrows(IllegalArgumentException.class, window::create).getMessage();
    assertEquals(message, assertThrows(IllegalArgumentException.class, window::plan).getMessage());
    assertEquals(
        "a window needs a variant whose filters neither grow nor count, so that its memory does not"
            + " depend on what comes, but was told '"
            + variant
            + "'; say variant(\"standard\"), or say nothing",
        message);
  }

  @Test
  void aVariantThatIsBuiltOnceIsRefused() {
    StaticFilterProvider built =
        (StaticFilterProvider)
            Proxy.newProxyInstance(
                StaticFilterProvider.class.getClassLoader(),
                new Class<?>[] {StaticFilterProvider.class},
                (proxy, method, arguments) ->
                    method.invoke(FilterProviders.installed().get("standard"), arguments));
    SlidingBloomFilterBuilder<Long> window =
        SlidingBloomFilter.builder(Bloomery.longs().expect(100).variant(built));
    String message = assertThrows(IllegalArgumentException.class, window::create).getMessage();
    assertEquals(message, assertThrows(IllegalArgumentException.class, window::plan).getMessage());
    assertTrue(message.contains("'standard' is built once"), message);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertEquals(
        "the time of a window must be from 1 ms to 25,000 days, but was PT0.000999S",
        assertThrows(
                IllegalArgumentException.class,
                () -> last(10, 0.1).lasting(Duration.ofNanos(999_000)))
            .getMessage());
    assertEquals(
        "the time of a window must be from 1 ms to 25,000 days, but was PT600000H0.000000001S",
        assertThrows(
                IllegalArgumentException.class,
                () -> last(10, 0.1).lasting(Duration.ofDays(25_000).plusNanos(1)))
            .getMessage());
    Duration shortest = Duration.ofMillis(1);
    Duration longest = Duration.ofDays(25_000);
    for (Duration time : List.of(shortest, longest)) {
      assertEquals(Optional.of(time), last(10, 0.1).lasting(time).create().time());
    }
    String message =
        assertThrows(IllegalArgumentException.class, () -> last(1L << 30, 0x1p-32).plan())
            .getMessage();
    Matcher lowest = Pattern.compile("rate must be at least (\\S+) for a window").matcher(message);
    assertTrue(lowest.find(), message);
    double rate = Double.parseDouble(lowest.group(1));
    assertEquals(rate, last(1L << 30, rate).plan().spec().falsePositiveRate());
    assertThrows(IllegalArgumentException.class, () -> last(1L << 30, Math.nextDown(rate)).plan());
  }

  @ParameterizedTest
  @CsvSource({
    "standard, 1_000_000, 0.001, 1000",
    "standard, 1_000_000, 0.001, 1797208",
    "standard, 10, 1e-19, 1000",
    "standard, 10, 1.0842021724855044E-18, 1000000",
    "standard, 6_000_000_000, 1e-5, 9223372036854775807",
    "standard, 1_000, 1e-9, 8",
    "partitioned, 77_777, 0.02, 50000",
    "blocked, 1_000, 1e-6, 1000000",
    "blocked, 1_000, 1e-7, 1000",
    "blocked, 123_456, 0.03, 30000"
  })
  void whatAMessageAdvisesIsPossible(String variant, String keys, double rate, long bytes) {
    FilterBuilder<Long> filters =
        Bloomery.longs().expect(Long.parseLong(keys.replace("_", ""))).variant(variant);
    SlidingBloomFilterBuilder<Long> window =
        SlidingBloomFilter.builder(filters.fpp(rate).maxBytes(bytes));
    String message = assertThrows(IllegalArgumentException.class, window::plan).getMessage();
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, window::create).getMessage());
    Matcher lowest = Pattern.compile("ask for a rate of at least ([^,;]+)$").matcher(message);
    Matcher needed = Pattern.compile("; allow (\\d+) bytes for each, or ask").matcher(message);
    boolean isRate = lowest.find();
    if (isRate) {
      double advised = Double.parseDouble(lowest.group(1));
      assertDoesNotThrow(
          () -> SlidingBloomFilter.builder(filters.fpp(advised).maxBytes(bytes)).plan());
      assertThrows(
          IllegalArgumentException.class,
          () -> SlidingBloomFilter.builder(filters.fpp(advised * 0.98).maxBytes(bytes)).plan());
    }
    if (needed.find()) {
      long enough = Long.parseLong(needed.group(1));
      assertDoesNotThrow(
          () -> SlidingBloomFilter.builder(filters.fpp(rate).maxBytes(enough)).plan());
    } else {
      assertTrue(isRate, message);
    }
  }
}
