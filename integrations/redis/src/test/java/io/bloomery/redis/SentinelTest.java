package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.filter.FilterUnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SentinelTest {

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void afterAFailoverNothingIsAbsentAndNothingAnsweredUntilThePrimaryIsAccepted(
      Servers.Client client) {
    try (RedisServer primary = RedisServer.start(RedisServer.Release.SEVEN);
        RedisServer replica = RedisServer.replicaOf(primary);
        RedisServer sentinel = RedisServer.start(RedisServer.Release.SEVEN, "--sentinel")) {
      sentinel.command(
          "SENTINEL", "MONITOR", "main", "127.0.0.1", Integer.toString(primary.port()), "1");
      sentinel.command("SENTINEL", "SET", "main", "down-after-milliseconds", "1000");
      RedisServer.await(
          "a replica that the sentinel knows",
          () -> sentinel.info("sentinel", "master0").contains("slaves=1"));
      String uri = "redis-sentinel://127.0.0.1:" + sentinel.port() + "/0#main";
      try (RedisLink link = client.connect(uri)) {
        RedisFilters filters = RedisFilters.of(link);
        BloomFilter<Long> filter =
            Servers.keyed(filters.create("failover", Servers.plan("blocked", 1000, 0.01)));
        filter.putAll(Servers.keys(0, 100));
        RedisWindows windows = RedisWindows.of(link);
        RedisSlidingBloomFilter<Long> window =
            windows.create("failover", RedisWindowsTest.builder("blocked", 1000));
        window.putAll(Servers.keys(0, 100));
        replica.awaitStep(primary);
        primary.kill();
        RedisServer.await(
            "a refusal by the replica that was promoted",
            () -> {
              try {
                assertTrue(filter.mightContain(5L));
                return false;
              } catch (FilterUnavailableException e) {
                return e.getMessage().contains("restarted or promoted");
              }
            });
        assertThrows(FilterUnavailableException.class, () -> window.put(5L));
        windows.accept("failover");
        assertEquals(Servers.keys(0, 100), window.select(Servers.keys(0, 100)));
        filters.accept("failover");
        filter.put(500L);
        assertTrue(filter.mightContain(500L));
      }
    }
  }
}
