package io.bloomery.guard;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A load of a value, for which any number of threads may wait. Completes with the value, or with
 * null if there is none or the load {@linkplain #fail failed}: the cache drops futures of null.
 */
final class Load<V> extends CompletableFuture<@Nullable V> {

  private final long generation;
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable Throwable failure;

  /** Creates a load that begins while the generation of this number serves. */
  Load(long generation) {
    this.generation = generation;
  }

  /** Returns whether no newer generation served when the other load began. */
  boolean isNoOlderThan(Load<V> other) {
    return generation >= other.generation;
  }

  void fail(Throwable cause) {
    failure = cause;
    complete(null);
  }

  /** Waits for the value. */
  Optional<V> await() {
    if (!isDone() && thread == Thread.currentThread()) {
      throw new IllegalStateException(
          "a source must not ask its guard for the key that it is loading, but did; ask the source"
              + " itself there");
    }
    V value;
    try {
      value = get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceException("interrupted while another thread loads the key", e);
    } catch (ExecutionException e) {
      throw new AssertionError("loads fail by fail()", e);
    }
    Throwable cause = failure;
    if (cause != null) {
      throw SourceException.elsewhere(cause);
    }
    return Optional.ofNullable(value);
  }
}
