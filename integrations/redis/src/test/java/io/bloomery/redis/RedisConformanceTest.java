package io.bloomery.redis;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;
import org.junit.jupiter.api.Nested;

class RedisConformanceTest {

  private static final RedisLink LINK =
      JedisLink.connect(
          Servers.shared(RedisServer.Release.SEVEN).uri(), java.time.Duration.ofSeconds(60));

  @Nested
  class Standard extends FilterContract {
    @Override
    protected FilterProvider provider() {
      return new RedisProvider("standard", LINK, 1);
    }
  }

  @Nested
  class SplitBlock extends FilterContract {
    @Override
    protected FilterProvider provider() {
      return new RedisProvider("split-block", LINK, 1);
    }
  }

  @Nested
  class SmallChunks extends FilterContract {
    @Override
    protected FilterProvider provider() {
      return new RedisProvider("split-block", LINK, 7);
    }
  }
}
