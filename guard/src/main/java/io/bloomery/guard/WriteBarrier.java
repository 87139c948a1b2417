package io.bloomery.guard;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A barrier that all writes pass through, so that a rebuild can wait for earlier writes. */
interface WriteBarrier {

  /** Begins a write, without waiting. {@link Passage#leave} must be called exactly once. */
  Passage enter();

  /**
   * Waits until every write that began before this call has ended; later writes neither wait nor
   * are waited for.
   *
   * @throws TimeoutException if one of them takes longer than {@code patience}; a later call waits
   *     for it again
   */
  void awaitEarlier(Duration patience) throws InterruptedException, TimeoutException;

  /** A write in progress. */
  interface Passage {

    /** Ends the write. */
    void leave();
  }
}
