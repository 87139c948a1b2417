package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import java.io.IOException;

/** What a process does to a filter when it is killed. */
enum Work {
  CREATE(false) {
    @Override
    void run(RedisFilters filters, String name, Runnable begun) {
      filters.create(name, Servers.plan("blocked", EXPECTED, 0.01));
    }
  },
  LOAD(false) {
    @Override
    void run(RedisFilters filters, String name, Runnable begun) throws IOException {
      filters.load(name, CONTENT);
    }
  },
  LOAD_OVER_A_HALF(false) {
    @Override
    void prepare(RedisFilters filters, String name) {
      filters.rebuild(name, CONTENT).putAll(HASHES, 0, KEYS / 2); // and its process has ended
    }

    @Override
    void run(RedisFilters filters, String name, Runnable begun) throws IOException {
      LOAD.run(filters, name, begun);
    }
  },
  REBUILD_FROM_NOTHING(false) {
    @Override
    void run(RedisFilters filters, String name, Runnable begun) {
      rebuild(filters, name, begun);
    }
  },
  REPLACE(true) {
    @Override
    void run(RedisFilters filters, String name, Runnable begun) throws IOException {
      replace(filters, name, begun);
    }
  },
  REBUILD(true) {
    @Override
    void run(RedisFilters filters, String name, Runnable begun) {
      rebuild(filters, name, begun);
    }
  };

  static final int KEYS = 1000;

  /** So many that the content takes several parts of a MiB. */
  static final long EXPECTED = 1_200_000;

  static final long[] HASHES = Servers.hashes(0, KEYS);

  static final Filter CONTENT = content();

  /** Whether a filter serves meanwhile. */
  final boolean besideAnother;

  Work(boolean besideAnother) {
    this.besideAnother = besideAnother;
  }

  /** Does what is to be done before on a server without a filter of this name. */
  void prepare(RedisFilters filters, String name) {}

  /**
   * Does it.
   *
   * @param begun is run when it has begun to take what is put into the filter
   */
  abstract void run(RedisFilters filters, String name, Runnable begun) throws IOException;

  private static Filter content() {
    BloomFilter<Long> content =
        Bloomery.longs().expect(EXPECTED).fpp(0.01).variant("blocked").create();
    content.putAll(Servers.keys(0, KEYS));
    return content.filter();
  }

  static void replace(RedisFilters filters, String name, Runnable begun) throws IOException {
    try (RedisRebuild rebuild = filters.rebuild(name, CONTENT)) {
      begun.run();
      rebuild.load(CONTENT);
      rebuild.commit();
    }
  }

  private static void rebuild(RedisFilters filters, String name, Runnable begun) {
    try (RedisRebuild rebuild = filters.rebuild(name, Servers.plan("blocked", EXPECTED, 0.01))) {
      begun.run();
      rebuild.putAll(HASHES, 0, KEYS / 2);
      rebuild.putAll(HASHES, KEYS / 2, KEYS);
      rebuild.commit();
    }
  }
}
