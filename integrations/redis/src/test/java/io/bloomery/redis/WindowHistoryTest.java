package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.window.GenerationStats;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A window on a server, and one in memory with the same calls and the same clock. */
class WindowHistoryTest {

  private static final int STEPS = 300;
  private static final int BATCHES = 3; // calls that take all keys at once, of six

  /** Microseconds as of today: more than Lua writes by itself. */
  private static final long BEGIN = 1_795_000_000_000_000L;

  // In several parts, false positives may differ by the words that two of them share: the rate is
  // so low, and the history always the same, that none is met.
  @ParameterizedTest
  @CsvSource({
    "SIX, JEDIS, standard, 0.05, 1, 0, 60",
    "SEVEN, LETTUCE, standard, 0.05, 1, 1000000, 60",
    "SEVEN, JEDIS, blocked, 0.05, 1, 0, 75",
    "SEVEN, LETTUCE, blocked, 0.003, 1, 0, 400",
    "SIX, LETTUCE, blocked, 0.05, 1, 3600000000, 60",
    "SEVEN, JEDIS, blocked, 0.003, 1, 1002, 200",
    "SEVEN, JEDIS, blocked, 0.00001, 3, 0, 301",
    "SIX, JEDIS, blocked, 0.00001, 5, 60000000, 300",
    "SEVEN, JEDIS, standard, 0.05, 1, 0, 1",
    "SEVEN, JEDIS, standard, 0.05, 1, 0, 2",
    "SEVEN, LETTUCE, standard, 0.05, 1, 0, 3"
  })
  void itAnswersAsALocalOneDoes(
      RedisServer.Release release,
      Servers.Client client,
      String variant,
      double fpp,
      int parts,
      long micros,
      long keys) {
    Random random = parts == 1 ? Servers.draw() : new Random(micros);
    RedisLink link = client.shared(release);
    AtomicLong now = new AtomicLong(BEGIN + random.nextInt(1_000_000_000));
    SlidingBloomFilterBuilder<Long> builder =
        SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(fpp).variant(variant))
            .ticker(() -> now.get() * 1000);
    if (micros > 0) {
      builder = builder.lasting(Duration.of(micros, ChronoUnit.MICROS));
    }
    String name = String.join("-", "history", release.name(), variant, micros + "", keys + "");
    SlidingBloomFilter<Long> local = builder.create();
    RedisWindows windows =
        RedisWindows.of(
            new ClockLink(link, node -> now.get()),
            RedisOptions.defaults().chunks(parts).expireAfter(Duration.ofDays(1)));
    windows.delete(name);
    RedisSlidingBloomFilter<Long> remote = windows.create(name, builder);
    for (int i = 0; i < STEPS; i++) {
      step(random, local, remote, keys);
      if (micros > 0 && random.nextInt(3) == 0) {
        now.addAndGet(passing(random, micros));
      }
      if (i % 10 == 0) {
        RedisWindowInfo info = windows.info(name).orElseThrow();
        assertEquals("", info.problem());
        assertEquals(
            local.filter().generations().stream().map(GenerationStats::keys).toList(), info.keys());
      }
    }
  }

  private static long passing(Random random, long micros) {
    return switch (random.nextInt(6)) {
      case 0 -> -random.nextLong(2 * micros); // set back
      case 1 -> micros / 2 + random.nextLong(3 * micros);
      case 2 -> micros - micros / 2;
      default -> random.nextLong(micros / 4);
    };
  }

  private static void step(
      Random random,
      SlidingBloomFilter<Long> local,
      RedisSlidingBloomFilter<Long> remote,
      long range) {
    int call = random.nextInt(6);
    boolean isBatch = call < BATCHES;
    int size = isBatch && random.nextInt(30) == 0 ? 1 + random.nextInt(2500) : random.nextInt(12);
    List<Long> keys = new ArrayList<>();
    long first = random.nextLong(1 + range);
    for (int i = 0; i < size; i++) {
      keys.add(first + random.nextLong(1 + 4 * range));
    }
    switch (call) {
      case 0 -> assertArrayEquals(each(keys, local::putIfAbsent), remote.putAllIfAbsent(keys));
      case 1 -> assertArrayEquals(each(keys, local::mightContain), remote.mightContainAll(keys));
      case 2 -> assertArrayEquals(each(keys, local::put), remote.putAllAsync(keys).join());
      case 3 -> {
        for (long key : keys) {
          assertEquals(local.mightContain(key), remote.mightContain(key));
        }
      }
      case 4 -> {
        for (long key : keys) {
          assertEquals(local.putIfAbsent(key), remote.putIfAbsentAsync(key).join());
        }
      }
      default -> {
        for (long key : keys) {
          assertEquals(local.put(key), remote.put(key));
        }
      }
    }
  }

  private static boolean[] each(List<Long> keys, Predicate<Long> call) {
    boolean[] answers = new boolean[keys.size()];
    for (int i = 0; i < answers.length; i++) {
      answers[i] = call.test(keys.get(i));
    }
    return answers;
  }
}
