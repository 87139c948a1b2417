package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisFilterTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);

  private static final long HASH = Servers.hashes(1, 2)[0];

  @TempDir private Path folder;

  private static RedisFilters filters(RedisLink link, int chunks) {
    return RedisFilters.of(link, RedisOptions.defaults().chunks(chunks));
  }

  @ParameterizedTest
  @CsvSource({
    "SIX, JEDIS, standard, 0.01, 1",
    "SIX, LETTUCE, blocked, 0.01, 7",
    "SEVEN, JEDIS, blocked, 0.001, 7",
    "SEVEN, JEDIS, blocked, 0.01, 100",
    "SEVEN, LETTUCE, standard, 0.001, 1",
    "SEVEN, LETTUCE, blocked, 0.001, 31"
  })
  void aFilterOnRedisHasTheBytesAndAnswersOfALocalOne(
      RedisServer.Release release, Servers.Client client, String variant, double fpp, int chunks)
      throws IOException {
    String name = "same-" + release + client + variant + fpp + chunks;
    try (RedisLink link = client.connect(Servers.shared(release).uri())) {
      RedisFilters filters = filters(link, chunks);
      BloomFilter<Long> remote =
          Servers.keyed(filters.create(name, Servers.plan(variant, 5000, fpp)));
      BloomFilter<Long> local = Bloomery.longs().expect(5000).fpp(fpp).variant(variant).create();
      long before = local.putAll(Servers.keys(0, 4000));
      if (chunks == 1) {
        assertEquals(before, remote.putAll(Servers.keys(0, 4000)));
      } else {
        // What no other key covers is new; of keys that share words at a border more are.
        assertTrue(remote.putAll(Servers.keys(0, 4000)) >= before);
      }
      for (long key = 4000; key < 4100; key++) {
        boolean maybe = remote.mightContain(key);
        assertTrue(!maybe || local.mightContain(key));
        assertEquals(!maybe, remote.put(key));
        local.put(key);
        assertFalse(remote.put(key));
      }
      assertEquals(Servers.keys(0, 4100), remote.select(Servers.keys(0, 4100)));
      Path here = folder.resolve("local");
      Path there = folder.resolve("remote");
      local.save(here);
      remote.save(there);
      assertEquals(-1, Files.mismatch(here, there));

      BloomFilter<Long> loaded = Servers.keyed(filters.load(name + "-loaded", here));
      loaded.save(there);
      assertEquals(-1, Files.mismatch(here, there));
      assertEquals(Servers.keys(0, 4100), loaded.select(Servers.keys(0, 4100)));
      assertEquals(local.stats().toString(), loaded.stats().toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"JEDIS", "LETTUCE"})
  void callsThatDoNotWaitGiveTheSameAnswers(Servers.Client client) {
    try (RedisLink link = client.connect(SERVER.uri())) {
      RedisFilter filter =
          filters(link, 5).create("async-" + client, Servers.plan("blocked", 1000, 1e-6));
      long[] hashes = Servers.hashes(0, 3);
      assertTrue(filter.putAsync(hashes[0]).join());
      assertArrayEquals(new boolean[] {false, true, true}, filter.putAllAsync(hashes).join());
      assertTrue(filter.mightContainAsync(hashes[2]).join());
      assertFalse(filter.mightContainAsync(Servers.hashes(9, 10)[0]).join());
      assertArrayEquals(
          new boolean[] {true, true, true}, filter.mightContainAllAsync(hashes).join());
    }
  }

  @Test
  void aFilterIsOpenedByNameAndCheckedAgainstItsKeys() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link, 1);
      byte[] secret = new byte[32];
      KeyHasher<CharSequence> secretly = KeyHasher.strings().secret(secret);
      FilterPlan plan = Bloomery.strings().secret(secret).expect(100).plan();
      BloomFilter<String> filter = BloomFilter.of(filters.create("keys", plan), secretly);
      filter.put("ada");
      RedisFilter opened = filters.open("keys");
      assertEquals(plan.spec(), opened.spec());
      assertEquals("standard", opened.variant());
      assertTrue(BloomFilter.of(opened, secretly).mightContain("ada"));
      assertThrows(
          IllegalArgumentException.class, () -> BloomFilter.of(opened, KeyHasher.strings()));
      secret[0] = 1;
      assertThrows(
          IllegalArgumentException.class,
          () -> BloomFilter.of(opened, KeyHasher.strings().secret(secret)));
      assertThrows(IllegalArgumentException.class, () -> BloomFilter.of(opened, KeyHasher.longs()));
    }
  }

  @Test
  void aNameIsTakenOnceUntilItIsDeleted() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link, 3);
      FilterPlan plan = Servers.plan("blocked", 1000, 0.01);
      RedisFilter first = filters.create("taken", plan);
      first.put(HASH);
      IllegalStateException taken =
          assertThrows(IllegalStateException.class, () -> filters.create("taken", plan));
      assertTrue(taken.getMessage().contains("bloomery:{taken}"), taken.getMessage());
      assertTrue(first.mightContain(HASH));
      assertTrue(filters.delete("taken"));
      assertFalse(filters.delete("taken"));
      assertEquals(List.of(), SERVER.command("KEYS", "bloomery:{taken*"));
      assertThrows(FilterUnavailableException.class, () -> filters.open("taken"));
      // Another filter of that name is not the one that was opened.
      filters.create("taken", plan);
      assertThrows(FilterUnavailableException.class, () -> first.mightContain(HASH));
    }
  }

  @Test
  void whatCannotBeOnRedisIsRefusedBeforeAnythingIsMade() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link, 2);
      assertThrows(
          IllegalArgumentException.class,
          () -> filters.create("no", Servers.plan("standard", 1000, 0.01)));
      assertThrows(
          IllegalArgumentException.class,
          () -> filters.create("no", Servers.plan("partitioned", 1000, 0.01)));
      assertThrows(
          IllegalArgumentException.class,
          () -> RedisFilters.of(link).create("no", Servers.plan("standard", 1_000_000_000, 0.01)));
      for (String name : List.of("", "a b", "a{b", "a}b", "ä", "x".repeat(201))) {
        assertThrows(
            IllegalArgumentException.class,
            () -> filters.create(name, Servers.plan("blocked", 1000, 0.01)));
      }
      assertEquals(List.of(), SERVER.command("KEYS", "bloomery:{no*"));
    }
  }

  @Test
  void aPutWaitsForReplicasAndSaysIfTheyHaveItNot() {
    RedisOptions options =
        RedisOptions.defaults().waitForReplicas(1, java.time.Duration.ofMillis(200));
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilter filter =
          RedisFilters.of(link, options).create("wait", Servers.plan("standard", 100, 0.01));
      FilterUnavailableException none =
          assertThrows(FilterUnavailableException.class, () -> filter.put(1));
      assertTrue(none.getMessage().contains("0 of 1 replicas"), none.getMessage());
      assertTrue(filter.mightContain(1));
      try (RedisServer replica =
          RedisServer.start(
              RedisServer.Release.SEVEN, "--replicaof", "127.0.0.1 " + SERVER.port())) {
        RedisServer.await(
            "a replica that is in step",
            () ->
                RedisServer.property(replica.command("INFO", "replication"), "master_link_status")
                    .equals("up"));
        RedisServer.await(
            "a put that a replica has",
            () -> {
              try {
                return filter.put(2) || filter.mightContain(2);
              } catch (FilterUnavailableException e) {
                return false;
              }
            });
      }
    }
  }

  @Test
  void clearLeavesAnEmptyFilter() throws IOException {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilter filter = filters(link, 4).create("clear", Servers.plan("blocked", 1000, 0.01));
      filter.putAll(Servers.hashes(0, 500), 0, 500);
      filter.clear();
      assertEquals(0, filter.stats().setBits());
      assertTrue(filter.put(5));
    }
  }
}
