package io.bloomery.redis;

/**
 * The rules on filters of a real server. A put takes a round trip there, so that each build checks
 * the rules which need few of them, and all are checked at night.
 */
class RedisConformanceTest {}
