package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.hash.KeyHasher;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** What the recipe about cache penetration says of both ways is so. */
class PenetrationTest {

  private static final FilterPlan PLAN =
      Bloomery.strings().expect(1000).fpp(1e-6).variant("blocked").plan();

  @Test
  void withBloomeryLostBitsSendLookupsToTheTable() {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN);
        RedisLink link = JEDIS.connect(server.uri())) {
      RedisFilters filters = RedisFilters.of(link);
      Penetration.Table table = new Penetration.Table();
      assertThrows(
          FilterUnavailableException.class,
          () -> Penetration.withBloomery(filters, table, "product-7"));
      RedisRebuild rebuild = filters.rebuild("products", PLAN);
      assertThrows(
          FilterUnavailableException.class,
          () -> Penetration.withBloomery(filters, table, "product-7"));
      long[] hashes = table.ids().stream().mapToLong(KeyHasher.strings()::hash).toArray();
      rebuild.putAll(hashes, 0, hashes.length);
      rebuild.commit();
      assertTrue(Penetration.withBloomery(filters, table, "product-7000").isEmpty());
      assertEquals(0, table.lookups());
      assertTrue(Penetration.withBloomery(filters, table, "product-7").isPresent());
      assertEquals(1, table.lookups());
      ReadOnlyGuard<String, Penetration.Product> guard = Penetration.guard(filters, table);
      server.command("DEL", "bloomery:{products/0}");
      assertTrue(guard.get("product-8").isPresent());
      server.kill();
      assertTrue(guard.get("product-9").isPresent());
    }
  }

  @Test
  void withRedissonLostBitsHideEveryProduct() {
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN)) {
      Config config = new Config();
      config.useSingleServer().setAddress(server.uri());
      RedissonClient redisson = Redisson.create(config);
      try {
        Penetration.Table table = new Penetration.Table();
        assertTrue(Penetration.withRedisson(redisson, table, "product-7").isPresent());
        assertEquals(1, table.lookups());
        server.command("DEL", "ids");
        assertTrue(Penetration.laterWithRedisson(redisson, table, "product-7").isEmpty());
        assertEquals(1, table.lookups());
      } finally {
        redisson.shutdown();
      }
    }
  }
}
