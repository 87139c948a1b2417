package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is wrong in a record, the message names the Redis key, the field and its value. */
class DamagedRecordTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);

  private static void eachFieldIsNamed(String record, Runnable open, List<String> others) {
    int named = 0;
    for (Object reply : (List<?>) SERVER.command("HKEYS", record)) {
      String field = RedisServer.text(reply);
      for (String value : List.of("x", "\u0001", "y".repeat(100))) {
        if (others.contains(field)) {
          continue;
        }
        SERVER.command("COPY", record, record + ":kept");
        SERVER.command("HSET", record, field, value);
        String message = assertThrows(FilterUnavailableException.class, open::run).getMessage();
        assertTrue(message.contains("Redis key " + record + " is no record of a "), message);
        String must =
            field.equals("format") ? "its format must " : "its field '" + field + "' must ";
        String shown = value.equals("x") ? "but is x" : "but is " + value.length() + " bytes";
        assertTrue(message.contains(must), message);
        assertTrue(
            message.contains(shown)
                || message.contains("but has " + value.length() + ";")
                || field.startsWith("header"),
            message);
        SERVER.command("RENAME", record + ":kept", record);
        named++;
      }
    }
    assertTrue(named > 10, named + " values");
    open.run();
  }

  @Test
  void ofAWindow() {
    try (RedisLink link = JedisLink.connect(SERVER.uri(), Duration.ofMinutes(2))) {
      RedisWindows windows = RedisWindows.of(link, RedisOptions.defaults().chunks(2));
      windows.create(
          "fields", RedisWindowsTest.builder("blocked", 100).lasting(Duration.ofHours(1)));
      eachFieldIsNamed(
          "bloomery:window:{fields}",
          () -> windows.open("fields", Bloomery.longs()),
          List.of("clock", "primaries"));
    }
  }

  @Test
  void ofAFilter() {
    try (RedisLink link = JedisLink.connect(SERVER.uri(), Duration.ofMinutes(2))) {
      RedisFilters filters =
          RedisFilters.of(link, RedisOptions.defaults().expireAfter(Duration.ofHours(1)));
      filters.create("fields", Servers.plan("blocked", 1000, 0.01));
      eachFieldIsNamed(
          "bloomery:{fields}",
          () -> assertEquals(false, filters.open("fields").mightContain(1)),
          List.of("sequence", "primaries:1", "empty:1"));
      SERVER.command("HSET", "bloomery:{fields}", "header:x", "y");
      String message =
          assertThrows(FilterUnavailableException.class, () -> filters.open("fields")).getMessage();
      assertTrue(message.contains("'header:x'"), message);
    }
  }
}
