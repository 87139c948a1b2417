import org.jspecify.annotations.NullMarked;

/**
 * Bloom filters on a Redis server or Cluster, shared by all processes, which never report a key as
 * absent because the server lost data.
 *
 * <p>Start with {@link io.bloomery.redis.RedisFilters}.
 */
@NullMarked
module io.bloomery.redis {
  requires transitive io.bloomery;
  requires transitive io.bloomery.window;
  requires static com.google.errorprone.annotations;
  requires static io.netty.common;
  requires static lettuce.core;
  requires static org.apache.commons.pool2;
  requires static org.jspecify;
  requires static redis.clients.jedis;

  exports io.bloomery.redis;
}
