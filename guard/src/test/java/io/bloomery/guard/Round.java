package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.guard.DrawnSource.Trouble;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A drawn guard over a drawn source, which threads ask, write and rebuild for a while. Every answer
 * is checked against what was promised when the question was asked:
 *
 * <ul>
 *   <li>A key is found, at no older version, after its write has returned, whatever fails
 *       meanwhile; each writer alone knows what its keys are, and checks them exactly, also after
 *       deletes.
 *   <li>A key that others wrote is found once a rebuild has ended that began after it.
 *   <li>A lookup fails only if the source did, or its own thread was interrupted.
 *   <li>A guard that is started again has every key in its filter, if that lives in a folder.
 *   <li>When the troubles are over, a rebuild ends, its filter has the rate asked for, and every
 *       thread gets its answer.
 * </ul>
 */
final class Round {

  private static final int MAX_KEYS = 1 << 18;
  private static final Executor NEW_THREAD = task -> new Thread(task).start();

  /** A key that is never deleted, and the version that it has at least. */
  private record Stable(String key, long version) {}

  private final long seed;
  private final SplittableRandom random;
  private final DrawnSource source;
  private final DrawnGuard drawn;
  private final boolean readOnly;
  private final boolean interrupts;
  private final boolean callsBack;
  private final int batch;
  private final GuardView<String, Long> guard;
  private final AtomicReferenceArray<Stable> stable = new AtomicReferenceArray<>(MAX_KEYS);
  private final AtomicInteger stables = new AtomicInteger();
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final LongAdder operations = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile boolean ended;

  Round(long seed, WriteBarrier barrier, Path folder) throws Exception {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.source = new DrawnSource(random);
    this.drawn = new DrawnGuard(random, source, folder);
    this.readOnly = random.nextInt(3) == 0;
    this.interrupts = random.nextInt(3) == 0;
    this.callsBack = random.nextInt(3) == 0;
    // Of one key often: several threads then ask for it while it is written.
    this.batch = random.nextBoolean() ? 1 : 10;
    for (int i = 0; i < 100; i++) {
      insertElsewhere();
    }
    this.snapshot = drawn.filter().expect(1_000).maxBytes(1 << 20).create();
    this.guard =
        readOnly
            ? ReadOnlyGuard.of("campaign", snapshot(), source, drawn.limits())
            : drawn.build(barrier);
    source.askedBy(guard);
    if (readOnly) {
      publish(100);
    }
  }

  /** Returns a filter of what others have written, for a read-only guard. */
  private BloomFilter<String> snapshot() {
    snapshot = snapshot.copy();
    for (; inSnapshot < elsewhere.get(); inSnapshot++) {
      snapshot.put("e-" + inSnapshot);
    }
    return snapshot;
  }

