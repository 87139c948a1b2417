package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

  @Test
  void aUriSaysWhereAndHowToLogIn() {
    RedisAddress address = RedisAddress.of("rediss://ada:p%40ss:w@cache.example.org:7000/3");
    assertEquals(RedisAddress.Kind.SINGLE, address.kind());
    assertTrue(address.tls());
    assertEquals("ada", address.user());
    assertEquals("p@ss:w", address.password());
    assertEquals(List.of(new RedisAddress.Host("cache.example.org", 7000)), address.hosts());
    assertEquals(3, address.database());
  }

  @Test
  void clustersAndSentinelsHaveSeveralHosts() {
    RedisAddress cluster = RedisAddress.of("redis-cluster://:secret@a:1,b,[::1]:3");
    assertEquals(RedisAddress.Kind.CLUSTER, cluster.kind());
    assertFalse(cluster.tls());
    assertEquals(null, cluster.user());
    assertEquals("secret", cluster.password());
    assertEquals(
        List.of(
            new RedisAddress.Host("a", 1),
            new RedisAddress.Host("b", 6379),
            new RedisAddress.Host("[::1]", 3)),
        cluster.hosts());
    RedisAddress sentinel = RedisAddress.of("redis-sentinel://a,b:2/1#main");
    assertEquals(RedisAddress.Kind.SENTINEL, sentinel.kind());
    assertEquals(26379, sentinel.hosts().get(0).port());
    assertEquals("main", sentinel.primary());
    assertEquals(1, sentinel.database());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:6379",
        "http://localhost",
        "redis://a,b",
        "redis://",
        "redis://a:b",
        "redis://a/x",
        "redis://a/-1",
        "redis://a#main",
        "redis-sentinel://a",
        "redis-cluster://a/1",
        "redis-cluster://a,,b"
      })
  void anythingElseIsRefusedWithTheFormsThereAre(String uri) {
    assertRefused(IllegalArgumentException.class, "redis-sentinel://", () -> RedisAddress.of(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://a?filter=seen",
        "redis://a:1/0?filter=seen",
        "redis://ada:s?cret@a?timeout=10s",
        "redis-cluster://a,b:2?timeout=10s",
        "redis-sentinel://a?filter=seen#main"
      })
  void parametersAreRefusedAndNotIgnored(String uri) {
    assertRefused(
        IllegalArgumentException.class, "arguments of their own", () -> RedisAddress.of(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://ada:secret@a:x",
        "redis://ada:%secret@a",
        "redis://ada:x%se@a",
        "redis://se%cret:x@a",
        "redis://:se#cret@a",
        "redis://:se?cret@a/x"
      })
  void anErrorDoesNotShowThePassword(String uri) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> RedisAddress.of(uri)).getMessage();
    assertFalse(message.matches("(?s).*(\"se|\"cr|se[#?%]|cret).*"), message);
    assertTrue(message.contains("'...@a"), message);
  }
}
