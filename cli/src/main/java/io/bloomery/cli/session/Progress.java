package io.bloomery.cli.session;

import java.io.IOException;

/** The progress of a command, shown only on a terminal; otherwise no display is loaded. */
public class Progress implements AutoCloseable {

  /** The size of inputs whose size is not known. */
  public static final long UNKNOWN = -1;

  /** An operation that takes a while. */
  public interface Work<T> {
    T run() throws Failure, IOException;
  }

  /** Shows nothing. */
  public static final Progress NONE = new Progress();

  /** Starts the progress of reading inputs of so many bytes, or {@link #UNKNOWN}. */
  public static Progress start(Session session, long bytes) {
    return isSeen(session) ? ProgressLine.ofBytes(session.err(), bytes) : NONE;
  }

  /** Performs one of {@code of} long operations; {@code number} counts from 1. */
  public static <T> T during(Session session, String what, int number, int of, Work<T> work)
      throws Failure, IOException {
    Progress shown =
        isSeen(session)
            ? ProgressLine.ofWork(session.err(), what + ", " + number + " of " + of)
            : NONE;
    try {
      return work.run();
    } finally {
      shown.close();
    }
  }

  private static boolean isSeen(Session session) {
    return session.terminal().err() && !session.quiet();
  }

  /**
   * Updates the progress.
   *
   * @param lines the number of lines processed since the last call
   * @param bytes the number of bytes of the inputs read so far
   */
  public void advance(int lines, long bytes) {}

  @Override
  public void close() {}
}
