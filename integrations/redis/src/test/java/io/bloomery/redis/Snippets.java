package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.hash.KeyHasher;
import java.time.Duration;

/** The snippets of {@code docs/redis.md}. */
final class Snippets {

  private Snippets() {}

  /** Creates a filter and opens it as another process would; returns what that sees. */
  static boolean create() {
    RedisLink link =
        JedisLink.connect("redis://localhost:6379"); // or LettuceLink; keep one for the application
    RedisFilters filters = RedisFilters.of(link);
    FilterPlan plan = Bloomery.strings().expect(1_000_000).fpp(0.01).variant("split-block").plan();
    BloomFilter<String> seen = BloomFilter.of(filters.create("seen", plan), KeyHasher.strings());
    seen.put("https://example.org/"); // true to one of all processes that put it
    BloomFilter<String> there =
        BloomFilter.of(filters.open("seen"), KeyHasher.strings()); // elsewhere
    return there.mightContain("https://example.org/");
  }

  static void rebuild(RedisFilters filters, FilterPlan plan, long[] hashes) {
    try (RedisRebuild rebuild =
        filters.rebuild("seen", plan)) { // every put goes into both from now on
      waitForWritersThatBeganBefore();
      rebuild.putAll(hashes, 0, hashes.length); // the keys of the source, part by part
      rebuild.commit();
    }
  }

  private static void waitForWritersThatBeganBefore() {}

  static RedisSnapshot<String> snapshot(RedisFilters filters) {
    filters.open("blocked").seal(); // by its builder, after commit: no more puts
    RedisSnapshot<String> blocked =
        RedisSnapshot.of(
            BloomFilter.of(filters.open("blocked"), KeyHasher.strings()), Duration.ofSeconds(30));
    blocked.mightContain("10.0.0.1"); // local; false as of 30 seconds ago at most
    return blocked;
  }
}
