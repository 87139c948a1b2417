package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Work on files that an interrupt does not break off.
 *
 * <p>A channel closes when a thread that has been interrupted uses it, or is while it does. What is
 * to be saved by a pool that is shutting down would be lost by that.
 */
public final class Uninterrupted {

  /** Work that opens the channels it uses, and so can be done again from its start. */
  public interface Work<T> {

    /** Does the work. */
    T run() throws IOException;
  }

  private Uninterrupted() {}

  /**
   * Does work, again from its start for each interrupt that falls into it. The thread is as
   * interrupted afterwards as it was, or has become.
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
