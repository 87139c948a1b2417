package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs work on files that an interrupt must not abort.
 *
 * <p>A channel is closed if the thread that uses it is interrupted, before or during the call.
 * Otherwise a save in a thread pool that is shutting down would be lost.
 */
public final class Uninterrupted {
  // decisions.md#a-save-is-not-broken-off-by-an-interrupt-it-goes-on

  /** Work that opens its channels, and so can be repeated from its start. */
  public interface Work<T> {

    /** Performs the work. */
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /**
   * Performs work, and repeats it from its start after each interrupt. The interrupt status of the
   * thread is restored afterwards.
   */
  public static <T> T run(Work<T> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (ClosedByInterruptException e) {
          Thread.interrupted();
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