  /** Runs for a while, and returns what was violated. */
  Queue<String> run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    if (!readOnly) {
      for (int i = 0; i < 2; i++) {
        threads.add(thread(new Writer("w" + i + "-", random.split())::step));
      }
    }
    for (int i = 0; i < 2; i++) {
      SplittableRandom own = random.split();
      threads.add(thread(() -> read(own)));
    }
    SplittableRandom refreshing = random.split();
    threads.add(thread(() -> refresh(refreshing)));
    SplittableRandom probing = random.split();
    List<Thread> victims = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread prober = thread(() -> probe(probing.split()));
      threads.add(prober);
      victims.add(prober);
    }
    threads.forEach(Thread::start);
    long end = System.nanoTime() + 1_000_000L * (1 << random.nextInt(2, 8));
    while (System.nanoTime() - end < 0 && violations.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
      if (interrupts) {
        victims.get(random.nextInt(victims.size())).interrupt();
      }
    }
    ended = true;
    source.calmDown();
    join(threads);
    if (violations.isEmpty()) {
      checkAtTheEnd();
    }
    Thread closing = thread(this::close);
    closing.start();
    join(List.of(closing));
    if (violations.isEmpty() && !readOnly && drawn.isKept) {
      checkNextRun();
    }
    return violations;
  }

  private void join(List<Thread> threads) throws InterruptedException {
    long end = System.nanoTime() + 60_000_000_000L;
    for (Thread thread : threads) {
      thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      if (thread.isAlive()) {
        violated("a thread never gets an answer: " + List.of(thread.getStackTrace()));
      }
    }
  }

  private interface Step {

    void run() throws Exception;
  }

  private Thread thread(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                do {
                  step.run();
                } while (!ended && stables.get() < MAX_KEYS - 100);
              } catch (Exception | Error e) {
                violated("a call failed: " + GuardLog.describe(e) + " at " + trace(e));
              }
            });
    thread.setDaemon(true);
    return thread;
  }

  private static String trace(Throwable e) {
    return e.getStackTrace().length == 0 ? "nowhere" : e.getStackTrace()[0].toString();
  }

  private void violated(String what) {
    violations.add(what + "; seed " + seed + ": " + this);
  }

  /** Asks for a key. Empty if the source failed, or this thread was interrupted. */
  private Optional<Optional<Long>> ask(String key, boolean batch, boolean mayBeInterrupted) {
    operations.increment();
    try {
      // With others that some of these depend on.
      List<String> keys = List.of(key, "e-" + any(40), "w0-" + any(40));
      return Optional.of(batch ? Optional.ofNullable(guard.getAll(keys).get(key)) : guard.get(key));
    } catch (SourceException e) {
      failures.increment();
      if (!source.mayFailLoads() && !(mayBeInterrupted && interrupts)) {
        violated("a lookup failed though the source did not: " + e);
      }
      return Optional.empty();
    } finally {
      if (mayBeInterrupted) {
        boolean unused = Thread.interrupted();
      }
    }
  }

  private static int any(int below) {
    return ThreadLocalRandom.current().nextInt(below);
  }

  private void check(String key, long version, boolean batch) {
    ask(key, batch, false)
        .ifPresent(
            answer -> {
              if (answer.isEmpty()) {
                violated(key + " is called absent");
              } else if (answer.get() < version) {
                violated(key + " has version " + version + ", but was answered by " + answer.get());
              }
            });
  }

  private void publish(String key, long version) {
    stable.set(stables.getAndIncrement(), new Stable(key, version));
  }

  private void publish(int upTo) {
    for (int i = published; i < upTo; i++) {
      publish("e-" + i, 1);
      check("e-" + i, 1, false);
    }
    published = upTo;
  }

  // Of the keys that others write; by the thread that refreshes.
  private int published;
  private int inSnapshot;
  private BloomFilter<String> snapshot;

  /** Writes and deletes keys that nobody else writes. */
  private final class Writer {

    private final String prefix;
    private final SplittableRandom random;
    private int number;

    Writer(String prefix, SplittableRandom random) {
      this.prefix = prefix;
      this.random = random;
    }

    void step() {
      Guard<String, Long> written = (Guard<String, Long>) guard;
      if (random.nextInt(20) == 0) {
        burst(written);
      }
      String key = prefix + number++;
      write(written, key, 1);
      check(key, 1, random.nextBoolean());
      switch (random.nextInt(4)) {
        case 0 -> {
          write(written, key, 2);
          check(key, 2, random.nextBoolean());
          publish(key, 2);
        }
        case 1 -> {
          written.delete(
              key,
              () -> {
                pause();
                return source.rows.remove(key) != null;
              });
          ask(key, random.nextBoolean(), false)
              .filter(Optional::isPresent)
              .ifPresent(answer -> violated(key + " was deleted, but is answered by " + answer));
          if (random.nextBoolean()) {
            write(written, key, 3);
            check(key, 3, random.nextBoolean());
            publish(key, 3);
          }
        }
        default -> publish(key, 1);
      }
    }

    /** Writes so many keys at once that a filter may become full. */
    private void burst(Guard<String, Long> written) {
      int first = number;
      int last = first + random.nextInt(300);
      for (; number < last; number++) {
        String key = prefix + number;
        written.write(key, () -> source.rows.put(key, 1L));
        if (!guard.mightContain(key)) {
          violated(key + " is called absent");
        }
      }
      for (int i = first; i < last; i++) {
        publish(prefix + i, 1);
      }
    }

    private void write(Guard<String, Long> written, String key, long version) {
      operations.increment();
      if (!drawn.removes && random.nextInt(4) == 0) {
        source.rows.put(key, version);
        written.created(key);
      } else {
        written.write(
            key,
            () -> {
              pause();
              source.rows.put(key, version);
            });
      }
    }

    private void pause() {
      if (random.nextInt(8) == 0) {
        LockSupport.parkNanos(random.nextInt(1_000_000));
      }
    }
  }

  private void read(SplittableRandom random) {
    int count = stables.get();
    if (count > 0) {
      // Every other time one of the last, which a rebuild beside its write may have missed.
      int from = random.nextBoolean() ? Math.max(0, count - 2 * batch) : 0;
      Stable known = stable.get(random.nextInt(from, count));
      if (known != null) { // otherwise its number was taken just now
        check(known.key, known.version, random.nextInt(4) == 0);
      }
    }
    boolean unused = guard.mightContain("nobody-" + random.nextInt(MAX_KEYS));
  }

  /** Asks for keys that will soon be there, so that absences of them are cached or in flight. */
  private void probe(SplittableRandom random) {
    boolean others = random.nextInt(4) > 0;
    int next = (others ? elsewhere.get() : stables.get() / 3) + random.nextInt(2 * batch) - batch;
    String key = (others ? "e-" : "w0-") + Math.max(0, next);
    ask(key, random.nextInt(4) == 0, true);
  }

  private void insertElsewhere() {
    source.rows.put("e-" + elsewhere.getAndIncrement(), 1L);
  }

  /** Writes keys that the guard is not told of, and refreshes its filter. */
  private void refresh(SplittableRandom random) throws Exception {
    DrawnSource.pause(readOnly ? 14 : 18); // others ask for what will be written
    for (int i = random.nextInt(2 * batch); i > 0 && !drawn.removes; i--) {
      insertElsewhere();
    }
    int upTo = elsewhere.get();
    if (guard instanceof ReadOnlyGuard<String, Long> replaced) {
      replaced.replace(snapshot());
      publish(upTo);
      return;
    }
    CompletableFuture<Void> rebuild = ((Guard<String, Long>) guard).rebuild();
    if (callsBack) {
      rebuild = rebuild.whenComplete((nothing, failure) -> stats());
    }
    operations.increment();
    if (rebuild.handle((nothing, failure) -> failure == null).get()) {
      publish(upTo);
    }
  }

  // By another thread, as a callback that logs or reports meters may.
  private void stats() {
    CompletableFuture.supplyAsync(guard::stats, NEW_THREAD).join();
  }

  private void close() {
    CompletableFuture<?> ended = CompletableFuture.completedFuture(null);
    if (callsBack && guard instanceof Guard<String, Long> written) {
      CompletableFuture<?> running = written.rebuild().whenComplete((nothing, e) -> stats());
      CompletableFuture<?> queued = written.rebuild().whenComplete((nothing, e) -> stats());
      ended = CompletableFuture.allOf(running, queued);
    }
    guard.close();
    Object unused = ended.handle((nothing, failure) -> failure).join();
  }

  private void checkAtTheEnd() {
    if (guard instanceof Guard<String, Long> written) {
      CompletableFuture<Void> rebuilt =
          CompletableFuture.runAsync(() -> rebuild(written), NEW_THREAD);
      try {
        Guards.result(rebuilt);
      } catch (Exception e) {
        violated("no rebuild ends after the troubles: " + e);
        return;
      }
      checkRate();
    }
    for (int i = 0; i < stables.get(); i++) {
      Stable known = Objects.requireNonNull(stable.get(i));
      check(known.key, known.version, i % 4 == 0);
    }
  }

  private void checkNextRun() {
    source.fallSilent();
    try (Guard<String, Long> next = drawn.build(new WriteEpochs())) {
      if (!next.stats().isKept()) {
        violated("the next run has no filter");
      }
      for (int i = 0; i < stables.get(); i++) {
        String key = Objects.requireNonNull(stable.get(i)).key;
        if (!next.mightContain(key)) {
          violated(key + " is called absent by the next run");
        }
      }
    }
  }

  // One that was begun before the troubles ended may still fail.
  private static void rebuild(Guard<String, Long> guard) {
    boolean done = false;
    while (!done) {
      done = guard.rebuild().handle((nothing, failure) -> failure == null).join();
    }
  }

  private void checkRate() {
    if (drawn.isShortOfMemory) {
      return;
    }
    int passed = 0;
    for (int i = 0; i < 5_000; i++) {
      passed += guard.mightContain("nobody at all-" + i) ? 1 : 0;
    }
    // Exceeded by chance with a probability below 1e-9.
    double most = 5_000 * drawn.rate + 6.5 * Math.sqrt(5_000 * drawn.rate);
    if (passed > most) {
      violated(passed + " of 5,000 absent keys pass at a rate of " + drawn.rate);
    }
  }

  /** Adds what was done to the figures of a campaign. */
  void addTo(Map<String, Long> figures) {
    figures.merge("operations", operations.sum(), Long::sum);
    figures.merge("rebuilds", guard.stats().generation(), Long::sum);
    figures.merge("failed rebuilds", guard.stats().rebuildFailures(), Long::sum);
    figures.merge("failures of the source", source.failures.sum(), Long::sum);
    figures.merge("lookups that failed", failures.sum(), Long::sum);
    figures.merge("keys", (long) stables.get(), Long::sum);
  }

  @Override
  public String toString() {
    Set<String> parts = new TreeSet<>();
    for (Trouble trouble : Trouble.values()) {
      if (source.has(trouble)) {
        parts.add(trouble.toString());
      }
    }
    return (readOnly ? "read-only, " : "")
        + (interrupts ? "interrupted, " : "")
        + (callsBack ? "with callbacks, " : "")
        + drawn
        + ", "
        + parts;
  }
}
