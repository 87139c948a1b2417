package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Whatever is wrong in a record, the message names the Redis key, the field and its value. */
class DamagedRecordTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);

  private static void eachFieldIsNamed(String record, List<Executable> calls, List<String> others)
      throws Throwable {
    int named = 0;
    for (Object reply : (List<?>) SERVER.command("HKEYS", record)) {
      String field = RedisServer.text(reply);
      for (String value : List.of("x", "\u0001", "y".repeat(100))) {
        if (others.contains(field)) {
          continue;
        }
        SERVER.command("COPY", record, record + ":kept");
        SERVER.command("HSET", record, field, value);
        String must =
            field.equals("format") ? "its format must " : "its field '" + field + "' must ";
        String shown = value.equals("x") ? "but is x" : "but is " + value.length() + " bytes";
        for (Executable call : calls) {
          String message = assertUnavailable("Redis key " + record + " is no record of a ", call);
          assertTrue(message.contains(must), message);
          assertTrue(
              message.contains(shown)
                  || message.contains("but has " + value.length() + ";")
                  || field.startsWith("header"),
              message);
        }
        SERVER.command("RENAME", record + ":kept", record);
        named++;
      }
    }
    assertTrue(named > 10, named + " values");
    calls.get(0).execute();
  }

  @Test
  void ofAWindow() throws Throwable {
    RedisWindows windows = RedisWindows.of(link, RedisOptions.defaults().chunks(2));
    windows.create("fields", RedisWindowsTest.builder("blocked", 100).lasting(Duration.ofHours(1)));
    eachFieldIsNamed(
        "bloomery:window:{fields}",
        List.of(() -> windows.open("fields", Bloomery.longs())),
        List.of("clock", "primaries"));
  }

  @Test
  void ofAFilterWhichCanBeDeletedAndMadeAnew() throws Throwable {
    String record = "bloomery:{fields}";
    FilterPlan plan = Servers.plan("blocked", 1000, 0.01);
    RedisFilters filters =
        RedisFilters.of(link, RedisOptions.defaults().expireAfter(Duration.ofHours(1)));
    filters.create("fields", plan);
    List<Executable> calls =
        List.of(
            () -> assertFalse(filters.open("fields").mightContain(1)),
            () -> filters.create("fields", plan),
            () -> filters.rebuild("fields", plan));
    eachFieldIsNamed(record, calls, List.of("sequence", "primaries:1", "empty:1"));
    SERVER.command("HSET", record, "header:x", "y");
    calls.forEach(call -> assertUnavailable("'header:x'", call));
    SERVER.command("HDEL", record, "header:x");
    for (String[] damage :
        new String[][] {
          {"HDEL", record, "generation"},
          {"HSET", record, "generation", "7"},
          {"HSET", record, "generation", "0"},
          {"SET", record, "text"}
        }) {
      SERVER.command(damage);
      calls.forEach(call -> assertUnavailable("delete the filter, then rebuild it", call));
      assertEquals(RedisFilterInfo.State.UNAVAILABLE, filters.info("fields").orElseThrow().state());
      assertTrue(filters.delete("fields"));
      assertEquals(List.of(), SERVER.keysOf("fields"));
      filters.create("fields", plan);
    }
  }
}
