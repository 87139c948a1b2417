package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.guard.ReadOnlyGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LostKeysTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private static final int KEYS = 1000;

  /** Makes a filter of eight chunks with the keys from 0 to 999. */
  private static BloomFilter<Long> filled(RedisLink link, String name) {
    BloomFilter<Long> filter =
        Servers.keyed(
            RedisFilters.of(link, RedisOptions.defaults().chunks(8))
                .create(name, Servers.plan("blocked", KEYS, 0.01)));
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
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
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
    }
  }

  @Test
  void aChunkThatHasExpiredIsNotAbsent() {
    try (RedisLink link = LettuceLink.connect(SERVER.uri())) {
      BloomFilter<Long> filter = filled(link, "expired");
      SERVER.command("PEXPIRE", "bloomery:{expired/5}", "1");
      RedisServer.pause();
      assertTrue(refusals(filter, "bloomery:{expired/5}") > 0);
    }
  }

  @Test
  void aChunkThatWasEvictedIsNotAbsent() {
    try (RedisServer small = RedisServer.start(RedisServer.Release.SIX);
        RedisLink link = JedisLink.connect(small.uri())) {
      BloomFilter<Long> filter = filled(link, "evicted");
      small.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
      String used = RedisServer.property(small.command("INFO", "memory"), "used_memory");
      small.command("CONFIG", "SET", "maxmemory", Long.toString(Long.parseLong(used) + 200_000));
      for (int i = 0; i < 3000; i++) {
        small.command("SET", "other" + i, "x".repeat(1000));
      }
      assertTrue(
          Long.parseLong(RedisServer.property(small.command("INFO", "stats"), "evicted_keys")) > 0);
      assertTrue(refusals(filter, "bloomery:{evicted/") > 0);
    }
  }

  @Test
  void aChunkOfAnotherFilterOrPlaceOrLengthIsNotAnswered() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      BloomFilter<Long> filter = filled(link, "renamed");
      // As long as the one whose place it takes, and empty.
      RedisFilters.of(link, RedisOptions.defaults().chunks(8))
          .create("stranger", Servers.plan("blocked", KEYS, 0.01));
      SERVER.command("COPY", "bloomery:{stranger/2}", "bloomery:{renamed/2}", "REPLACE");
      SERVER.command("COPY", "bloomery:{renamed/6}", "bloomery:{renamed/5}", "REPLACE");
      SERVER.command("SET", "bloomery:{renamed/7}", "something else");
      SERVER.command("APPEND", "bloomery:{renamed/0}", "x");
      SERVER.command("DEL", "bloomery:{renamed/1}");
      SERVER.command("LPUSH", "bloomery:{renamed/1}", "a list");
      int refused = refusals(filter, "bloomery:{renamed/");
      assertTrue(refused > KEYS / 2, () -> refused + " refusals");
    }
  }

  @Test
  void aGuardOverALostFilterAsksTheSource() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      BloomFilter<Long> filter = filled(link, "guarded");
      AtomicInteger asked = new AtomicInteger();
      ReadOnlyGuard<Long, String> guard =
          ReadOnlyGuard.of(
              filter,
              key -> {
                asked.incrementAndGet();
                return key < KEYS ? Optional.of("value") : Optional.empty();
              });
      SERVER.command("DEL", "bloomery:{guarded/3}");
      for (long key : Servers.keys(0, KEYS)) {
        assertEquals(Optional.of("value"), guard.get(key));
      }
      assertEquals(KEYS, asked.get());
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aServerThatWasRestartedFromAnOldSnapshotDoesNotAnswer(Servers.Client client) {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SIX);
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
            RedisServer.start(
                RedisServer.Release.SEVEN, "--appendonly", "yes", "--appendfsync", "always");
        RedisLink link = JedisLink.connect(server.uri())) {
      BloomFilter<Long> filter = filled(link, "accepted");
      RedisFilters synced = RedisFilters.of(link, RedisOptions.defaults().everyWriteIsSynced());
      RedisFilter trusted = synced.create("trusted", Servers.plan("standard", 100, 0.01));
      trusted.put(1);
      server.kill();
      server.startAgain();
      RedisServer.await(
          "an answer of the server that is trusted",
          () -> {
            try {
              return trusted.mightContain(1);
            } catch (FilterUnavailableException e) {
              return false; // a connection of before
            }
          });
      assertThrows(FilterUnavailableException.class, () -> filter.mightContain(1L));
      RedisFilters.of(link).accept("accepted");
      assertEquals(KEYS, filter.select(Servers.keys(0, KEYS)).size());
    }
  }

  /** A primary that was demoted keeps its connections, and lacks what the next one is told. */
  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aReplicaDoesNotAnswerThoughEveryWriteIsSynced(Servers.Client client) {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN);
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
        String refused = assertThrows(FilterUnavailableException.class, call::run).getMessage();
        assertTrue(refused.contains("is a replica"), refused);
      }
      server.command("REPLICAOF", "NO", "ONE");
      calls.forEach(Runnable::run);
    }
  }

  @Test
  void aReplicaDoesNotAnswerNorDoesItWhenItIsPromoted() {
    try (RedisServer primary = RedisServer.start(RedisServer.Release.SEVEN);
        RedisServer replica =
            RedisServer.start(
                RedisServer.Release.SEVEN, "--replicaof", "127.0.0.1 " + primary.port());
        RedisLink link = JedisLink.connect(primary.uri());
        RedisLink other = JedisLink.connect(replica.uri())) {
      BloomFilter<Long> filter = filled(link, "promoted");
      RedisServer.await(
          "the replica has the filter",
          () -> replica.command("EXISTS", "bloomery:{promoted/7}").equals(1L));
      FilterUnavailableException notPrimary =
          assertThrows(
              FilterUnavailableException.class, () -> RedisFilters.of(other).open("promoted"));
      assertTrue(notPrimary.getMessage().contains("is a replica"), notPrimary.getMessage());
      // Puts that the replica never gets.
      replica.command("REPLICAOF", "NO", "ONE");
      filter.putAll(Servers.keys(KEYS, 2 * KEYS));
      assertThrows(FilterUnavailableException.class, () -> RedisFilters.of(other).open("promoted"));
      // The old primary follows, gets the shorter history, and is promoted in its turn.
      primary.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
      RedisServer.await(
          "the old primary follows",
          () ->
              RedisServer.property(primary.command("INFO", "replication"), "master_link_status")
                  .equals("up"));
      primary.command("REPLICAOF", "NO", "ONE");
      assertThrows(FilterUnavailableException.class, () -> filter.mightContain(KEYS + 1L));
      RedisFilters.of(other).accept("promoted");
      assertTrue(Servers.keyed(RedisFilters.of(other).open("promoted")).mightContain(1L));
    }
  }

  /** What docs/redis.md says against a primary that goes on after another took its place. */
  @Test
  void anOldPrimaryWithoutReplicasAcknowledgesNoPut() {
    try (RedisServer old = RedisServer.start(RedisServer.Release.SEVEN);
        RedisServer replica =
            RedisServer.start(RedisServer.Release.SEVEN, "--replicaof", "127.0.0.1 " + old.port());
        RedisLink link = JedisLink.connect(old.uri())) {
      BloomFilter<Long> filter = filled(link, "split");
      BloomFilter<Long> waiting =
          Servers.keyed(
              RedisFilters.of(
                      link,
                      RedisOptions.defaults().waitForReplicas(1, java.time.Duration.ofMillis(100)))
                  .open("split"));
      RedisServer.await(
          "the replica has the filter",
          () -> replica.command("EXISTS", "bloomery:{split/7}").equals(1L));
      replica.command("REPLICAOF", "NO", "ONE");
      RedisServer.await(
          "the old primary knows",
          () ->
              RedisServer.property(old.command("INFO", "replication"), "connected_slaves")
                  .equals("0"));
      String message =
          assertThrows(FilterUnavailableException.class, () -> waiting.put(KEYS + 1L)).getMessage();
      assertTrue(message.contains("on 0 of 1 replicas"), message);
      old.command("CONFIG", "SET", "min-replicas-to-write", "1");
      message =
          assertThrows(FilterUnavailableException.class, () -> filter.put(KEYS + 2L)).getMessage();
      assertTrue(message.contains("fewer replicas than its min-replicas-to-write"), message);
    }
  }
}
