package io.bloomery.cli.session;

/** What the command tells the shell, and what the help says of it where there is no more to say. */
public final class ExitCode {

  public static final String OK_TEXT = "0:well";
  public static final String USAGE_TEXT =
      "2:the command was not understood or cannot be done as asked";
  public static final String BAD_FILE_TEXT = "3:a file is bad, or cannot be read or written";
  public static final String OUTGROWN_TEXT =
      "5:the filter was saved, but holds more keys than it was made for and is wrong more often than"
          + " promised";

  public static final String LOCKED_TEXT =
      "3:a file is bad, or cannot be read or written, or others change it for too long";

  public static final int OK = 0;

  /**
   * No line was selected, one to remove was not there, or, for demo, compare and conformance, a
   * promise was broken.
   */
  public static final int NONE = 1;

  public static final int USAGE = 2;

  /** A file is not a filter, is damaged, or could not be read or written. */
  public static final int BAD_FILE = 3;

  /** What should be tested was not, either way. */
  public static final int INCONCLUSIVE = 4;

  /** All was done, but a filter had to take more than it was made for, and promises no more. */
  public static final int OUTGROWN = 5;

  /** A fault of this program: EX_SOFTWARE of sysexits.h. */
  public static final int FAULT = 70;

  /** What a shell reports for a program that a closed pipe ended: 128 + SIGPIPE. */
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}
}
