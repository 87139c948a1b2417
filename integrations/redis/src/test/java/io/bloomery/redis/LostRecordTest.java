package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.redis.RedisFilterInfo.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LostRecordTest {

  private static final RedisServer SERVER = Servers.shared(SEVEN);
  private final RedisLink link = JEDIS.shared(SEVEN);
  private static final int KEYS = 3000;
  private static final long[] HASHES = Servers.hashes(0, KEYS);
  private static final FilterPlan PLAN = Servers.plan("blocked", KEYS, 0.01);

  private static RedisFilters filters(RedisLink link, int chunks) {
    return RedisFilters.of(link, RedisOptions.defaults().chunks(chunks));
  }

  private static RedisFilter filled(RedisLink link, String name, int chunks) {
    RedisFilter filter = filters(link, chunks).create(name, PLAN);
    filter.putAll(HASHES, 0, KEYS);
    return filter;
  }

  private static void rebuild(RedisFilters filters, String name) {
    try (RedisRebuild rebuild = filters.rebuild(name, PLAN)) {
      rebuild.putAll(HASHES, 0, KEYS);
      rebuild.commit();
    }
  }

  private static void assertHasAll(RedisFilter filter) {
    assertEquals(KEYS, filter.select(HASHES, 0, KEYS, new int[KEYS]));
  }

  @ParameterizedTest
  @CsvSource({"8, 0, 8", "8, 7, 8", "300, 299, 300", "16384, 16383, 16384", "1, 0, 1"})
  void nothingIsCreatedOverWhatIsLeftOfALostFilter(int chunks, int from, int to)
      throws IOException {
    String name = "lost-" + chunks + "-" + from;
    FilterPlan plan = Servers.plan("blocked", 600_000, 0.01);
    filters(link, chunks).create(name, plan);
    List<String> lost = new ArrayList<>(List.of("DEL", "bloomery:{" + name + "}"));
    IntStream.range(0, chunks)
        .filter(chunk -> chunk < from || chunk >= to)
        .forEach(chunk -> lost.add("bloomery:{" + name + "/" + chunk + "}"));
    SERVER.command(lost.toArray(String[]::new));
    int left = to - from;
    assertEquals(left, SERVER.keysOf(name).size());
    RedisFilters filters = filters(link, 3);
    for (Executable call :
        List.<Executable>of(
            () -> filters.create(name, PLAN),
            () -> filters.openOrCreate(name, PLAN),
            () -> filters.load(name, Work.CONTENT))) {
      assertRefused(IllegalStateException.class, "bloomery:{" + name + "/" + from + "}", call);
      assertEquals(left, SERVER.keysOf(name).size());
    }
    assertEquals(State.LOST, filters.info(name).orElseThrow().state());
    assertEquals(left, filters.info(name).orElseThrow().keys());
    assertTrue(filters.names().contains(name));
    // Each of the three ways that the message names.
    rebuild(filters, name);
    assertHasAll(filters.open(name));
    assertEquals(4, SERVER.keysOf(name).size());
    SERVER.command("DEL", "bloomery:{" + name + "}");
    assertTrue(filters.delete(name));
    assertFalse(filters.delete(name));
    assertEquals(List.of(), SERVER.keysOf(name));
    SERVER.command("SET", "bloomery:{" + name + "/" + from + "}", "left");
    RedisFilters.of(link, RedisOptions.defaults().chunks(3).replaceLost()).openOrCreate(name, PLAN);
    assertEquals(4, SERVER.keysOf(name).size());
    filters.delete(name);
    assertEquals(Optional.empty(), filters.info(name));
  }

  @Test
  void aChunkThatNeverServedIsInNobodysWay() {
    SERVER.command("SET", "bloomery:{never/77}:next", "of a load that was broken off");
    RedisFilter filter = filters(link, 3).create("never", PLAN);
    assertTrue(filter.put(1));
    assertEquals(4, SERVER.keysOf("never").size());
  }

  /** What calls of a filter that was opened before do once it is another. */
  private static List<Executable> calls(RedisFilter before) {
    return List.of(
        () -> before.mightContain(HASHES[1]),
        () -> before.select(HASHES, 0, KEYS, new int[KEYS]),
        () -> before.put(HASHES[1]),
        () -> before.putAll(HASHES, 0, KEYS),
        before::generation,
        before::seal,
        before::isSealed,
        before::copy,
        before::stats,
        before::clear);
  }

  @ParameterizedTest
  @CsvSource({"JEDIS, 4, 4", "LETTUCE, 4, 4", "JEDIS, 9, 2", "LETTUCE, 2, 9"})
  void whoeverHadAFilterOpenIsToldThatItIsAnother(Servers.Client client, int before, int after)
      throws IOException {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = client.connect(server.uri())) {
      RedisFilters filters = filters(link, after);
      RedisFilter old = filled(link, "flushed", before);
      RedisRebuild rebuild = filters.rebuild("flushed", PLAN);
      rebuild.putAll(HASHES, 0, KEYS);
      RedisSnapshot<Long> snapshot = RedisSnapshot.of(Servers.keyed(old), Duration.ofNanos(1));
      server.command("FLUSHALL");
      calls(old).forEach(call -> assertUnavailable("is missing", call));
      try (RedisRebuild loading = filters.rebuild("flushed", PLAN)) {
        calls(old).forEach(call -> assertUnavailable("not there yet", call));
        assertUnavailable("not there yet", () -> filters.open("flushed"));
        assertUnavailable("not there yet", () -> filters.openOrCreate("flushed", PLAN));
        assertThrows(FilterUnavailableException.class, rebuild::commit);
        loading.putAll(HASHES, 0, KEYS);
        loading.commit();
      }
      calls(old).forEach(call -> assertUnavailable("open it again", call));
      try (RedisRebuild second = filters.rebuild("flushed", PLAN)) {
        assertEquals(rebuild.generation(), second.generation());
        rebuild.close(); // of the old filter, and changes nothing
        assertTrue(filters.info("flushed").orElseThrow().rebuilding());
      }
      assertTrue(snapshot.mightContain(-1L));
      assertHasAll(filters.openOrCreate("flushed", PLAN));
      assertEquals(1, filters.open("flushed").generation());
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void thePermissionsOfThePageSuffice(Servers.Client client) throws IOException {
    try (RedisServer server = RedisServer.start(SEVEN)) {
      server.command("SET", "another", "key");
      List<String> user = new ArrayList<>(List.of("ACL", "SETUSER", "app", "on", ">word"));
      user.addAll(List.of("~bloomery:*", "+@read", "+@write", "+@scripting"));
      user.addAll(List.of("+info", "+wait", "+asking"));
      server.command(user.toArray(String[]::new));
      try (RedisLink link = client.connect(server.uri().replace("://", "://app:word@"))) {
        RedisFilters filters = filters(link, 3);
        filters.load("allowed", Work.CONTENT);
        rebuild(filters, "allowed");
        Work.replace(filters, "allowed", () -> {});
        assertEquals(State.SERVING, filters.info("allowed").orElseThrow().state());
        assertEquals(1, filters.names().size());
        filters.accept("allowed");
        filters.open("allowed").seal();
        assertTrue(filters.delete("allowed"));
        server.command("ACL", "SETUSER", "app", "+time");
        RedisWindows windows = RedisWindows.of(link);
        assertTrue(windows.create("allowed", RedisWindowsTest.builder("standard", 9)).put(1L));
        assertEquals("", windows.info("allowed").orElseThrow().problem());
        windows.accept("allowed");
        assertTrue(windows.delete("allowed"));
        RedisOptions mortal = RedisOptions.defaults().expireAfterPut(Duration.ofHours(1));
        RedisFilters.of(link, mortal).create("allowed", PLAN);
        server.command("PEXPIRE", "bloomery:{allowed}", "1000000");
        filters.open("allowed").put(1);
        assertTrue((Long) server.command("PTTL", "bloomery:{allowed}") > 1_000_000);
      }
    }
  }

  @Test
  void namesAreListedWhateverTheyAre() {
    try (RedisServer server = RedisServer.start(SIX);
        RedisLink link = LETTUCE.connect(server.uri())) {
      RedisFilters filters = filters(link, 2);
      List<String> names = List.of("!*?", "[x]", "\\", "a/b", "a/b/01", "a/16384", "x");
      for (String name : names) {
        filters.create(name, PLAN);
      }
      server.command("SET", "bloomery:{", "no filter");
      server.command("SET", "bloomery:{}", "no filter");
      server.command("SET", "bloomery:{a b}", "no filter");
      server.command("DEL", "bloomery:{x}");
      assertEquals(new TreeSet<>(names), filters.names());
      for (String name : names) {
        assertTrue(filters.delete(name), name);
      }
      assertEquals(3L, server.command("DBSIZE"));
      // It would be the chunk of another.
      for (String name : List.of("a/0", "a/16383", "a/b/7")) {
        assertRefused(
            IllegalArgumentException.class,
            "filter '" + name.substring(0, name.lastIndexOf('/')) + "'",
            () -> filters.create(name, PLAN));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aHungServerLeavesNothingThatServes(Servers.Client client) throws Exception {
    hang(client, Servers.draw().nextInt(3), 3);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  @Tag("nightly")
  void aServerThatHangsAtAnyStepLeavesNothingThatServes(Servers.Client client) throws Exception {
    hang(client, 0, 1);
  }

  private static void hang(Servers.Client client, int first, int every) throws Exception {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = client.connect(server.uri());
        RedisLink hasty = client.connect(server.uri(), Duration.ofMillis(200))) {
      RedisFilters filters = filters(link, 3);
      server.command("SET", "any", "thing");
      for (int step = 8 + first; ; step += every) { // before, it only looks
        // The server hangs before it has the commands of this step, and has them when it goes on.
        AtomicInteger left = new AtomicInteger(step);
        Runnable hang =
            () -> {
              if (left.decrementAndGet() == 0) {
                server.signal("STOP");
              }
            };
        try {
          filters(ForwardingLink.before(hasty, hang), 3).load("hung", Work.CONTENT);
          break; // it was hung at no step
        } catch (FilterUnavailableException e) {
          server.signal("CONT");
        }
        int had = 0;
        try {
          had = filters.open("hung").select(Work.HASHES, 0, Work.KEYS, new int[Work.KEYS]);
          assertEquals(Work.KEYS, had);
        } catch (FilterUnavailableException e) {
          filters.load("hung", Work.CONTENT);
        }
        Work.replace(filters, "hung", () -> {});
        had = filters.open("hung").select(Work.HASHES, 0, Work.KEYS, new int[Work.KEYS]);
        assertEquals(Work.KEYS, had);
        assertEquals(4, server.keysOf("hung").size());
        filters.delete("hung");
      }
    }
  }
}
