package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LostKeysTest {

  private static final RedisServer SERVER = Servers.shared(SEVEN);
  private final RedisLink link = JEDIS.shared(SEVEN);
  private static final int KEYS = 1000;
  private static final FilterPlan PLAN = Servers.plan("blocked", KEYS, 0.01);

  /** Makes a filter of eight chunks with the keys from 0 to 999. */
  private static BloomFilter<Long> filled(RedisLink link, String name) {
    BloomFilter<Long> filter =
        Servers.keyed(RedisFilters.of(link, RedisOptions.defaults().chunks(8)).create(name, PLAN));
    filter.putAll(Servers.keys(0, KEYS));
    return filter;
  }

  /** Asks for all keys and returns how many had no answer; no answer may be "absent". */
  private static int refusals(BloomFilter<Long> filter, String namedKey) {
    int refused = 0;
    for (long key : Servers.keys(0, KEYS)) {
      try {
        assertTrue(filter.mightContain(key), () -> key + " was called absent");
      } catch (FilterUnavailableException e) {
        assertTrue(e.getMessage().contains(namedKey), e.getMessage());
        refused++;
      }
    }
    return refused;
  }

  @Test
  void aChunkThatWasDeletedIsAnExceptionThatNamesItsKey() {
    BloomFilter<Long> filter = filled(link, "deleted");
    assertEquals(0, refusals(filter, ""));
    SERVER.command("DEL", "bloomery:{deleted/3}");
    int refused = refusals(filter, "bloomery:{deleted/3}");
    assertTrue(refused > KEYS / 16 && refused < KEYS / 4, () -> refused + " refusals");
    assertThrows(FilterUnavailableException.class, () -> filter.select(Servers.keys(0, KEYS)));
    assertThrows(FilterUnavailableException.class, () -> filter.putAll(Servers.keys(0, KEYS)));
    assertThrows(FilterUnavailableException.class, filter::stats);
    // A put has not revived it.
    assertEquals(0L, SERVER.command("EXISTS", "bloomery:{deleted/3}"));
    RedisFilters filters = RedisFilters.of(link);
    assertThrows(FilterUnavailableException.class, () -> filters.open("deleted"));
    assertThrows(FilterUnavailableException.class, () -> filters.openOrCreate("deleted", PLAN));
  }

  @Test
  void aChunkThatWasEvictedIsNotAbsent() {
    try (RedisServer small = RedisServer.start(SIX);
        RedisLink link = JEDIS.connect(small.uri())) {
      BloomFilter<Long> filter = filled(link, "evicted");
      small.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
      small.leave(200_000);
      for (int i = 0; i < 3000; i++) {
        small.command("SET", "other" + i, "x".repeat(1000));
      }
      assertTrue(Long.parseLong(small.info("stats", "evicted_keys")) > 0);
      assertTrue(refusals(filter, "bloomery:{evicted/") > 0);
    }
  }

  @Test
  void aChunkThatExpiredOrIsOfAnotherFilterOrPlaceOrLengthIsNotAnswered() {
    BloomFilter<Long> filter = filled(link, "renamed");
    // As long as the one whose place it takes, and empty.
    RedisFilters.of(link, RedisOptions.defaults().chunks(8)).create("stranger", PLAN);
    SERVER.command("COPY", "bloomery:{stranger/2}", "bloomery:{renamed/2}", "REPLACE");
    SERVER.command("COPY", "bloomery:{renamed/6}", "bloomery:{renamed/5}", "REPLACE");
    SERVER.command("SET", "bloomery:{renamed/7}", "something else");
    SERVER.command("APPEND", "bloomery:{renamed/0}", "x");
    SERVER.command("DEL", "bloomery:{renamed/1}");
    SERVER.command("LPUSH", "bloomery:{renamed/1}", "a list");
    SERVER.command("PEXPIRE", "bloomery:{renamed/4}", "1");
    RedisServer.pause();
    int refused = refusals(filter, "bloomery:{renamed/");
    assertTrue(refused > KEYS / 2, () -> refused + " refusals");
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aServerThatWasRestartedFromAnOldSnapshotDoesNotAnswer(Servers.Client client) {
    try (RedisServer server = RedisServer.start(SIX);
        RedisLink link = client.connect(server.uri())) {
      BloomFilter<Long> filter = filled(link, "old");
      server.command("SAVE");
      filter.putAll(Servers.keys(KEYS, 2 * KEYS));
      server.kill();
      assertThrows(FilterUnavailableException.class, () -> filter.mightContain(1L));
      server.startAgain();
      // A client may need a while to see that the server is there again.
      int[] answered = new int[1];
      RedisServer.await(
          "a refusal that names the server's history",
          () -> {
            for (long key : Servers.keys(KEYS, KEYS + 20)) {
              try {
                assertTrue(filter.mightContain(key), () -> key + " was called absent");
                answered[0]++;
              } catch (FilterUnavailableException e) {
                if (e.getMessage().contains("restarted or promoted")) {
                  return true;
                }
              }
            }
            return false;
          });
      assertEquals(0, answered[0]);
      RedisFilters filters = RedisFilters.of(link);
      assertThrows(FilterUnavailableException.class, () -> filters.open("old"));
      assertThrows(FilterUnavailableException.class, () -> filter.put(7L));

      // Rebuilt from the source, it answers again, here and for those who had it open.
      try (RedisRebuild rebuild = filters.rebuild("old", Servers.plan("blocked", 2 * KEYS, 0.01))) {
        assertFalse(filter.put(5000L)); // the next generation has it, and nobody knows if it is new
        rebuild.putAll(Servers.hashes(0, 2 * KEYS), 0, 2 * KEYS);
        rebuild.commit();
      }
      assertEquals(2 * KEYS, filter.select(Servers.keys(0, 2 * KEYS)).size());
      assertTrue(filter.mightContain(5000L));
    }
  }

  @Test
  void aServerThatWasAcceptedOrIsTrustedAnswersAgain() {
    try (RedisServer server =
            RedisServer.start(SEVEN, "--appendonly", "yes", "--appendfsync", "always");
        RedisLink link = JEDIS.connect(server.uri())) {
      BloomFilter<Long> filter = filled(link, "accepted");
      RedisFilters synced = RedisFilters.of(link, RedisOptions.defaults().everyWriteIsSynced());
      RedisFilter trusted = synced.create("trusted", Servers.plan("standard", 100, 0.01));
      trusted.put(1);
      server.kill();
      server.startAgain();
      Servers.awaitAnswer(() -> assertTrue(trusted.mightContain(1)));
      assertThrows(FilterUnavailableException.class, () -> filter.mightContain(1L));
      RedisFilters.of(link).accept("accepted");
      assertEquals(KEYS, filter.select(Servers.keys(0, KEYS)).size());
    }
  }

  /** A primary that was demoted keeps its connections, and lacks what the next one is told. */
  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aReplicaDoesNotAnswerThoughEveryWriteIsSynced(Servers.Client client) {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = client.connect(server.uri())) {
      RedisOptions synced = RedisOptions.defaults().everyWriteIsSynced();
      List<Runnable> calls = new ArrayList<>();
      for (String variant : List.of("standard", "blocked")) {
        RedisFilter filter =
            RedisFilters.of(link, synced).create(variant, Servers.plan(variant, 100, 0.01));
        RedisSlidingBloomFilter<Long> window =
            RedisWindows.of(link, synced).create(variant, RedisWindowsTest.builder(variant, 100));
        filter.put(1);
        window.put(1L);
        calls.add(() -> filter.mightContain(2));
        calls.add(() -> filter.put(1));
        calls.add(() -> window.mightContain(2L));
        calls.add(() -> window.put(1L));
        calls.add(() -> window.putIfAbsent(1L));
      }
      calls.forEach(Runnable::run);
      server.command("REPLICAOF", "127.0.0.1", Integer.toString(RedisServer.freePort()));
      for (Runnable call : calls) {
        assertUnavailable("is a replica", call::run);
      }
      server.promote();
      calls.forEach(Runnable::run);
    }
  }

  @Test
  void aReplicaDoesNotAnswerNorDoesItWhenItIsPromoted() {
    try (RedisServer primary = RedisServer.start(SEVEN);
        RedisServer replica = RedisServer.replicaOf(primary);
        RedisLink link = JEDIS.connect(primary.uri());
        RedisLink other = JEDIS.connect(replica.uri())) {
      BloomFilter<Long> filter = filled(link, "promoted");
      replica.awaitStep(primary);
      RedisFilters others = RedisFilters.of(other);
      for (Executable call :
          List.<Executable>of(
              () -> others.open("promoted"),
              () -> others.accept("promoted"),
              () -> others.delete("promoted"))) {
        assertUnavailable("is a replica", call);
      }
      // Puts that the replica never gets.
      replica.promote();
      filter.putAll(Servers.keys(KEYS, 2 * KEYS));
      assertThrows(FilterUnavailableException.class, () -> others.open("promoted"));
      // The old primary follows, gets the shorter history, and is promoted in its turn.
      primary.follow(replica);
      primary.promote();
      assertThrows(FilterUnavailableException.class, () -> filter.mightContain(KEYS + 1L));
      others.accept("promoted");
      assertTrue(Servers.keyed(others.open("promoted")).mightContain(1L));
    }
  }

  /** What docs/redis.md says against a primary that goes on after another took its place. */
  @Test
  void anOldPrimaryWithoutReplicasAcknowledgesNoPut() {
    try (RedisServer old = RedisServer.start(SEVEN);
        RedisServer replica = RedisServer.replicaOf(old);
        RedisLink link = JEDIS.connect(old.uri())) {
      BloomFilter<Long> filter = filled(link, "split");
      RedisOptions waits =
          RedisOptions.defaults().waitForReplicas(1, java.time.Duration.ofMillis(100));
      BloomFilter<Long> waiting = Servers.keyed(RedisFilters.of(link, waits).open("split"));
      Servers.awaitAnswer(() -> waiting.put(KEYS + 0L));
      replica.promote();
      RedisServer.await(
          "the old primary knows", () -> old.info("replication", "connected_slaves").equals("0"));
      assertUnavailable("on 0 of 1 replicas", () -> waiting.put(KEYS + 1L));
      old.command("CONFIG", "SET", "min-replicas-to-write", "1");
      assertUnavailable(
          "fewer replicas than its min-replicas-to-write", () -> filter.put(KEYS + 2L));
    }
  }
}
