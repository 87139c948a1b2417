/**
 * Bloom filters whose bits are stored on a Redis server or Cluster: {@link
 * io.bloomery.redis.RedisFilters} creates and opens them, over a {@link
 * io.bloomery.redis.RedisLink} of Jedis or Lettuce.
 */
package io.bloomery.redis;
