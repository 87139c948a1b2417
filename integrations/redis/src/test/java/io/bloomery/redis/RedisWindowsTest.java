package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedisWindowsTest {

  private static final RedisServer SERVER = Servers.shared(SEVEN);
  private final RedisLink link = JEDIS.shared(SEVEN);

  static SlidingBloomFilterBuilder<Long> builder(String variant, long keys) {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(1e-4).variant(variant));
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aWindowIsMadeOnceAndOpenedByName(Servers.Client client) {
    String name = "made/" + client;
    RedisLink link = client.shared(SEVEN);
    RedisWindows windows = RedisWindows.of(link, RedisOptions.defaults().chunks(3));
    SlidingBloomFilterBuilder<Long> builder = builder("blocked", 1000).lasting(Duration.ofHours(1));
    RedisSlidingBloomFilter<Long> first = windows.create(name, builder);
    assertTrue(first.put(1L));
    assertFalse(first.put(1L));
    assertEquals(
        "there is a window '"
            + name
            + "' already: Redis key bloomery:window:{"
            + name
            + "}; open"
            + " or delete it",
        assertThrows(IllegalStateException.class, () -> windows.create(name, builder))
            .getMessage());
    RedisSlidingBloomFilter<Long> there = windows.open(name, Bloomery.longs());
    assertTrue(there.mightContain(1L));
    assertEquals(builder.plan().spec(), there.spec());
    assertEquals(Optional.of(Duration.ofHours(1)), there.time());
    assertEquals(name, there.name());
    assertArrayEquals(new boolean[] {false, true, false}, there.putAll(List.of(1L, 2L, 2L)));
    assertEquals(List.of(2L, 1L), there.select(List.of(2L, 3L, 1L)));
    assertThrows(IllegalArgumentException.class, () -> windows.open(name, Bloomery.strings()));
    assertThrows(
        IllegalArgumentException.class,
        () -> windows.open(name, Bloomery.longs().secret(new byte[32])));
    assertTrue(windows.names().contains(name));
    assertFalse(RedisFilters.of(link).names().contains(name));
    assertTrue(windows.delete(name));
    assertFalse(windows.delete(name));
    assertEquals(List.of(), SERVER.keys("*{" + name + "}*"));
    String none =
        assertThrows(FilterUnavailableException.class, () -> there.mightContain(1L)).getMessage();
    assertTrue(none.startsWith("there is no window '" + name + "': "), none);
    windows.create(name, builder);
    assertUnavailable("deleted and made anew", () -> there.put(1L));
  }

  /** Each script keeps the server from others, so none makes more than a part of a large window. */
  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aWindowIsMadePartByPartAndUsableHoweverFarItsMakerCame(Servers.Client client) {
    String name = "parts-" + client;
    RedisLink link = client.shared(SEVEN);
    RedisWindows windows = RedisWindows.of(link, RedisOptions.defaults().chunks(7));
    SlidingBloomFilterBuilder<Long> builder = builder("blocked", 4000);
    boolean isWhole = false;
    for (int last = 1, before = 0; !isWhole; last++) {
      MortalLink mortal = new MortalLink(link, last, false, () -> {}, () -> {});
      try {
        RedisWindows.of(mortal, RedisOptions.defaults().chunks(7)).openOrCreate(name, builder);
      } catch (IllegalStateException e) {
        assertTrue(mortal.isDead(), e::getMessage);
      }
      isWhole = !mortal.isDead();
      int keys = SERVER.keys("*{" + name + "}*").size();
      assertTrue(keys == before || keys == before + 1, keys + " after " + before);
      before = keys;
      if (isWhole) {
        assertEquals(8, keys);
      }
      RedisSlidingBloomFilter<Long> window = windows.openOrCreate(name, builder);
      window.putAll(Servers.keys(0, 4000));
      assertEquals(Servers.keys(0, 4000), window.select(Servers.keys(0, 4000)));
      windows.delete(name);
    }
  }

  /** As after SCRIPT FLUSH, or while a slot is moved: a script comes later than it was sent. */
  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aLargeBatchIsPutInItsOrderWhicheverOfItsScriptsIsRefusedAtFirst(Servers.Client client) {
    Random random = Servers.draw();
    RedisLink link = client.shared(SEVEN);
    AtomicInteger refused = new AtomicInteger();
    RedisLink forgetful =
        new ForwardingLink(link) {
          @Override
          public CompletableFuture<List<Object>> send(
              String node, List<List<byte[]>> commands, Executor executor) {
            List<List<byte[]>> sent = new ArrayList<>();
            for (List<byte[]> command : commands) {
              List<byte[]> one = new ArrayList<>(command);
              if (new String(one.get(0), StandardCharsets.US_ASCII).equals("EVALSHA")
                  && random.nextInt(3) == 0) {
                one.set(1, Script.ascii("0".repeat(40)));
                refused.incrementAndGet();
              }
              sent.add(one);
            }
            return super.send(node, sent, executor);
          }
        };
    for (int i = 0; i < 8; i++) { // each call for each variant
      String name = "order-" + client + "-" + i;
      RedisSlidingBloomFilter<Long> window =
          RedisWindows.of(forgetful)
              .create(name, builder(i % 2 == 0 ? "blocked" : "standard", 1000));
      List<Long> keys = Servers.keys(0, 3000 + random.nextInt(1000));
      switch (i / 2 % 4) {
        case 0 -> window.putAll(keys);
        case 1 -> window.putAllAsync(keys).join();
        case 2 -> window.putAllIfAbsent(keys);
        default -> window.putAllIfAbsentAsync(keys).join();
      }
      List<Long> last = keys.subList(keys.size() - 1000, keys.size());
      assertEquals(last, window.select(last));
      RedisWindows.of(link).delete(name);
    }
    assertTrue(refused.get() > 10, refused + " scripts were refused");
  }

  @Test
  void statisticsAreThoseOfALocalWindow() {
    for (String variant : List.of("standard", "blocked")) {
      SlidingBloomFilterBuilder<Long> builder = builder(variant, 1000);
      SlidingBloomFilter<Long> local = builder.create();
      RedisSlidingBloomFilter<Long> remote =
          RedisWindows.of(link).create("stats-" + variant, builder);
      assertEquals(0, remote.stats().falsePositiveRate());
      for (long key : Servers.keys(0, 1300)) {
        local.put(key);
      }
      remote.putAll(Servers.keys(0, 1300));
      assertEquals(local.stats().setBits(), remote.stats().setBits());
      assertEquals(local.stats().sizeInBits(), remote.stats().sizeInBits());
      assertEquals(500, remote.stats().approximateKeys().orElseThrow());
      // By the plan and by the bits: the same within a few standard errors of 4 %.
      double rate = local.stats().falsePositiveRate();
      assertEquals(rate, remote.stats().falsePositiveRate(), rate);
      RedisWindowInfo info = RedisWindows.of(link).info("stats-" + variant).orElseThrow();
      assertEquals(List.of(300L, 500L, 500L), info.keys());
      long bytes = remote.stats().sizeInBits() / Byte.SIZE;
      boolean isWhole = variant.equals("standard");
      assertEquals(isWhole ? 4 : 2, info.redisKeys());
      assertEquals(isWhole ? 3 * 64 + bytes : 64 + bytes / 96 * 100, info.bytes());
    }
  }

  @Test
  void theBitsOfALargeWindowAreEstimated() {
    SlidingBloomFilterBuilder<Long> builder = builder("blocked", 200_000);
    SlidingBloomFilter<Long> local = builder.create();
    RedisSlidingBloomFilter<Long> remote =
        RedisWindows.of(link, RedisOptions.defaults().chunks(3)).create("large", builder);
    List<Long> keys = Servers.keys(0, 150_000);
    keys.forEach(local::put);
    remote.putAll(keys);
    // 16,384 of 25,000 cells, each with some 90 bits: a standard error below 0.2 %.
    assertEquals(1, (double) remote.stats().setBits() / local.stats().setBits(), 0.01);
  }

  @Test
  void manyMayOpenOrCreateAtTheSameTimeAndShareOneWindow() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    RedisLink link = LETTUCE.shared(SEVEN);
    try {
      RedisWindows windows = RedisWindows.of(link);
      for (int i = 0; i < 30; i++) {
        String name = "shared-" + i;
        List<Future<Boolean>> puts = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
          puts.add(
              threads.submit(() -> windows.openOrCreate(name, builder("blocked", 100)).put(7L)));
        }
        int first = 0;
        for (Future<Boolean> put : puts) {
          first += put.get() ? 1 : 0;
        }
        assertEquals(1, first);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whoAsksForAnotherWindowIsToldWhatDiffers() {
    RedisWindows windows = RedisWindows.of(link);
    windows.openOrCreate("other", builder("blocked", 100)).put(1L);
    assertTrue(windows.openOrCreate("other", builder("blocked", 100)).mightContain(1L));
    String differs =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    RedisWindows.of(link, RedisOptions.defaults().expireAfter(Duration.ofDays(1)))
                        .openOrCreate(
                            "other", builder("standard", 99).lasting(Duration.ofHours(2))))
            .getMessage();
    assertEquals(
        "window 'other' is there already, but is another than planned, as Redis key"
            + " bloomery:window:{other} says: variant blocked, not standard; expected keys 100,"
            + " not 99; time none, as it counts keys, not PT2H; life PT720H, not PT24H; plan it as"
            + " it is, open it, or delete it first",
        differs);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            windows.openOrCreate(
                "other",
                SlidingBloomFilter.builder(
                    Bloomery.strings().expect(100).fpp(1e-4).variant("blocked"))));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            windows.openOrCreate(
                "other",
                SlidingBloomFilter.builder(
                    Bloomery.longs().expect(100).fpp(2e-4).variant("blocked"))));
  }

  @Test
  void whatCannotBeOnRedisIsRefusedBeforeAnythingIsMade() {
    RedisWindows windows = RedisWindows.of(link);
    RedisWindows brief =
        RedisWindows.of(link, RedisOptions.defaults().expireAfter(Duration.ofMinutes(29)));
    SlidingBloomFilterBuilder<Long> few = builder("blocked", 100);
    Map<String, Executable> creations =
        Map.of(
            "standard or blocked",
            () -> windows.create("no", builder("partitioned", 100)),
            "64 MiB of standard",
            () -> windows.create("no", builder("standard", 30_000_000)),
            "several windows",
            () -> windows.create("no", builder("blocked", 600_000_000)),
            "microseconds",
            () -> windows.create("no", few.lasting(Duration.ofNanos(1_000_001))),
            "at least three times its time, PT30M, but was PT29M",
            () -> brief.create("no", few.lasting(Duration.ofMinutes(10))));
    creations.forEach(
        (words, creation) -> assertRefused(IllegalArgumentException.class, words, creation));
    for (String name : List.of("", "a b", "a{b", "a/1", "x".repeat(201))) {
      assertThrows(IllegalArgumentException.class, () -> windows.create(name, few));
    }
    SortedSet<String> names = windows.names();
    assertFalse(names.contains("no"), names.toString());
  }

  @Test
  void aNullKeyIsRefusedWithItsIndexAndNothingIsPut() {
    RedisSlidingBloomFilter<Long> window =
        RedisWindows.of(link).create("null", builder("blocked", 100));
    List<Long> keys = new ArrayList<>(List.of(1L, 2L));
    keys.set(1, null);
    assertTrue(
        assertThrows(NullPointerException.class, () -> window.putAll(keys))
            .getMessage()
            .contains("key 1 is"));
    assertThrows(NullPointerException.class, () -> window.put(null));
    assertFalse(window.mightContain(1L));
    assertEquals(0, window.putAll(List.of()).length);
  }
}
