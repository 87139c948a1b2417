package io.bloomery.file;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;

/** What is expected of channels: that a call returns when it has done something. */
final class BlockingMode {

  private static final int MAX_IDLE = 1_000;
  private static final long WAIT_NANOS = 100_000;

  private BlockingMode() {}

  /**
   * Refuses a channel that is known not to wait.
   *
   * @throws IllegalBlockingModeException as the JDK does for streams over such a channel
   */
  static void check(Channel channel) {
    if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
  }

  /**
   * Waits a little after a call of a channel that did nothing.
   *
   * @param idle how many calls before this one did nothing either
   * @throws IOException if they were so many that it will go on like this
   */
  static void waitAfter(int idle) throws IOException {
    if (idle == MAX_IDLE) {
      throw new IOException(
          "channel must wait until it can go on, but did nothing "
              + MAX_IDLE
              + " times in a row; configure it as blocking");
    }
    // An interrupted thread would not wait, and give up at once.
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(WAIT_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
