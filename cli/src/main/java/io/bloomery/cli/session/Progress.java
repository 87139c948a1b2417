package io.bloomery.cli.session;

import java.io.IOException;

/** How far a command is; shown on a terminal only, and nothing is loaded if nobody watches. */
public class Progress implements AutoCloseable {

  /** For inputs whose size is not known. */
  public static final long UNKNOWN = -1;

  /** What takes a while. */
  public interface Work<T> {
    T run() throws Failure, IOException;
  }

  /** Shows nothing. */
  public static final Progress NONE = new Progress();

  /** Starts on inputs of so many bytes, or {@link #UNKNOWN}. */
  public static Progress start(Session session, long bytes) {
    return isSeen(session) ? ProgressLine.ofBytes(session.err(), bytes) : NONE;
  }

  /** Does one of several things of which each takes a while, counted from 1. */
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
   * Goes on.
   *
   * @param lines how many more are done
   * @param bytes up to where the inputs are read
   */
  public void advance(int lines, long bytes) {}

  @Override
  public void close() {}
}
