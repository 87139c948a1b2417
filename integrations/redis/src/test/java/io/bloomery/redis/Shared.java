package io.bloomery.redis;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.hash.KeyHasher;
import io.bloomery.redis.History.Call;
import io.bloomery.redis.History.Promise;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What is shared in a campaign of faults, under its own name: two windows and a filter. */
@SuppressWarnings("ImmutableEnumChecker") // builders are immutable, and promises records
enum Shared {
  LAST_KEYS(new Promise(300, 0), 600),
  LAST_SECOND(new Promise(Long.MAX_VALUE, 1_000_000_000), 600),
  FILTER(Promise.ALL, 5000);

  /**
   * A link.
   *
   * @param clocked the same for what asks scripts for the time
   */
  record Links(RedisLink link, RedisLink clocked) {}

  /** One that is open. */
  interface Open {

    /** Returns what no other that has or had its name has. */
    String id();

    /** Returns for each key whether it was found. */
    boolean[] found(Call call, List<Long> keys);
  }

  final Promise promise;
  final int range; // the keys from which one is drawn
  private final SlidingBloomFilterBuilder<Long> builder;

  Shared(Promise promise, int range) {
    this.promise = promise;
    this.range = range;
    // False positives are far rarer than one in 10^9 answers: blocked ones hold a tenth of what
    // they are made for.
    this.builder =
        promise.nanos() > 0
            ? SlidingBloomFilter.builder(
                    Bloomery.longs().expect(50_000).fpp(1e-5).variant("blocked"))
                .lasting(Duration.ofNanos(promise.nanos()))
            : SlidingBloomFilter.builder(
                Bloomery.longs().expect(300).fpp(1e-9).variant("standard"));
  }

  private static FilterPlan plan() {
    return Servers.plan("blocked", 100_000, 1e-5);
  }

  private boolean isFilter() {
    return this == FILTER;
  }

  private static RedisFilters filters(RedisLink link) {
    return RedisFilters.of(
        link, RedisOptions.defaults().chunks(3).expireAfterPut(Duration.ofHours(1)));
  }

  private RedisWindows windows(RedisLink link) {
    int parts = this == LAST_SECOND ? 2 : 1;
    return RedisWindows.of(link, RedisOptions.defaults().chunks(parts)).evictable();
  }

  // Nothing but a window of a time may have another clock than the server, by which keys expire.
  private RedisLink of(Links links) {
    return this == LAST_SECOND ? links.clocked() : links.link();
  }

  Open openOrCreate(Links links) {
    RedisLink link = of(links);
    if (isFilter()) {
      RedisFilter filter = filters(link).openOrCreate(name(), plan());
      String id = HexFormat.of().formatHex(filter.served().current().id());
      return open(id, (call, keys) -> found(filter, call, keys));
    }
    RedisSlidingBloomFilter<Long> window = windows(link).openOrCreate(name(), builder);
    String id = HexFormat.of().formatHex(window.served().record().id());
    return open(id, (call, keys) -> found(window, call, keys));
  }

  private interface Answers {
    boolean[] of(Call call, List<Long> keys);
  }

  private static Open open(String id, Answers answers) {
    return new Open() {
      @Override
      public String id() {
        return id;
      }

      @Override
      public boolean[] found(Call call, List<Long> keys) {
        return answers.of(call, keys);
      }
    };
  }

  private static boolean[] found(RedisFilter filter, Call call, List<Long> keys) {
    long[] hashes = keys.stream().mapToLong(KeyHasher.longs()::hash).toArray();
    return call == Call.QUERY
        ? Calls.join(filter.mightContainAllAsync(hashes))
        : not(Calls.join(filter.putAllAsync(hashes)));
  }

  private static boolean[] found(RedisSlidingBloomFilter<Long> window, Call call, List<Long> keys) {
    return switch (call) {
      case QUERY -> window.mightContainAll(keys);
      case PUT -> not(window.putAll(keys));
      case PUT_IF_ABSENT -> not(window.putAllIfAbsent(keys));
    };
  }

  private static boolean[] not(boolean[] answers) {
    boolean[] opposite = new boolean[answers.length];
    for (int i = 0; i < answers.length; i++) {
      opposite[i] = !answers[i];
    }
    return opposite;
  }

  /** Returns what calls there are: a filter has no put of its own for absent keys. */
  List<Call> calls() {
    return isFilter() ? List.of(Call.PUT, Call.QUERY) : Arrays.asList(Call.values());
  }

  void accept(Links links) {
    RedisLink link = of(links);
    if (isFilter()) {
      filters(link).accept(name());
    } else {
      windows(link).accept(name());
    }
  }

  void delete(Links links) {
    RedisLink link = of(links);
    if (isFilter()) {
      filters(link).delete(name());
    } else {
      windows(link).delete(name());
    }
  }

  String record() {
    return isFilter() ? "bloomery:{" + name() + "}" : "bloomery:window:{" + name() + "}";
  }
}
