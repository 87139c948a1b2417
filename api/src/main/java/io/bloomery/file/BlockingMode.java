package io.bloomery.file;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks that channels are blocking: that each call returns only after it has transferred bytes.
 */
final class BlockingMode {

  private static final int MAX_IDLE = 1_000;
  private static final long WAIT_NANOS = 100_000;

  private BlockingMode() {}

  /**
   * Rejects a channel that is known to be in non-blocking mode.
   *
   * @throws IllegalBlockingModeException as the JDK does for streams over such a channel
   */
  static void check(Channel channel) {
    if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  /**
   * Waits briefly after a call of a channel that transferred nothing.
   *
   * @param idle the number of consecutive calls before this one that also transferred nothing
   * @throws IOException if {@code idle} has reached the limit
   */
  static void waitAfter(int idle) throws IOException {
    if (idle == MAX_IDLE) {
      throw new IOException(
          "channel must wait until it can go on, but did nothing "
              + MAX_IDLE
              + " times in a row; configure it as blocking");
    }
    // parkNanos returns at once if the thread is interrupted: the limit would be reached
    // immediately.
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(WAIT_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
