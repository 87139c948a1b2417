package io.bloomery.cli.input;

import io.bloomery.cli.option.BytesConverter;
import io.bloomery.cli.session.Failure;
import picocli.CommandLine.Option;

/**
 * The option for the maximum length of a line, without which an endless line would fill the memory.
 */
public final class LineLimit {

  private static final String DEFAULT_TEXT = "64MiB";

  /** The default limit in bytes. */
  static final long DEFAULT = 64 << 20;

  @Option(
      names = "--max-line",
      paramLabel = "BYTES",
      defaultValue = DEFAULT_TEXT,
      converter = BytesConverter.class,
      description =
          "The maximum length of a line or record, after unpacking gzip (default:"
              + " ${DEFAULT-VALUE}).")
  private long bytes;

  /**
   * Returns the maximum size of a line in bytes, without its end.
   *
   * @throws Failure if it is less than one
   */
  public long bytes() throws Failure {
    if (bytes < 1) {
      throw Failure.usage("--max-line must be at least 1, but was " + bytes);
    }
    return bytes;
  }

  /** Returns the failure for a line above the limit. */
  static Failure exceeded(String input, long line, long bytes) {
    return Failure.file(
        input,
        "line "
            + line
            + ": a line must have at most "
            + bytes
            + " bytes, but has more; see where its end is missing, or allow more by --max-line");
  }
}
