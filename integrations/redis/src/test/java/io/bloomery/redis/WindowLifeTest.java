package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a window is kept, and where it has room. */
class WindowLifeTest {

  private static final RedisServer SERVER = Servers.shared(SIX);
  private final RedisLink link = JEDIS.shared(SIX);
  private static final SlidingBloomFilterBuilder<Long> BUILDER =
      RedisWindowsTest.builder("blocked", 400);

  private static final RedisOptions OPTIONS = RedisOptions.defaults().chunks(4);

  private static RedisWindows windows(RedisLink link) {
    return RedisWindows.of(link, OPTIONS);
  }

  private static RedisWindows windows(RedisLink link, Duration life) {
    return RedisWindows.of(link, OPTIONS.expireAfter(life));
  }

  private static List<String> keys(RedisServer server, String name) {
    return server.keys("bloomery:window:{" + name + "}*");
  }

  private static long left(String key) {
    return SERVER.left(List.of(key)).get(0);
  }

  @Test
  void eachKeyHasATimeToLiveAndThatOfTheRecordEndsFirst() {
    RedisWindows windows = windows(link);
    RedisSlidingBloomFilter<Long> window = windows.create("each", BUILDER);
    String record = "bloomery:window:{each}";
    for (int i = 0; i < 12; i++) {
      window.putAll(Servers.keys(i * 70L, i * 70L + 70));
      // As if three tenths of it had passed: so it is renewed in every second step, or not.
      if (i % 2 == 0) {
        SERVER.pass(keys(SERVER, "each"), Duration.ofDays(9));
      }
      for (String key : keys(SERVER, "each")) {
        assertTrue(left(key) > 0, key);
        assertTrue(key.equals(record) || left(key) > left(record), key);
      }
    }
    assertEquals(5, keys(SERVER, "each").size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itIsRenewedByPutsAndQueriesOnceAQuarterOfItHasPassed(boolean isPut) {
    String name = "renewed-" + isPut;
    String record = "bloomery:window:{" + name + "}";
    RedisSlidingBloomFilter<Long> window =
        windows(link, Duration.ofSeconds(10_000)).create(name, BUILDER);
    window.putAll(Servers.keys(0, 300));
    Runnable use = () -> assertFalse(isPut ? window.put(1L) : window.mightContain(999_999L));
    SERVER.command("PEXPIRE", record, "7600000");
    use.run();
    assertTrue(left(record) <= 7_600_000);
    for (String key : keys(SERVER, name)) {
      SERVER.command("PEXPIRE", key, "7400000");
    }
    use.run();
    for (String key : keys(SERVER, name)) {
      assertTrue(left(key) > 9_000_000, key);
    }
    // Whoever took it away does not keep what nobody uses.
    SERVER.command("PERSIST", record);
    use.run();
    assertTrue(left(record) > 9_000_000);
    assertTrue(windows(link).info(name).orElseThrow().expiresIn().orElseThrow().toSeconds() > 9000);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void whenItHasExpiredThereIsNoSuchWindowAndNothingIsLeft(Servers.Client client) {
    String name = "expired-" + client;
    RedisLink link = client.shared(SIX);
    Duration life = Duration.ofHours(1);
    RedisWindows windows = windows(link, life);
    RedisSlidingBloomFilter<Long> window = windows.create(name, BUILDER);
    window.putAll(Servers.keys(0, 300));
    SERVER.pass(keys(SERVER, name), life.minusMillis(100));
    RedisServer.await(
        "the end of a window",
        () -> SERVER.command("EXISTS", "bloomery:window:{" + name + "}").equals(0L));
    List<Runnable> calls =
        List.of(
            () -> window.mightContain(1L),
            () -> window.put(1L),
            () -> window.putIfAbsent(1L),
            window::stats,
            () -> windows.open(name, Bloomery.longs()),
            () -> windows.accept(name));
    for (Runnable call : calls) {
      String none = assertThrows(FilterUnavailableException.class, call::run).getMessage();
      assertTrue(none.startsWith("there is no window '" + name + "'"), none);
    }
    // Its parts, which outlive it by a second, are not in the way of another.
    RedisSlidingBloomFilter<Long> next = windows.openOrCreate(name, BUILDER);
    assertTrue(next.put(1L));
    SERVER.pass(keys(SERVER, name), life.minusMillis(100));
    RedisServer.await("the end of each part", () -> keys(SERVER, name).isEmpty());
  }

  @Test
  void byDefaultAWindowIsKeptForThreeTimesItsTimeAndADayAtLeast() {
    RedisWindows windows = windows(link);
    List<Duration> lives =
        Stream.of(
                BUILDER,
                BUILDER.lasting(Duration.ofSeconds(1)),
                BUILDER.lasting(Duration.ofDays(7)))
            .map(
                builder -> {
                  windows.delete("default");
                  windows.create("default", builder);
                  return windows.info("default").orElseThrow().expiresIn().orElseThrow();
                })
            .toList();
    List<Integer> days = List.of(30, 1, 21);
    for (int i = 0; i < 3; i++) {
      Duration most = Duration.ofDays(days.get(i));
      assertTrue(lives.get(i).compareTo(most) <= 0, lives::toString);
      assertTrue(lives.get(i).compareTo(most.minusHours(1)) > 0, lives::toString);
    }
  }

  @Test
  void aServerThatEvictsIsRefusedUnlessThatIsAllowedAndNothingIsAbsent() {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = LETTUCE.connect(server.uri())) {
      RedisWindows windows = windows(link);
      for (String policy : Fault.EVICTIONS) {
        server.command("CONFIG", "SET", "maxmemory", "16mb", "maxmemory-policy", policy);
        assertRefused(
            IllegalStateException.class,
            "maxmemory-policy " + policy,
            () -> windows.create(policy, BUILDER));
        assertEquals(List.of(), keys(server, policy));
        RedisSlidingBloomFilter<Long> window = windows.evictable().create(policy, BUILDER);
        window.putAll(Servers.keys(0, 300));
        int before = keys(server, policy).size();
        for (long limit = server.usedMemory();
            keys(server, policy).size() == before;
            limit -= 500) {
          server.command("CONFIG", "SET", "maxmemory", Long.toString(limit));
        }
        server.command("CONFIG", "SET", "maxmemory", "16mb");
        int refusals = 0;
        for (long key : Servers.keys(0, 300)) {
          try {
            assertTrue(window.mightContain(key));
          } catch (FilterUnavailableException e) {
            refusals++;
          }
        }
        assertTrue(refusals > 0);
        windows.delete(policy);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(RedisServer.Release.class)
  void theMemoryIsPlannedAndNotExceededAndNotEnoughIsRefused(RedisServer.Release release) {
    try (RedisServer server = RedisServer.start(release);
        RedisLink link = JEDIS.connect(server.uri())) {
      // Much memory for few keys, since it is puts that take the time.
      SlidingBloomFilterBuilder<Long> builder =
          SlidingBloomFilter.builder(Bloomery.longs().expect(200_000).fpp(4e-6).variant("blocked"));
      RedisWindows windows = RedisWindows.of(link);
      RedisMemory planned = windows.memory("big", builder);
      assertEquals(OptionalLong.empty(), planned.free());
      assertTrue(planned.needed() >= builder.plan().sizeInBits() / 8, planned::toString);
      long before = server.usedMemory();
      server.command("CONFIG", "SET", "maxmemory", Long.toString(before + planned.needed() / 2));
      assertRefused(
          IllegalStateException.class,
          "window 'big' does not fit",
          () -> windows.create("big", builder));
      server.command(
          "CONFIG", "SET", "maxmemory", Long.toString(before + planned.needed() + (16 << 20)));
      RedisSlidingBloomFilter<Long> window = windows.create("big", builder);
      for (int generation = 0; generation < 3; generation++) {
        window.putAll(Servers.keys(generation * 100_000L, (generation + 1) * 100_000L));
      }
      long used = server.usedMemory() - before;
      assertTrue(used < planned.needed() + (1 << 20), used + " bytes, " + planned);
      assertTrue(used > planned.needed() / 2, used + " bytes, " + planned);
    }
  }

  @ParameterizedTest
  @EnumSource(RedisServer.Release.class)
  void withoutMemoryNothingIsPutAndAllIsFound(RedisServer.Release release) {
    try (RedisServer server = RedisServer.start(release);
        RedisLink link = JEDIS.connect(server.uri())) {
      RedisSlidingBloomFilter<Long> window = windows(link).create("full", BUILDER);
      window.putAll(Servers.keys(0, 150));
      server.command("SCRIPT", "FLUSH");
      server.command("CONFIG", "SET", "maxmemory", "1");
      assertThrows(FilterUnavailableException.class, () -> window.put(999L));
      assertEquals(Servers.keys(0, 150), window.select(Servers.keys(0, 150)));
      assertFalse(window.putIfAbsent(1L));
      server.command("CONFIG", "SET", "maxmemory", "0");
      assertFalse(window.mightContain(999L));
      assertTrue(window.put(999L));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "blocked"})
  void whoMayNotLetKeysExpireLeavesNoneForEver(String variant) {
    try (RedisServer server = RedisServer.start(SEVEN, Fault.options());
        RedisLink link =
            JedisLink.connect(
                server.uri().replace("//", "//" + Fault.USER + ':' + Fault.PASSWORD + '@'),
                Duration.ofMinutes(2))) {
      RedisWindows windows = RedisWindows.of(link);
      SlidingBloomFilterBuilder<Long> builder = RedisWindowsTest.builder(variant, 100);
      int refused = 0;
      for (int put = -1; put < 120; put += 11) {
        windows.delete("a");
        if (put >= 0) {
          windows.create("a", builder).putAll(Servers.keys(0, put));
        }
        server.command("ACL", "SETUSER", Fault.USER, "-pexpire");
        try {
          windows.openOrCreate("a", builder).putAll(Servers.keys(put, put + 60));
        } catch (FilterUnavailableException e) {
          assertTrue(e.getMessage().contains("does not permit it"), e.getMessage());
          refused++;
        }
        server.command("ACL", "SETUSER", Fault.USER, "+@all");
        for (String key : keys(server, "a")) {
          assertTrue((Long) server.command("PTTL", key) > 0, key);
        }
      }
      assertTrue(refused > 0);
    }
  }
}
