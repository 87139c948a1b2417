package io.bloomery.guard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A source of versions whose troubles are drawn: slow, failing, hanging, or asking its guard for
 * other keys. Keys end in a number; a key may depend on one of half that number.
 */
final class DrawnSource implements GuardSource<String, Long> {

  /** What can be drawn. */
  enum Trouble {
    SLOW_LOADS,
    FAILING_LOADS,
    HANGING_LOADS,
    ASKING_LOADS,
    SLOW_KEYS,
    FAILING_KEYS,
    HANGING_KEYS,
    UNTELLABLE
  }

  final Map<String, Long> rows = new ConcurrentHashMap<>();
  final LongAdder failures = new LongAdder();
  private final Collection<Trouble> drawn = new ArrayList<>();
  private final int longestLoad;
  private volatile boolean calm;
  private volatile boolean silent;
  private volatile GuardView<String, Long> guard;

  DrawnSource(SplittableRandom random) {
    // Short ones end often while another thread finds them, long ones outlast a rebuild.
    this.longestLoad = random.nextBoolean() ? 13 : 20;
    for (Trouble trouble : Trouble.values()) {
      if (random.nextInt(trouble == Trouble.SLOW_LOADS ? 2 : 4) == 0) {
        drawn.add(trouble);
      }
    }
  }

  boolean has(Trouble trouble) {
    return drawn.contains(trouble);
  }

  /**
   * Returns whether a load may fail, or take longer than a limit, through no fault of the guard.
   */
  boolean mayFailLoads() {
    return has(Trouble.FAILING_LOADS) || has(Trouble.HANGING_LOADS);
  }

  void askedBy(GuardView<String, Long> asking) {
    guard = asking;
  }

  /** Ends all troubles. */
  void calmDown() {
    calm = true;
  }

  /** Yields no keys from now on, until the thread that asks for them is interrupted. */
  void fallSilent() {
    silent = true;
  }

  private boolean strikes(Trouble trouble, int oneIn) {
    return !calm && has(trouble) && ThreadLocalRandom.current().nextInt(oneIn) == 0;
  }

  /** Takes its time now and then, as a hasher may. */
  void hash() {
    if (!calm && ThreadLocalRandom.current().nextInt(20) == 0) {
      pause(16);
    }
  }

  /** As a database gives them: what is written after this call is not among them. */
  @Override
  public Stream<String> keys() throws Exception {
    while (silent) {
      Thread.sleep(1_000);
    }
    List<String> snapshot = List.copyOf(rows.keySet());
    if (strikes(Trouble.FAILING_KEYS, 3)) {
      throw failure();
    }
    return snapshot.stream()
        .onClose(
            () -> {
              if (strikes(Trouble.SLOW_KEYS, 2)) {
                pause(21);
              }
            })
        .peek(
            key -> {
              if (strikes(Trouble.SLOW_KEYS, 50)) {
                LockSupport.parkNanos(100_000);
              }
              if (strikes(Trouble.FAILING_KEYS, 3_000)) {
                throw new IllegalStateException("connection lost");
              }
              if (strikes(Trouble.HANGING_KEYS, 3_000)) {
                hang();
              }
            });
  }

  @Override
  public Optional<Long> load(String key) throws Exception {
    return Optional.ofNullable(loadAll(List.of(key)).get(key));
  }

  /** Looked up before the trouble, so that the answer may be out of date when it arrives. */
  @Override
  public Map<String, Long> loadAll(Collection<String> keys) throws Exception {
    Map<String, Long> loaded = new HashMap<>();
    for (String key : keys) {
      Optional.ofNullable(rows.get(key)).ifPresent(value -> loaded.put(key, value));
    }
    if (strikes(Trouble.SLOW_LOADS, 2)) {
      pause(longestLoad);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    if (strikes(Trouble.FAILING_LOADS, 10)) {
      throw failure();
    }
    if (strikes(Trouble.HANGING_LOADS, 500)) {
      hang();
    }
    if (strikes(Trouble.ASKING_LOADS, 2)) {
      for (String key : keys) {
        askForDependencyOf(key);
      }
    }
    return loaded;
  }

  private void askForDependencyOf(String key) {
    int dash = key.indexOf('-');
    int number = Integer.parseInt(key.substring(dash + 1));
    if (number > 0) {
      Optional<Long> unused = guard.get(key.substring(0, dash + 1) + number / 2);
    }
  }

  /** Waits for less than two to this power nanoseconds, each power of which is as likely. */
  static void pause(int below) {
    long nanos = 1L << ThreadLocalRandom.current().nextInt(10, below);
    long end = System.nanoTime() + nanos;
    if (nanos > 100_000) { // a thread sleeps for half of that at least
      LockSupport.parkNanos(nanos);
    }
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private Exception failure() {
    failures.increment();
    return has(Trouble.UNTELLABLE)
        ? GuardForeignCodeTest.Untellable.THROWS.exception()
        : new IOException("no connection");
  }

  private void hang() {
    failures.increment();
    while (!calm && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
    throw new IllegalStateException("hung");
  }
}
