package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.hash.KeyHasher;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.window.SlidingBloomFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The snippets of {@code docs/redis.md}. */
final class Snippets {

  private Snippets() {}

  /** Creates a filter and opens it as another process would; returns what that sees. */
  static boolean create() {
    RedisLink link =
        JedisLink.connect("redis://localhost:6379"); // or LettuceLink; keep one for the application
    RedisFilters filters = RedisFilters.of(link);
    FilterPlan plan = Bloomery.strings().expect(1_000_000).fpp(0.01).variant("blocked").plan();
    BloomFilter<String> seen = BloomFilter.of(filters.create("seen", plan), KeyHasher.strings());
    seen.put("https://example.org/"); // true to one of all processes that put it
    BloomFilter<String> there =
        BloomFilter.of(
            filters.open("seen"), KeyHasher.strings()); // elsewhere and later: create would throw
    return there.mightContain("https://example.org/");
  }

  static void rebuild(RedisFilters filters, FilterPlan plan, List<List<String>> partsOfTheSource) {
    KeyHasher<CharSequence> hasher = KeyHasher.strings(); // that of the filter's users
    try (RedisRebuild rebuild =
        filters.rebuild("seen", plan)) { // every put goes into both from now on
      waitForWritersThatBeganBefore();
      for (List<String> part : partsOfTheSource) { // of some thousand keys
        long[] hashes = part.stream().mapToLong(hasher::hash).toArray();
        rebuild.putAll(hashes, 0, hashes.length);
      }
      rebuild.commit();
    }
  }

  private static void waitForWritersThatBeganBefore() {}

  record User(String name) {}

  /** A table of users by their names. */
  static final class Table {

    private final Set<String> rows = new HashSet<>();
    private int lookups;

    Optional<User> find(String name) {
      lookups++;
      return rows.contains(name) ? Optional.of(new User(name)) : Optional.empty();
    }

    void insert(String name) {
      rows.add(name);
    }

    int lookups() {
      return lookups;
    }
  }

  /** Asks for a user, writes another, and returns the guard. */
  static ReadOnlyGuard<String, User> guard(RedisFilters filters, Table table) {
    BloomFilter<String> ids = BloomFilter.of(filters.open("users"), KeyHasher.strings());
    ReadOnlyGuard<String, User> users = ReadOnlyGuard.of(ids, table::find);
    Optional<User> ada = users.get("ada");
    assertTrue(ada.isEmpty());
    ids.put("bob");
    table.insert("bob");
    users.forget("bob"); // others may have remembered for up to a minute that the table had not
    return users;
  }

  static BloomFilterView<Object> redisson(RedisLink link) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RedissonExport.write(link, "users", bytes);
    ForeignFilter old = ForeignFormat.REDISSON.read(bytes.toByteArray()); // of bloomery-interop
    ItemEncoding<Object> codec = ItemEncoding.redissonCodec("StringCodec");
    old.requireMembers(List.of("ada"), codec); // with a wrong codec, members are not found
    BloomFilterView<Object> users = old.view(codec);
    return users;
  }

  static boolean window(RedisLink link) {
    RedisSlidingBloomFilter<String> told =
        RedisWindows.of(link)
            .openOrCreate(
                "told",
                SlidingBloomFilter.builder(
                        Bloomery.strings().expect(100_000).fpp(1e-5).variant("blocked"))
                    .lasting(Duration.ofHours(1)));
    boolean isNew = told.putIfAbsent("disk full"); // true to one of all processes, once an hour
    return isNew;
  }

  /** Returns whether to send an alert. */
  static boolean alert(RedisSlidingBloomFilter<String> told, String alert) {
    boolean isSent;
    try {
      isSent = told.putIfAbsent(alert); // with put, an alert that goes on would be told only once
    } catch (FilterUnavailableException e) {
      isSent = true; // rather twice than never
    }
    return isSent;
  }

  record Message(String id) {}

  static void handleAtMostOnce(
      RedisSlidingBloomFilter<String> begun, Message message, Consumer<Message> handler) {
    if (begun.putIfAbsent(message.id())) {
      handler.accept(message); // if this process ends here, nobody does it again
    }
  }

  static void handleAtLeastOnce(
      RedisSlidingBloomFilter<String> done, Message message, Consumer<Message> handler) {
    if (!done.mightContain(message.id())) { // two consumers may both come here
      handler.accept(message);
      done.put(message.id()); // if this process ends before, the message is handled again
    }
  }

  static RedisSnapshot<String> snapshot(RedisFilters filters) {
    filters.open("blocked").seal(); // by its builder, after commit: no more puts
    RedisSnapshot<String> blocked =
        RedisSnapshot.of(
            BloomFilter.of(filters.open("blocked"), KeyHasher.strings()), Duration.ofSeconds(30));
    blocked.mightContain("10.0.0.1"); // local; false as of 30 seconds ago at most
    return blocked;
  }
}
