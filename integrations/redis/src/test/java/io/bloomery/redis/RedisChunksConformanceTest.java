package io.bloomery.redis;

import io.bloomery.conformance.run.Tier;
import org.junit.jupiter.api.Test;

/** All rules on filters of a real server that are cut into small chunks. */
class RedisChunksConformanceTest {

  @Test
  void allRulesAreKept() {
    RedisConformanceTest.check("split-block", 7, Tier.SMOKE);
  }
}
