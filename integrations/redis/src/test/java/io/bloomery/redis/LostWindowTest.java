package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/** What is lost, damaged or old is an exception, and never makes a key absent. */
class LostWindowTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);
  private static final int KEYS = 400;

  /** A fifth of the keys that must be remembered. */
  private static final List<Long> ASKED =
      Servers.keys(200, 599).stream().filter(key -> key % 5 == 0).toList();

  private static RedisWindows windows(RedisLink link) {
    return RedisWindows.of(link, RedisOptions.defaults().chunks(4));
  }

  /** Makes a window of 400 keys in three generations of four parts, with the keys 0 to 599. */
  private static RedisSlidingBloomFilter<Long> filled(RedisLink link, String name) {
    RedisSlidingBloomFilter<Long> window =
        windows(link).create(name, RedisWindowsTest.builder("blocked", KEYS));
    window.putAll(Servers.keys(0, 599));
    assertEquals(List.of(199L, 200L, 200L), windows(link).info(name).orElseThrow().keys());
    return window;
  }

  private static String part(String name, int part) {
    return "bloomery:window:{" + name + "}:" + part;
  }

  /** Asks one by one for keys that must be remembered; returns how many had no answer. */
  private static int refusals(RedisSlidingBloomFilter<Long> window, String named) {
    int refused = 0;
    for (long key : ASKED) {
      try {
        assertTrue(window.mightContain(key), () -> key + " was called absent");
      } catch (FilterUnavailableException e) {
        assertTrue(e.getMessage().contains(named), e.getMessage());
        refused++;
      }
    }
    return refused;
  }

  private static void assertLost(RedisSlidingBloomFilter<Long> window, String key) {
    int refused = refusals(window, key);
    int all = ASKED.size();
    assertTrue(refused > all / 16 && refused < all / 2, () -> refused + " refusals for " + key);
    assertThrows(FilterUnavailableException.class, () -> window.putAll(Servers.keys(0, 100)));
    assertThrows(
        FilterUnavailableException.class, () -> window.putAllIfAbsent(Servers.keys(0, 100)));
    assertThrows(FilterUnavailableException.class, () -> window.select(Servers.keys(0, 100)));
    assertThrows(FilterUnavailableException.class, window::stats);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aPartThatWasLostOrDamagedIsAnExceptionThatNamesItsKey(Servers.Client client) {
    String name = "damaged-" + client;
    RedisLink link = client.shared(RedisServer.Release.SEVEN);
    RedisSlidingBloomFilter<Long> window = filled(link, name);
    assertEquals(0, refusals(window, ""));
    filled(link, name + "-other");
    String key = part(name, 2);
    String kept = key + ":kept";
    SERVER.command("COPY", key, kept);
    List<Runnable> damages =
        List.of(
            () -> SERVER.command("DEL", key),
            () -> {
              SERVER.command("DEL", key);
              SERVER.command("LPUSH", key, "a");
            },
            () -> SERVER.command("SET", key, ""),
            () -> SERVER.command("APPEND", key, "a"),
            () -> SERVER.command("SETRANGE", key, "16", "\2"), // an older generation
            () -> SERVER.command("SETRANGE", key, "20", "abc"),
            () -> SERVER.command("COPY", part(name, 1), key, "REPLACE"),
            () -> SERVER.command("COPY", part(name + "-other", 2), key, "REPLACE"));
    for (Runnable damage : damages) {
      damage.run();
      assertLost(window, key);
      assertThrows(
          FilterUnavailableException.class,
          () -> windows(link).open(name, io.bloomery.Bloomery.longs()));
      assertTrue(windows(link).info(name).orElseThrow().problem().contains(key));
      SERVER.command("COPY", kept, key, "REPLACE");
      assertEquals(0, refusals(window, ""));
    }
    SERVER.command("DEL", kept);
    // A part that by the record is not there.
    windows(link).delete(name + "-other");
    RedisSlidingBloomFilter<Long> empty =
        RedisWindows.of(link).create(name + "-other", RedisWindowsTest.builder("standard", KEYS));
    SERVER.command("COPY", part(name, 0), part(name + "-other", 0));
    assertThrows(FilterUnavailableException.class, () -> empty.putAll(Servers.keys(0, 100)));
  }

  @Test
  void aRecordThatWasLostOrDamagedIsAnException() {
    RedisSlidingBloomFilter<Long> window = filled(link, "record");
    String record = "bloomery:window:{record}";
    SERVER.command("COPY", record, record + ":kept");
    for (String field : List.of("id", "primaries", "newest", "present", "new:2", "life")) {
      SERVER.command("HDEL", record, field);
      assertEquals(
          ASKED.size(), refusals(window, "it must have a field '" + field + "', but has none"));
      SERVER.command("HSET", record, field, "x");
      assertEquals(ASKED.size(), refusals(window, field.equals("id") ? "open it again" : record));
      SERVER.command("COPY", record + ":kept", record, "REPLACE");
    }
    SERVER.command("DEL", record);
    assertEquals(ASKED.size(), refusals(window, "there is no window 'record'"));
    assertThrows(FilterUnavailableException.class, () -> windows(link).accept("record"));
    assertRefused(
        IllegalStateException.class,
        "has lost its record",
        () -> windows(link).openOrCreate("record", RedisWindowsTest.builder("blocked", KEYS)));
    assertEquals(4, windows(link).info("record").orElseThrow().redisKeys());
    assertTrue(windows(link).names().contains("record"));
    SERVER.command("LPUSH", record, "a");
    assertEquals(ASKED.size(), refusals(window, record + " is no record of a window"));
    SERVER.command("DEL", record);
    RedisSlidingBloomFilter<Long> anew =
        RedisWindows.of(link, RedisOptions.defaults().replaceLost())
            .create("record", RedisWindowsTest.builder("standard", 10));
    assertTrue(anew.put(300L));
    assertEquals(ASKED.size(), refusals(window, "open it again"));
  }

  /** Beside parts that are newer, a record of any age that was restored makes no key absent. */
  @ParameterizedTest
  @EnumSource(Extent.class)
  void aRecordThatIsOlderThanItsPartsMakesNoKeyAbsent(Extent extent) {
    Random random = Servers.draw();
    String name = "older-" + extent;
    String record = "bloomery:window:{" + name + "}";
    try (RedisLink link = JEDIS.connect(SERVER.uri());
        Connection connection =
            new Connection(
                new HostAndPort("127.0.0.1", SERVER.port()),
                DefaultJedisClientConfig.builder().timeoutMillis(20_000).build())) {
      AtomicLong clock = new AtomicLong();
      RedisWindows windows =
          RedisWindows.of(
              new ClockLink(link, node -> clock.get()), RedisOptions.defaults().chunks(3));
      int refused = 0;
      int answered = 0;
      for (int round = 0; round < 20; round++) {
        long now = 1_795_000_000_000_000L;
        clock.set(now);
        windows.delete(name);
        SlidingBloomFilterBuilder<Long> builder = RedisWindowsTest.builder("blocked", 30);
        RedisSlidingBloomFilter<Long> window =
            windows.create(
                name, extent == Extent.TIME ? builder.lasting(Duration.ofSeconds(60)) : builder);
        List<Object> records = new ArrayList<>();
        Deque<Put> last = new ArrayDeque<>(); // the last 30, or those of the last 60 seconds
        int writes = 10 + random.nextInt(60);
        for (int i = 0; i < 2 * writes; i++) {
          long key = 100L * round + i;
          if (i == writes) {
            connection.executeCommand(
                new CommandArguments(Protocol.Command.RESTORE)
                    .add(record)
                    .add(1_000_000)
                    .add((byte[]) records.get(random.nextInt(records.size())))
                    .add("REPLACE"));
          }
          if (i < writes) {
            records.add(dump(connection, record));
          }
          now += random.nextInt(4_000_000);
          clock.set(now);
          try {
            window.put(key);
            last.add(new Put(key, now));
          } catch (FilterUnavailableException e) {
            assertTrue(i >= writes, e::getMessage);
          }
          while (!last.isEmpty()
              && (extent == Extent.TIME
                  ? last.element().time() <= now - 60_000_000
                  : last.size() > 30)) {
            last.remove();
          }
          for (Put put : i < writes ? List.<Put>of() : some(last, random)) {
            try {
              assertTrue(window.mightContain(put.key()), () -> put.key() + " was called absent");
              answered++;
            } catch (FilterUnavailableException e) {
              refused++;
            }
          }
        }
      }
      assertTrue(refused > 0 && answered > 0, refused + " refused, " + answered + " answered");
    }
  }

  /** Returns the oldest, which is forgotten first, the newest, and some between. */
  private static Set<Put> some(Deque<Put> last, Random random) {
    List<Put> all = new ArrayList<>(last);
    Set<Put> some = new LinkedHashSet<>();
    if (!all.isEmpty()) {
      some.add(all.get(0));
      some.add(all.get(all.size() - 1));
      for (int i = 0; i < 4; i++) {
        some.add(all.get(random.nextInt(all.size())));
      }
    }
    return some;
  }

  private static Object dump(Connection connection, String key) {
    return connection.executeCommand(new CommandArguments(Protocol.Command.DUMP).add(key));
  }

  private record Put(long key, long time) {}

  /** What is remembered. */
  enum Extent {
    KEYS,
    TIME
  }
}
