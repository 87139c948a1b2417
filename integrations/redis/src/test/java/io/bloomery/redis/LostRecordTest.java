package io.bloomery.redis;

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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LostRecordTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
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

  private static List<?> keys(RedisServer server, String name) {
    return (List<?>) server.command("KEYS", "bloomery:{" + name + "[}/]*");
  }

  private static String refused(Class<? extends Exception> type, Executable call) {
    Exception e = assertThrows(type, call);
    assertEquals(type, e.getClass());
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"8, 0, 8", "8, 7, 8", "300, 299, 300", "16384, 16383, 16384", "1, 0, 1"})
  void nothingIsCreatedOverWhatIsLeftOfALostFilter(int chunks, int from, int to)
      throws IOException {
    String name = "lost-" + chunks + "-" + from;
    try (RedisLink link = JedisLink.connect(SERVER.uri(), Duration.ofSeconds(20))) {
      FilterPlan plan = Servers.plan("blocked", 2_000_000, 0.01);
      filters(link, chunks).create(name, plan);
      List<String> lost = new ArrayList<>(List.of("DEL", "bloomery:{" + name + "}"));
      IntStream.range(0, chunks)
          .filter(chunk -> chunk < from || chunk >= to)
          .forEach(chunk -> lost.add("bloomery:{" + name + "/" + chunk + "}"));
      SERVER.command(lost.toArray(String[]::new));
      int left = to - from;
      assertEquals(left, keys(SERVER, name).size());
      RedisFilters filters = filters(link, 3);
      for (Executable call :
          List.<Executable>of(
              () -> filters.create(name, PLAN), () -> filters.load(name, Work.CONTENT))) {
        String message = refused(IllegalStateException.class, call);
        assertTrue(message.contains("bloomery:{" + name + "/" + from + "}"), message);
        assertEquals(left, keys(SERVER, name).size());
      }
      assertEquals(State.LOST, filters.info(name).orElseThrow().state());
      assertEquals(left, filters.info(name).orElseThrow().keys());
      assertTrue(filters.names().contains(name));
      // Each of the three ways that the message names.
      rebuild(filters, name);
      assertHasAll(filters.open(name));
      assertEquals(4, keys(SERVER, name).size());
      SERVER.command("DEL", "bloomery:{" + name + "}");
      assertTrue(filters.delete(name));
      assertFalse(filters.delete(name));
      assertEquals(List.of(), keys(SERVER, name));
      SERVER.command("SET", "bloomery:{" + name + "/" + from + "}", "left");
      RedisFilters.of(link, RedisOptions.defaults().chunks(3).replaceLost()).create(name, PLAN);
      assertEquals(4, keys(SERVER, name).size());
      filters.delete(name);
      assertEquals(Optional.empty(), filters.info(name));
    }
  }

  @Test
  void aChunkThatNeverServedIsInNobodysWay() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      SERVER.command("SET", "bloomery:{never/77}:next", "of a load that was broken off");
      RedisFilter filter = filters(link, 3).create("never", PLAN);
      assertTrue(filter.put(1));
      assertEquals(4, keys(SERVER, "never").size());
    }
  }

  /** What calls of a filter that was opened before do once it is another. */
  private static Map<String, Executable> calls(RedisFilter before) {
    Map<String, Executable> calls = new TreeMap<>();
    calls.put("query", () -> before.mightContain(HASHES[1]));
    calls.put("queries", () -> before.select(HASHES, 0, KEYS, new int[KEYS]));
    calls.put("put", () -> before.put(HASHES[1]));
    calls.put("puts", () -> before.putAll(HASHES, 0, KEYS));
    calls.put("generation", before::generation);
    calls.put("seal", before::seal);
    calls.put("isSealed", before::isSealed);
    calls.put("copy", before::copy);
    calls.put("stats", before::stats);
    calls.put("clear", before::clear);
    return calls;
  }

  @ParameterizedTest
  @CsvSource({"JEDIS, 4, 4", "LETTUCE, 4, 4", "JEDIS, 9, 2", "LETTUCE, 2, 9"})
  void whoeverHadAFilterOpenIsToldThatItIsAnother(Servers.Client client, int before, int after)
      throws IOException {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN);
        RedisLink link = client.connect(server.uri())) {
      RedisFilters filters = filters(link, after);
      RedisFilter old = filled(link, "flushed", before);
      RedisRebuild rebuild = filters.rebuild("flushed", PLAN);
      rebuild.putAll(HASHES, 0, KEYS);
      RedisSnapshot<Long> snapshot = RedisSnapshot.of(Servers.keyed(old), Duration.ofNanos(1));
      server.command("FLUSHALL");
      for (Map.Entry<String, Executable> call : calls(old).entrySet()) {
        String message = refused(FilterUnavailableException.class, call.getValue());
        assertTrue(message.contains("is missing"), call.getKey() + ": " + message);
      }
      try (RedisRebuild loading = filters.rebuild("flushed", PLAN)) {
        for (Map.Entry<String, Executable> call : calls(old).entrySet()) {
          String message = refused(FilterUnavailableException.class, call.getValue());
          assertTrue(message.contains("not there yet"), call.getKey() + ": " + message);
        }
        String message = refused(FilterUnavailableException.class, () -> filters.open("flushed"));
        assertTrue(message.contains("not there yet"), message);
        assertThrows(FilterUnavailableException.class, rebuild::commit);
        loading.putAll(HASHES, 0, KEYS);
        loading.commit();
      }
      for (Map.Entry<String, Executable> call : calls(old).entrySet()) {
        String message = refused(FilterUnavailableException.class, call.getValue());
        assertTrue(message.contains("open it again"), call.getKey() + ": " + message);
      }
      try (RedisRebuild second = filters.rebuild("flushed", PLAN)) {
        assertEquals(rebuild.generation(), second.generation());
        rebuild.close(); // of the old filter, and changes nothing
        assertTrue(filters.info("flushed").orElseThrow().rebuilding());
      }
      assertTrue(snapshot.mightContain(-1L));
      assertHasAll(filters.open("flushed"));
      assertEquals(1, filters.open("flushed").generation());
    }
  }

  @Test
  void whatIsNoRecordCanBeDeletedAndMadeAnew() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link, 3);
      List<Executable> damages =
          List.of(
              () -> SERVER.command("HSET", "bloomery:{damaged}", "format", "2"),
              () -> SERVER.command("HDEL", "bloomery:{damaged}", "generation"),
              () -> SERVER.command("HSET", "bloomery:{damaged}", "generation", "7"),
              () -> SERVER.command("HSET", "bloomery:{damaged}", "generation", "0"),
              () -> SERVER.command("HSET", "bloomery:{damaged}", "header:1", "?"),
              () -> SERVER.command("HSET", "bloomery:{damaged}", "chunks", "many"),
              () -> SERVER.command("SET", "bloomery:{damaged}", "text"));
      for (Executable damage : damages) {
        filled(link, "damaged", 5);
        try {
          damage.execute();
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
        for (Executable call :
            List.<Executable>of(
                () -> filters.open("damaged"),
                () -> filters.create("damaged", PLAN),
                () -> filters.rebuild("damaged", PLAN))) {
          String message = refused(FilterUnavailableException.class, call);
          assertTrue(message.contains("delete the filter, then rebuild it"), message);
        }
        assertEquals(State.UNAVAILABLE, filters.info("damaged").orElseThrow().state());
        assertTrue(filters.delete("damaged"));
        assertEquals(List.of(), keys(SERVER, "damaged"));
      }
    }
  }

  @Test
  void aFilterWhoseChunkIsNoStringIsRebuilt() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilter filter = filled(link, "list", 4);
      SERVER.command("DEL", "bloomery:{list/2}");
      SERVER.command("LPUSH", "bloomery:{list/2}", "a list");
      assertThrows(FilterUnavailableException.class, filter::generation);
      rebuild(filters(link, 4), "list");
      assertHasAll(filter);
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void thePermissionsOfThePageSuffice(Servers.Client client) throws IOException {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN)) {
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
  void ofManyWhoCreateOneFilterOneDoesAndTheOthersOpenIt() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      for (int round = 0; round < 5; round++) {
        String name = "raced-" + round;
        List<Callable<Integer>> tasks =
            IntStream.range(0, 6)
                .mapToObj(
                    any ->
                        (Callable<Integer>)
                            () -> {
                              try {
                                filters(link, 3).create(name, PLAN);
                                return 1;
                              } catch (FilterUnavailableException e) {
                                throw e;
                              } catch (IllegalStateException e) {
                                filters(link, 3).open(name);
                                return 0;
                              }
                            })
                .toList();
        int created = 0;
        for (Future<Integer> task : threads.invokeAll(tasks)) {
          created += task.get();
        }
        assertEquals(1, created);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void namesAreListedWhateverTheyAre() {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SIX);
        RedisLink link = LettuceLink.connect(server.uri())) {
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
        String message = refused(IllegalArgumentException.class, () -> filters.create(name, PLAN));
        assertTrue(message.contains("filter '" + name.substring(0, name.lastIndexOf('/')) + "'"));
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
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN);
        RedisLink link = client.connect(server.uri());
        RedisLink hasty =
            client == Servers.Client.JEDIS
                ? JedisLink.connect(server.uri(), Duration.ofMillis(200))
                : LettuceLink.connect(server.uri(), Duration.ofMillis(200))) {
      long process =
          Long.parseLong(RedisServer.property(server.command("INFO", "server"), "process_id"));
      RedisFilters filters = filters(link, 3);
      server.command("SET", "any", "thing");
      for (int step = 8 + first; ; step += every) { // before, it only looks
        // The server hangs before it has the commands of this step, and has them when it goes on.
        AtomicInteger left = new AtomicInteger(step);
        Runnable hang =
            () -> {
              if (left.decrementAndGet() == 0) {
                signal("STOP", process);
              }
            };
        try {
          filters(new MortalLink(hasty, Integer.MAX_VALUE, false, hang, () -> {}), 3)
              .load("hung", Work.CONTENT);
          break; // it was hung at no step
        } catch (FilterUnavailableException e) {
          signal("CONT", process);
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
        assertEquals(4, keys(server, "hung").size());
        filters.delete("hung");
      }
    }
  }

  private static void signal(String name, long process) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process)).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
