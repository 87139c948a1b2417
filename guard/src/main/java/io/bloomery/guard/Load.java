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

  private final Object key;
  private final long generation;
  private volatile boolean failed;
  private volatile @Nullable Throwable failure;

  /** Creates a load of a key that begins while the generation of this number serves. */
  Load(Object key, long generation) {
    this.key = key;
    this.generation = generation;
  }

  /** Returns whether it loads this key, and not another one of the same identity. */
  boolean isOf(Object other) {
    return key.equals(other);
  }

  /** Returns whether no newer generation served when the other load began. */
  boolean isNoOlderThan(Load<V> other) {
    return generation >= other.generation;
  }

  /** Returns whether it has ended with a value, which outlasts its generation. */
  boolean hasValue() {
    return isDone() && getNow(null) != null;
  }

  /**
   * Ends without an answer.
   *
   * @param interrupted whether the thread that loaded was interrupted, which may be why
   */
  void fail(Throwable cause, boolean interrupted) {
    // A stack or heap that overflowed concerns the thread, as an interrupt does.
    boolean ofThread =
        interrupted
            || cause instanceof VirtualMachineError
            || (cause instanceof SourceException told && told.isInterruption());
    if (!ofThread && (cause instanceof SourceException || cause instanceof Error)) {
      failure = cause;
    }
    failed = true;
    complete(null);
  }

  /**
   * Waits for the end.
   *
   * @return whether it ended with an answer: false if it failed for a reason that concerns only the
   *     thread that loaded
   * @throws SourceException if the source failed, or the current thread is interrupted
   */
  boolean awaitAnswer() {
    try {
      get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceException("interrupted while another thread loads the key", e);
    } catch (ExecutionException e) {
      throw new AssertionError("loads fail by fail()", e);
    }
    Throwable shared = failure;
    if (shared instanceof Error error) {
      throw error;
    }
    if (shared != null) {
      // A new one, with the stack trace of this thread.
      throw new SourceException(String.valueOf(shared.getMessage()), shared);
    }
    return !failed;
  }

  /** Returns the value of a load that has ended with an answer. */
  Optional<V> answer() {
    return Optional.ofNullable(getNow(null));
  }
}
