package io.bloomery.cli;

/** How far a command is; shown on a terminal only, and nothing is loaded if nobody watches. */
class Progress implements AutoCloseable {

  /** For inputs whose size is not known. */
  static final long UNKNOWN = -1;

  /** Shows nothing. */
  static final Progress NONE = new Progress();

  /** Starts on inputs of so many bytes, or {@link #UNKNOWN}. */
  static Progress start(Session session, long bytes) {
    return session.terminal().err() && !session.quiet()
        ? new ProgressLine(session.err(), bytes)
        : NONE;
  }

  /**
   * Goes on.
   *
   * @param lines how many more are done
   * @param bytes up to where the inputs are read
   */
  void advance(int lines, long bytes) {}

  @Override
  public void close() {}
}
