package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.hash.KeyHasher;
import io.bloomery.scalable.ScalableProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** Short races for moments that drawn rounds hardly ever meet. */
final class Moments {

  private static final int KEYS = 100;
  private static final int CHECKS = 200;

  /** Takes its time over the key that is written. */
  private static final KeyHasher<String> HASHER =
      new KeyHasher<>() {
        @Override
        public String id() {
          return "slow";
        }

        @Override
        public long hash(String key) {
          if (key.equals("late")) {
            DrawnSource.pause(21);
          }
          return KeyHasher.strings().hash(key);
        }
      };

  private Moments() {}

  /**
   * A key is written while a first filter that has room for the keys of the source, and for no
   * other, begins to serve.
   */
  static void fullFilter(Queue<String> violations) {
    MemorySource table = MemorySource.of("user-", KEYS);
    FilterBuilder<String> filter =
        Bloomery.<String>of(HASHER).expect(KEYS).variant(new ScalableProvider());
    try (Guard<String, String> guard =
        Guard.builder(filter.maxBytes(filter.plan().sizeInBits() / 8 + 50), table)
            .name("full")
            .pause(Duration.ofHours(1))
            .build()) {
      guard.write("late", () -> table.insert("late"));
      if (guard.get("late").isEmpty()) {
        violations.add("late is called absent by a filter that is full");
      }
    }
  }

  /** A key is asked for while a load of it that began before the filter was replaced ends. */
  static void olderLoad(Queue<String> violations) throws InterruptedException {
    MemorySource table = new MemorySource();
    table.onLoad = () -> DrawnSource.pause(13);
    BloomFilter<String> any = Bloomery.strings().expect(1).fpp(0.9).create();
    for (int i = 0; i < 1_000; i++) {
      any.put("any-" + i); // until every key passes
    }
    AnswerLimits limits = AnswerLimits.defaults().absences(0, Guards.LONG);
    AtomicInteger number = new AtomicInteger();
    try (ReadOnlyGuard<String, String> guard = ReadOnlyGuard.of("older", any, table, limits)) {
      // More than there are processors: the moment is one at which a thread is interrupted by
      // others.
      List<Thread> early = new ArrayList<>();
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        early.add(
            new Thread(
                () -> {
                  while (number.get() < CHECKS) {
                    Optional<String> unused = guard.get("key-" + number.get());
                  }
                }));
      }
      early.forEach(Thread::start);
      for (; number.get() < CHECKS; number.incrementAndGet()) {
        DrawnSource.pause(14);
        String key = "key-" + number.get();
        table.insert(key);
        guard.replace(any);
        if (guard.get(key).isEmpty()) {
          violations.add(key + " is called absent under a filter that is newer than it");
        }
      }
      for (Thread thread : early) {
        thread.join();
      }
    }
  }
}
