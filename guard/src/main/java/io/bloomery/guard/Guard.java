package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * A Bloom filter, a cache and a source in step: questions for keys that the source does not have
 * hardly ever reach it, and keys that it has are always found.
 *
 * <pre>{@code
 * Guard<String, User> users =
 *     Guard.builder(
 *             Bloomery.strings().expect(1_000_000).fpp(0.01),
 *             GuardSource.of(table::ids, table::find))
 *         .rebuildEvery(Duration.ofHours(6))
 *         .build();
 * users.get("ada");                                    // asks the table if it may have her
 * users.write("bob", () -> table.insert(bob));         // reported: found from now on
 * users.delete("ada", () -> table.delete("ada"));
 * }</pre>
 *
 * <p>Never is a key called absent that the source had when it was last read, or that was reported
 * since by {@link #write} or {@link #created}, unless the source itself said so afterwards.
 * Whatever is not certain is answered by the source: while the filter is filled for the first time,
 * and when it cannot be filled.
 *
 * <p>Keys that other processes write are known only once they are reported, or the filter is
 * rebuilt: until then they are called absent. Report them, or do not use a guard there.
 *
 * <p>A rebuild reads all keys of the source, beside readers and writers, who do not wait. The old
 * filter serves until the new one does.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class Guard<K, V> implements GuardView<K, V> {

  // How writers, readers and rebuilds meet.
  //
  // A write (1) enters the barrier, (2) puts its key into the generation that serves and the one
  // that is being filled, (3) acts, (4) drops what is known of the key, (5) leaves the barrier.
  //
  // - Put before act: whoever can see the key in the source finds it in the filter.
  // - Drop after act: what a reader learned before the act is gone when the write returns, and what
  //   one is just learning is not kept, since its load or ticket is void.
  // - The barrier: a rebuild publishes its generation, waits for writes that entered before, and
  //   then reads the source. A write that entered later has put into that generation; one that
  //   entered earlier has acted, so that the source yields its key.
  //
  // An absence that the source has confirmed holds for the generation that served when the source
  // was asked. The next one was read later, and may have the key.
  //
  // A count of a counting filter is taken back only after the delete's action has said that the
  // source had the key, and only in the generation that served when the delete began. In one that
  // is being filled the key may not be yet: to take it back there would take another key's bits.

  private static final long LOOK_NANOS = 10_000_000;

  private final Lookup<K, V> lookup;
  private final Generations<K> generations;
  private final WriteBarrier barrier;
  private final Rebuilds<K> rebuilds;
  private final boolean removes;

  /** Makes a guard over a barrier, which tests take out. */
  Guard(
      String name,
      GuardSource<K, V> source,
      AnswerLimits limits,
      WriteBarrier barrier,
      LongFunction<BloomFilter<K>> filters,
      long expectedKeys,
      RebuildRules rules,
      boolean removes) {
    this.generations = new Generations<>();
    this.lookup = new Lookup<>(name, generations, source, limits);
    this.barrier = barrier;
    this.rebuilds =
        new Rebuilds<>(name, generations, barrier, source, filters, expectedKeys, rules);
    this.removes = removes;
    rebuilds.start();
  }

  /**
   * Starts a guard.
   *
   * @param filter what filters are made by: of any variant, with {@code expect}
   * @param source where keys and values come from
   */
  public static <K, V> GuardBuilder<K, V> builder(
      FilterBuilder<K> filter, GuardSource<K, V> source) {
    return new GuardBuilder<>(filter, source);
  }

  @Override
  public Optional<V> get(K key) {
    return lookup.get(key);
  }

  @Override
  public Map<K, V> getAll(Collection<? extends K> keys) {
    return lookup.getAll(keys);
  }

  @Override
  public <R> Optional<R> get(K key, ValueSource<? super K, R> source) {
    return lookup.get(key, source);
  }

  @Override
  public boolean mightContain(K key) {
    return lookup.mightContain(key);
  }

  /**
   * Writes a key: puts it into the filter, runs the action, then drops what is cached of it. When
   * this returns the key is found.
   *
   * <p>What the action writes must be visible to others when it returns: run transactions inside
   * it, not around this call. If it throws, the key stays in the filter, which costs a question for
   * the source.
   *
   * @param action what writes the key into the source
   * @return what the action returns
   * @throws E what the action throws
   * @throws IllegalStateException if the guard was closed; the action was not run
   */
  public <R, E extends Exception> R write(K key, Action<R, E> action) throws E {
    Objects.requireNonNull(action, "action must not be null");
    WriteBarrier.Passage passage = enter(key);
    try {
      put(key);
      return action.run();
    } finally {
      leave(key, passage);
    }
  }

  /** Does what {@link #write(Object, Action)} does, with an action that returns nothing. */
  public <E extends Exception> void write(K key, VoidAction<E> action) throws E {
    Objects.requireNonNull(action, "action must not be null");
    WriteBarrier.Passage passage = enter(key);
    try {
      put(key);
      action.run();
    } finally {
      leave(key, passage);
    }
  }

  /**
   * Reports a key that was written elsewhere, or otherwise than by {@link #write}. It may be
   * reported any number of times, and late.
   *
   * @throws IllegalStateException if the guard was closed, or {@linkplain
   *     GuardBuilder#removeDeleted removes}: a count that is taken back before its key was reported
   *     would be another key's
   */
  public void created(K key) {
    if (removes) {
      throw new IllegalStateException(
          "keys of a guard that removes must be written by write(), but one was reported by"
              + " created(); leave out removeDeleted() where others write, too");
    }
    WriteBarrier.Passage passage = enter(key);
    try {
      put(key);
    } finally {
      leave(key, passage);
    }
  }

  /** Returns whether {@link #created} is accepted: not of a guard that removes. */
  public boolean takesReports() {
    return !removes;
  }

  /**
   * Deletes a key: runs the action, then drops what is cached of it. The filter still lets it
   * through, until the next question has confirmed that it is absent and until the next rebuild;
   * one that {@linkplain GuardBuilder#removeDeleted removes} takes it back.
   *
   * @param action what deletes the key from the source, and returns whether that had it; of several
   *     that delete one key at a time at most one may return true
   * @return what the action returns
   * @throws E what the action throws; nothing is taken back
   * @throws IllegalStateException if the guard was closed; the action was not run
   */
  public <E extends Exception> boolean delete(K key, DeleteAction<E> action) throws E {
    Objects.requireNonNull(action, "action must not be null");
    WriteBarrier.Passage passage = enter(key);
    try {
      Generation<K> serving = generations.serving();
      boolean had = action.run();
      if (had && removes && serving != null) {
        serving.remove(key);
      }
      return had;
    } finally {
      leave(key, passage);
    }
  }

  /**
   * Reports that a key may have been deleted elsewhere: drops what is cached of it. The next
   * question asks the source, so that reports may come twice, late and in any order.
   *
   * @throws IllegalStateException if the guard was closed
   */
  public void deleted(K key) {
    leave(key, enter(key));
  }

  /**
   * Asks for a rebuild that begins after this call. While one runs, one more is begun when it has
   * ended, whatever the number of calls.
   *
   * @return completes when the new filter serves, or exceptionally if it could not be filled; the
   *     old one serves then. To cancel it does nothing to the rebuild.
   * @throws IllegalStateException if the guard was closed
   */
  public CompletableFuture<Void> rebuild() {
    return rebuilds.request();
  }

  /**
   * Waits until a filter serves: for those who would rather start late than ask the source at
   * first.
   *
   * @throws TimeoutException if none does after so long; the guard goes on trying
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if the guard was closed
   */
  public void awaitFilter(Duration patience) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + AnswerLimits.nanos(patience);
    while (generations.serving() == null) {
      lookup.checkOpen();
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new TimeoutException(
            "a filter should serve within "
                + patience
                + ", but guard "
                + name()
                + " is "
                + state()
                + rebuilds.lastError().map(error -> ": " + error).orElse(""));
      }
      awaitRebuild(Math.min(left, LOOK_NANOS));
    }
  }

  private void awaitRebuild(long nanos) throws InterruptedException {
    try {
      rebuilds.running().get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Looks again; a failure is tried again by itself.
    }
  }

  @Override
  public String name() {
    return lookup.name();
  }

  @Override
  public GuardState state() {
    if (lookup.isClosed()) {
      return GuardState.CLOSED;
    }
    boolean serves = generations.serving() != null;
    if (rebuilds.isRunning()) {
      return serves ? GuardState.REBUILDING : GuardState.FILLING;
    }
    return serves && rebuilds.lastError().isEmpty() ? GuardState.READY : GuardState.FAILED;
  }

  @Override
  public GuardStats stats() {
    return GuardStats.of(state(), lookup, generations, rebuilds);
  }

  /**
   * {@inheritDoc} A rebuild that runs is given up, and its thread interrupted and waited for, a
   * second at most.
   */
  @Override
  public void close() {
    rebuilds.close();
    lookup.close();
  }

  private WriteBarrier.Passage enter(K key) {
    Lookup.check(key);
    lookup.checkOpen();
    return barrier.enter();
  }

  private void put(K key) {
    generations
        .put(key)
        .ifPresent(
            full -> {
              if (generations.withdraw(full)) {
                rebuilds.lost(full.unusable().orElseThrow());
              }
            });
  }

  private void leave(K key, WriteBarrier.Passage passage) {
    try {
      lookup.withdraw(key);
    } finally {
      passage.leave();
    }
  }

  @Override
  public String toString() {
    return "guard " + name() + ": " + stats();
  }

  /**
   * What writes a key into the source.
   *
   * @param <R> what it returns
   * @param <E> what it throws
   */
  @FunctionalInterface
  public interface Action<R, E extends Exception> {

    /** Writes the key, so that others see it when this returns. */
    R run() throws E;
  }

  /**
   * What writes a key into the source, and returns nothing.
   *
   * @param <E> what it throws
   */
  @FunctionalInterface
  public interface VoidAction<E extends Exception> {

    /** Writes the key, so that others see it when this returns. */
    void run() throws E;
  }

  /**
   * What deletes a key from the source.
   *
   * @param <E> what it throws
   */
  @FunctionalInterface
  public interface DeleteAction<E extends Exception> {

    /** Deletes the key, and returns whether the source had it. */
    boolean run() throws E;
  }
}
