package io.bloomery.guard;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** What writes pass through, so that a rebuild can wait for those that began before it. */
interface WriteBarrier {

  /** Begins a write, which never waits. The passage must be ended, once. */
  Passage enter();

  /**
   * Waits until every write that began before this call has ended; those that begin meanwhile are
   * neither held up nor waited for.
   *
   * @throws TimeoutException if one of them took longer than {@code patience}; a later call waits
   *     for it again
   */
  void awaitEarlier(Duration patience) throws InterruptedException, TimeoutException;

  /** A write that has begun. */
  interface Passage {

    /** Ends the write. */
    void leave();
  }
}
