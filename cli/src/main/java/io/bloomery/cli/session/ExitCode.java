package io.bloomery.cli.session;

/** The exit codes, and their descriptions in the help of commands that have no more to add. */
public final class ExitCode {

  public static final String OK_TEXT = "0:success";
  public static final String USAGE_TEXT =
      "2:wrong usage: the command line is not valid, or the command is not possible";
  public static final String BAD_FILE_TEXT = "3:a file is not valid, or cannot be read or written";
  public static final String OUTGROWN_TEXT =
      "5:the filter was saved, but holds more keys than it was made for, so that its"
          + " false-positive rate is higher than promised";

  public static final String LOCKED_TEXT =
      "3:a file is not valid, cannot be read or written, or is locked by others for too" + " long";

  public static final int OK = 0;

  /**
   * No line was selected, a line to remove was absent, there was nothing to delete, or, for demo,
   * compare and conformance, a rule or guarantee was broken.
   */
  public static final int NONE = 1;

  public static final int USAGE = 2;

  /** A file is not a filter, is damaged, or could not be read or written. */
  public static final int BAD_FILE = 3;

  /** The tests could show neither success nor failure. */
  public static final int INCONCLUSIVE = 4;

  /**
   * The command was completed, but a filter holds more keys than it was made for, so that its rate
   * is no longer guaranteed.
   */
  public static final int OUTGROWN = 5;

  /** A live filter is open for writing, or was when its writer ended. */
  public static final int OPEN = 6;

  /** A fault of this program: EX_SOFTWARE in sysexits.h. */
  public static final int FAULT = 70;

  /** The code a shell reports for a program ended by a closed pipe: 128 + SIGPIPE. */
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}
}
