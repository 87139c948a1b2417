package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
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
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);

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
    RedisLink link = client.shared(release);
    RedisFilters filters = filters(link, chunks);
    RedisFilter filter = filters.create(name, Servers.plan(variant, 5000, fpp));
    BloomFilter<Long> remote = Servers.keyed(filter);
    BloomFilter<Long> local = Bloomery.longs().expect(5000).fpp(fpp).variant(variant).create();
    long before = local.putAll(Servers.keys(0, 4000));
    if (chunks == 1) {
      assertEquals(before, remote.putAll(Servers.keys(0, 4000)));
    } else {
      // What no other key covers is new; of keys that share words at a border more are.
      assertTrue(remote.putAll(Servers.keys(0, 4000)) >= before);
    }
    for (long key = 4000; key < 4100; key++) {
      long hash = KeyHasher.longs().hash(key);
      boolean maybe = remote.mightContain(key);
      assertTrue(!maybe || local.mightContain(key));
      assertEquals(maybe, filter.mightContainAsync(hash).join());
      assertEquals(!maybe, key % 2 == 0 ? remote.put(key) : filter.putAsync(hash).join());
      local.put(key);
      assertFalse(remote.put(key));
    }
    assertEquals(Servers.keys(0, 4100), remote.select(Servers.keys(0, 4100)));
    boolean[] maybe = filter.mightContainAllAsync(Servers.hashes(4000, 4200)).join();
    for (int i = 0; i < maybe.length; i++) {
      assertEquals(remote.mightContain(4000L + i), maybe[i]);
    }
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
    loaded.filter().clear();
    assertEquals(0, loaded.stats().setBits());
  }

  @Test
  void aFilterIsOpenedByNameAndCheckedAgainstItsKeys() {
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
    assertThrows(IllegalArgumentException.class, () -> BloomFilter.of(opened, KeyHasher.strings()));
    secret[0] = 1;
    assertThrows(
        IllegalArgumentException.class,
        () -> BloomFilter.of(opened, KeyHasher.strings().secret(secret)));
    assertThrows(IllegalArgumentException.class, () -> BloomFilter.of(opened, KeyHasher.longs()));
  }

  @Test
  void whatCannotBeOnRedisIsRefusedBeforeAnythingIsMade() {
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
    assertEquals(List.of(), SERVER.keys("bloomery:{no*"));
  }
}
