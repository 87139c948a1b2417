package io.bloomery.guard;

import io.bloomery.FilterBuilder;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a source's values with a Bloom filter of its keys in front: queries for keys that the
 * source does not have rarely reach it, and keys that it has are always found.
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
 * <p>A key is never reported as absent if the source had it when it was last read, or if it was
 * reported since by {@link #write} or {@link #created}, unless the source itself reported it as
 * absent afterwards. In all other cases the source decides: while the filter is filled for the
 * first time, and when it cannot be filled.
 *
 * <p>Keys written by other processes are reported as absent until they are reported to the guard,
 * or the filter is rebuilt. Report them, or do not use a guard for such a source.
 *
 * <p>A rebuild reads all keys of the source, concurrently with readers and writers, which do not
 * wait. The old filter serves until the new one is complete.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
@SuppressWarnings("exports") // of an annotation, which may be missing at compile and run time
public final class Guard<K, V> implements GuardView<K, V> {

  // How writes, queries and rebuilds are ordered.
  // A write (1) enters the barrier, (2) puts its key into the serving generation and the one being
  // filled, (3) acts, (4) drops the cached answers for the key, (5) leaves the barrier.
  // - Put before act: once the key is visible in the source, it is in the filter.
  // - Drop after act: answers cached before the act are gone when the write returns, and a load in
  //   progress is not cached, since it or its ticket is void.
  // - The barrier: a rebuild publishes its generation, waits for writes that entered before, and
  //   then reads the source. A write that entered later has put into that generation; one that
  //   entered earlier has acted, so that the source yields its key.
  // An absence confirmed by the source holds for the generation that served when the source was
  // queried. The next one is read later, and may have the key.
  //
  // A delete decrements a counting filter only after its action has returned that the source had
  // the key, and only in a generation that serves throughout: another may not have the key, and
  // decrementing there would take another key's counts.

  private final KeyIdentity<K> identity;
  private final Lookup<K, V> lookup;
  private final Generations<K> generations;
  private final FilterStore<K> store;
  private final WriteBarrier barrier;
  private final Rebuilds<K> rebuilds;
  private final boolean removes;

  /** Creates a guard over a barrier, which tests replace. */
  Guard(
      String name,
      GuardSource<K, V> source,
      AnswerLimits limits,
      WriteBarrier barrier,
      NextFilter<K> filters,
      GuardLog log,
      RebuildRules rules,
      KeyIdentity<K> identity,
      boolean removes) {
    this.identity = identity;
    this.store = filters.store();
    this.generations = new Generations<>(limits, log);
    this.lookup = new Lookup<>(name, generations, source, limits, identity);
    this.barrier = barrier;
    this.rebuilds = new Rebuilds<>(name, generations, barrier, source, filters, log, rules);
    this.removes = removes;
    try {
      store.kept().ifPresent(generations::resume);
      rebuilds.start(this);
    } catch (RuntimeException | Error e) {
      try {
        close();
      } catch (RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /**
   * Returns a builder of guards.
   *
   * @param filter the configuration of the filters, of any variant, with {@code expect}
   * @param source the source of keys and values
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
   * Writes a key: puts it into the filter, runs the action, then drops cached answers for it. The
   * key is found from the return of this method on.
   *
   * <p>The write must be visible to other threads when the action returns: run transactions inside
   * the action, not around this call. If the action throws, the key stays in the filter, at the
   * cost of a query to the source.
   *
   * @param action writes the key into the source
   * @return the result of the action
   * @throws E if the action throws it
   * @throws IllegalStateException if the guard is closed; the action was not run
   * @throws UncheckedIOException if the key finds no place in the filter of a {@linkplain
   *     GuardBuilder#liveIn folder}, nor can that be removed; the action was not run
   */
  public <R extends @Nullable Object, E extends Exception> R write(K key, Action<R, E> action)
      throws E {
    Objects.requireNonNull(action, "action must not be null");
    WriteBarrier.Passage passage = enter(key);
    try {
      put(key);
      return action.run();
    } finally {
      leave(key, passage);
    }
  }

  /**
   * Writes a key as {@link #write(Object, Action)} does, for languages that infer no type of
   * exceptions: {@code users.writeCallable("bob") { table.insert("bob") }} in Kotlin.
   */
  public <R extends @Nullable Object> R writeCallable(K key, Callable<R> action) throws Exception {
    Objects.requireNonNull(action, "action must not be null");
    return this.<R, Exception>write(key, action::call);
  }

  /** Writes a key as {@link #write(Object, Action)} does, by an action without a result. */
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
   * Reports a key that was written elsewhere, or without {@link #write}. Reports may be repeated
   * and late.
   *
   * @throws UncheckedIOException as for {@link #write(Object, Action)}; report it again
   * @throws IllegalStateException if the guard is closed, or {@linkplain GuardBuilder#removeDeleted
   *     removes deleted keys}: a delete before the report would decrement the counts of another key
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

  /** Returns whether {@link #created} may be called: not if the guard removes deleted keys. */
  public boolean takesReports() {
    return !removes;
  }

  /**
   * Deletes a key: runs the action, then drops cached answers for it. The key still passes the
   * filter until the next rebuild, and reaches the source until a query has confirmed its absence;
   * a guard that {@linkplain GuardBuilder#removeDeleted removes deleted keys} removes it from the
   * filter.
   *
   * @param action deletes the key from the source, and returns whether the source had it; of
   *     concurrent deletes of one key at most one may return true
   * @return the result of the action
   * @throws E if the action throws it; the filter is unchanged
   * @throws IllegalStateException if the guard was closed; the action was not run
   */
  public <E extends Exception> boolean delete(K key, DeleteAction<E> action) throws E {
    Objects.requireNonNull(action, "action must not be null");
    WriteBarrier.Passage passage = enter(key);
    try {
      Generation<K> serving = generations.serving();
      boolean had = action.run();
      if (had && removes && serving != null && serving == generations.serving()) {
        serving.remove(key);
      }
      return had;
    } finally {
      leave(key, passage);
    }
  }

  /**
   * Deletes a key as {@link #delete} does, for languages that infer no type of exceptions: {@code
   * users.deleteCallable("ada") { table.delete("ada") }} in Kotlin.
   */
  public boolean deleteCallable(K key, Callable<Boolean> action) throws Exception {
    Objects.requireNonNull(action, "action must not be null");
    return this.<Exception>delete(key, action::call);
  }

  /**
   * Reports that a key may have been deleted elsewhere: drops cached answers for it. The next query
   * reads the source, so that reports may be repeated, late and in any order.
   *
   * @throws IllegalStateException if the guard is closed
   */
  public void deleted(K key) {
    leave(key, enter(key));
  }

  /**
   * Requests a rebuild that begins after this call. All requests during a rebuild are served by one
   * further rebuild after it. If the source has more keys than the filter was planned for, the
   * rebuild reads them once more, into a larger one.
   *
   * @return a future that completes when the new filter serves, or exceptionally if it could not be
   *     filled, in which case the old one continues to serve. Cancelling it has no effect on the
   *     rebuild, and its callbacks may block and call the guard.
   * @throws IllegalStateException if the guard is closed
   */
  public CompletableFuture<Void> rebuild() {
    return rebuilds.request();
  }

  /**
   * Waits until a filter serves, for programs that prefer a late start to unfiltered queries to the
   * source.
   *
   * @throws TimeoutException if no filter serves after that time; the guard continues to try
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if the guard was closed
   */
  public void awaitFilter(Duration patience) throws InterruptedException, TimeoutException {
    if (!generations.awaitServing(
        AnswerLimits.nanos(Objects.requireNonNull(patience, "patience must not be null")))) {
      lookup.checkOpen();
      throw new TimeoutException(
          "a filter should serve within "
              + patience
              + ", but guard "
              + name()
              + " is "
              + state()
              + rebuilds.lastError().map(error -> ": " + error).orElse(""));
    }
  }

  @Override
  public void notFound(K key) {
    lookup.notFound(key);
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
    return serves && lastError().isEmpty() ? GuardState.READY : GuardState.FAILED;
  }

  @Override
  public GuardStats stats() {
    return GuardStats.of(state(), lookup, generations, rebuilds, lastError());
  }

  private Optional<String> lastError() {
    return rebuilds.lastError().or(generations::openReason);
  }

  /**
   * {@inheritDoc} A rebuild in progress is abandoned, and its thread interrupted and joined for at
   * most a second.
   */
  @Override
  public void close() {
    rebuilds.close();
    lookup.close();
    store.close();
  }

  private WriteBarrier.Passage enter(K key) {
    Lookup.check(key);
    Object unused = identity.of(key); // throws before anything is done if it is not valid
    lookup.checkOpen();
    return barrier.enter();
  }

  private void put(K key) {
    try {
      generations.put(key).ifPresent(rebuilds::lost);
    } catch (UncheckedIOException e) {
      rebuilds.writeFailed(e);
      throw e;
    }
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
   * An action that writes a key into the source.
   *
   * @param <R> the type of its result
   * @param <E> the type of exceptions that it throws
   */
  @FunctionalInterface
  public interface Action<R extends @Nullable Object, E extends Exception> {

    /** Writes the key, so that others see it when this returns. */
    R run() throws E;
  }

  /**
   * An action without a result that writes a key into the source.
   *
   * @param <E> the type of exceptions that it throws
   */
  @FunctionalInterface
  public interface VoidAction<E extends Exception> {

    /** Writes the key, so that others see it when this returns. */
    void run() throws E;
  }

  /**
   * An action that deletes a key from the source.
   *
   * @param <E> the type of exceptions that it throws
   */
  @FunctionalInterface
  public interface DeleteAction<E extends Exception> {

    /** Deletes the key, and returns whether the source had it. */
    boolean run() throws E;
  }
}
