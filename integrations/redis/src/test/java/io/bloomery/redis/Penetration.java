package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.hash.KeyHasher;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/** The snippets of the recipe about cache penetration in {@code docs/cookbook.md}. */
final class Penetration {

  private Penetration() {}

  record Product(String id) {}

  /** A table of products by their ids. */
  static final class Table {

    private int lookups;

    List<String> ids() {
      return IntStream.rangeClosed(1, 1000).mapToObj(i -> "product-" + i).toList();
    }

    Optional<Product> find(String id) {
      lookups++;
      return ids().contains(id) ? Optional.of(new Product(id)) : Optional.empty();
    }

    int lookups() {
      return lookups;
    }
  }

  static Optional<Product> withRedisson(RedissonClient redisson, Table table, String id) {
    RBloomFilter<String> ids = redisson.getBloomFilter("ids", StringCodec.INSTANCE);
    ids.tryInit(1_000_000, 0.01);
    ids.add(table.ids()); // by each process, when it starts
    Optional<Product> product = ids.contains(id) ? table.find(id) : Optional.empty();
    return product;
  }

  static Optional<Product> withBloomery(RedisFilters filters, Table table, String id) {
    BloomFilter<String> ids =
        BloomFilter.of(filters.open("products"), KeyHasher.strings()); // a job has rebuilt it
    ReadOnlyGuard<String, Product> products = ReadOnlyGuard.of(ids, table::find);
    Optional<Product> product = products.get(id);
    return product;
  }

  /** Asks by Redisson as a process does that has started before. */
  static Optional<Product> laterWithRedisson(RedissonClient redisson, Table table, String id) {
    RBloomFilter<String> ids = redisson.getBloomFilter("ids", StringCodec.INSTANCE);
    return ids.contains(id) ? table.find(id) : Optional.empty();
  }

  /** Returns the guard of a process that has started before. */
  static ReadOnlyGuard<String, Product> guard(RedisFilters filters, Table table) {
    return ReadOnlyGuard.of(
        BloomFilter.<String>of(filters.open("products"), KeyHasher.strings()), table::find);
  }
}
