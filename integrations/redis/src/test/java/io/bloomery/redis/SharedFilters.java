package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.guard.AnswerLimits;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.hash.KeyHasher;
import io.bloomery.redis.Snippets.Table;
import io.bloomery.redis.Snippets.User;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configuration of {@code docs/redis.md}. */
@Configuration(proxyBeanMethods = false)
class SharedFilters {

  @Bean
  RedisLink redisLink(
      @Value("${users.redis}") String uri, @Value("${users.time-out}") Duration timeOut) {
    return JedisLink.connect(uri, timeOut);
  }

  @Bean
  ReadOnlyGuard<String, User> usersGuard(RedisLink link, Table table) {
    BloomFilter<String> ids =
        BloomFilter.of(RedisFilters.of(link).open("users"), KeyHasher.strings());
    return ReadOnlyGuard.of("users", ids, table::find, AnswerLimits.defaults());
  }
}
