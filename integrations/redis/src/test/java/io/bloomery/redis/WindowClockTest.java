package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A window of a minute on servers whose clocks differ. */
class WindowClockTest {

  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long NOW = 1_795_000_000 * SECOND;

  private static SlidingBloomFilterBuilder<Long> aMinute() {
    return RedisWindowsTest.builder("blocked", 1000).lasting(Duration.ofMinutes(1));
  }

  /**
   * Checks a window that another server has, which was given keys 1 and 2 at NOW and 29 seconds
   * later. On the new server no time passed meanwhile.
   */
  private static void assertNoTimeHasPassed(
      RedisSlidingBloomFilter<Long> window, AtomicLong clock, long now, boolean isPutFirst) {
    clock.set(now);
    if (isPutFirst) {
      assertTrue(window.put(3L));
    }
    assertTrue(window.mightContain(1L));
    assertTrue(window.mightContain(2L));
    clock.set(now + 30 * SECOND);
    assertTrue(window.mightContain(1L));
    assertFalse(window.putIfAbsent(2L));
    clock.set(now + 62 * SECOND);
    assertFalse(window.mightContain(1L));
    assertFalse(window.mightContain(2L));
    assertTrue(window.putIfAbsent(2L));
  }

  @ParameterizedTest
  @CsvSource({
    "JEDIS, 3600, false, false",
    "LETTUCE, -3600, false, true",
    "JEDIS, -3600, true, false",
    "LETTUCE, 3600, true, true",
    "JEDIS, 0, false, true"
  })
  void afterAPromotionNoTimeHasPassedWhateverTheClockOfTheNewPrimary(
      Servers.Client client, long seconds, boolean isSynced, boolean isPutFirst) {
    try (RedisServer primary = RedisServer.start(SEVEN);
        RedisServer replica = RedisServer.replicaOf(primary);
        RedisLink link = client.connect(primary.uri());
        RedisLink there = client.connect(replica.uri())) {
      RedisOptions options =
          isSynced ? RedisOptions.defaults().everyWriteIsSynced() : RedisOptions.defaults();
      AtomicLong clock = new AtomicLong(NOW);
      RedisSlidingBloomFilter<Long> window =
          RedisWindows.of(new ClockLink(link, node -> clock.get()), options)
              .create("window", aMinute());
      assertTrue(window.put(1L));
      clock.set(NOW + 29 * SECOND);
      assertTrue(window.put(2L));
      replica.awaitStep(primary);
      RedisWindows windows = RedisWindows.of(new ClockLink(there, node -> clock.get()), options);
      Executable open = () -> windows.open("window", Bloomery.longs());
      assertUnavailable(isSynced ? "" : "is a replica", open);
      replica.promote();
      if (!isSynced) {
        assertUnavailable("restarted or promoted", open);
        windows.accept("window");
      }
      clock.set(NOW + seconds * SECOND);
      assertNoTimeHasPassed(
          windows.open("window", Bloomery.longs()), clock, NOW + seconds * SECOND, isPutFirst);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3600, -3600})
  void aServerThatRestartsWithAnotherClockForgetsNothingEarly(long seconds) {
    try (RedisServer server =
        RedisServer.start(SIX, "--appendonly", "yes", "--appendfsync", "always")) {
      long later = NOW + seconds * SECOND;
      AtomicLong clock = new AtomicLong(NOW);
      try (RedisLink link = JEDIS.connect(server.uri())) {
        RedisSlidingBloomFilter<Long> window =
            RedisWindows.of(new ClockLink(link, node -> clock.get())).create("window", aMinute());
        window.put(1L);
        clock.set(NOW + 29 * SECOND);
        window.put(2L);
      }
      server.kill();
      server.startAgain();
      try (RedisLink link = JEDIS.connect(server.uri())) {
        RedisWindows windows = RedisWindows.of(new ClockLink(link, node -> clock.get()));
        clock.set(later);
        assertThrows(
            FilterUnavailableException.class, () -> windows.open("window", Bloomery.longs()));
        windows.accept("window");
        assertNoTimeHasPassed(windows.open("window", Bloomery.longs()), clock, later, false);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 31, 3600})
  void aClockThatIsSetBackForAWhileForgetsNothingEarly(long seconds) {
    String name = "back-" + seconds;
    RedisLink link = JEDIS.shared(SEVEN);
    AtomicLong clock = new AtomicLong(NOW);
    RedisSlidingBloomFilter<Long> window =
        RedisWindows.of(new ClockLink(link, node -> clock.get())).create(name, aMinute());
    window.put(1L);
    for (int i = 0; i < 20; i++) { // back and forth within a second
      clock.set(NOW - seconds * SECOND);
      assertFalse(window.put(1L));
      clock.set(NOW + SECOND);
      assertTrue(window.mightContain(1L));
      assertFalse(window.putIfAbsent(1L));
    }
    assertEquals(
        List.of(1L, 0L, 0L),
        RedisWindows.of(new ClockLink(link, node -> clock.get())).info(name).orElseThrow().keys());
    clock.set(NOW + 3 * MINUTE / 2);
    assertFalse(window.mightContain(1L));
  }
}
