package io.bloomery.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Writers, readers and endless rebuilds of one guard, for a while; counts how often a key that was
 * reported is answered absent.
 *
 * <p>Keys are asked for before, while and after they are written, so that there are confirmed
 * absences of them, and loads in flight. One of eight is deleted again, and written once more.
 */
final class EndlessRebuilds {

  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int OLD = 2_000;
  private static final int MAX_KEYS = 1 << 20;

  private final MemorySource table = MemorySource.of("old-", OLD);
  private final Guard<String, String> guard;
  private final Predicate<EndlessRebuilds> enough;
  private final AtomicInteger begun = new AtomicInteger();
  // The keys in the order they were reported, as far as that was done.
  private final AtomicReferenceArray<String> reported = new AtomicReferenceArray<>(MAX_KEYS);
  private final AtomicInteger reports = new AtomicInteger();
  private final LongAdder operations = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  EndlessRebuilds(
      Function<MemorySource, GuardBuilder<String, String>> settings,
      WriteBarrier barrier,
      Predicate<EndlessRebuilds> enough) {
    this.guard = settings.apply(table).build(barrier);
    this.enough = enough;
  }

  /** Runs until that is enough, and returns how often a reported key was called absent. */
  long lost() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads.add(new Thread(() -> repeat(() -> write(random))));
    }
    for (int i = 0; i < READERS; i++) {
      SplittableRandom random = new SplittableRandom(100 + i);
      threads.add(new Thread(() -> repeat(() -> read(random))));
    }
    threads.add(new Thread(() -> repeat(() -> Guards.result(guard.rebuild()))));
    threads.forEach(Thread::start);
    while (!enough.test(this) && failures.isEmpty()) {
      Thread.sleep(10);
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    for (int i = 0; i < reports.get(); i++) {
      check(reported.get(i));
    }
    GuardStats stats = guard.stats();
    guard.close();
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.size() + " failures", failures.peek());
    }
    System.out.println(
        operations.sum()
            + " operations, "
            + reports.get()
            + " keys written, "
            + stats.rebuilds()
            + " rebuilds, "
            + lost.sum()
            + " lost");
    return lost.sum();
  }

  /** Tells whether it has run for so long, and done enough in that time on a busy machine. */
  static Predicate<EndlessRebuilds> during(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    return run ->
        System.nanoTime() - end > 0
            && run.reports.get() >= 100
            && run.guard.stats().rebuilds() >= 5;
  }

  /** Tells whether a key was lost, or none was in so long a time. */
  static Predicate<EndlessRebuilds> untilLost(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    return run -> run.lost.sum() > 0 || System.nanoTime() - end > 0;
  }

  private interface Step {

    void run() throws Exception;
  }

  private void repeat(Step step) {
    try {
      while (!ended && reports.get() < MAX_KEYS - WRITERS) {
        step.run();
      }
    } catch (Exception | Error e) {
      failures.add(e);
    }
  }

  private void write(SplittableRandom random) {
    int number = begun.getAndIncrement();
    String key = "key-" + number;
    writeSlowly(key, random);
    check(key);
    if (number % 8 == 0) {
      guard.delete(key, () -> table.delete(key));
      operations.increment();
      guard.get(key); // confirms that it is absent, mostly
      writeSlowly(key, random);
      check(key);
    }
    int at = reports.getAndIncrement();
    reported.set(at, key);
  }

  private void writeSlowly(String key, SplittableRandom random) {
    guard.write(
        key,
        () -> {
          LockSupport.parkNanos(random.nextInt(2_000_000));
          table.insert(key);
        });
    operations.increment();
  }

  private void read(SplittableRandom random) {
    int count = reports.get();
    // Every other time one of the last, which a rebuild beside its write may have missed.
    int from = random.nextBoolean() ? Math.max(0, count - 20) : 0;
    String key = count == 0 ? null : reported.get(random.nextInt(from, count));
    if (key != null) {
      check(key);
    }
    check("old-" + random.nextInt(OLD));
    // One that is being written, or will soon be.
    guard.get("key-" + (begun.get() + random.nextInt(5) - 3));
    guard.get("nobody-" + random.nextInt());
    operations.add(2);
  }

  private void check(String key) {
    operations.increment();
    if (guard.get(key).isEmpty()) {
      lost.increment();
    }
  }
}
