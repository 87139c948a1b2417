package io.bloomery.cli.input;

import io.bloomery.cli.option.BytesConverter;
import io.bloomery.cli.session.Failure;
import picocli.CommandLine.Option;

/** The option that says how long a line may be: one that never ends would take all memory. */
public final class LineLimit {

  private static final String DEFAULT_TEXT = "64MiB";

  /** What a line may have if nothing is said. */
  static final long DEFAULT = 64 << 20;

  @Option(
      names = "--max-line",
      paramLabel = "BYTES",
      defaultValue = DEFAULT_TEXT,
      converter = BytesConverter.class,
      description =
          "Refuse a line, or a record of a table, that is longer, also within gzip (if not given:"
              + " ${DEFAULT-VALUE}).")
  private long bytes;

  /**
   * Returns how many bytes a line may have, without its end.
   *
   * @throws Failure if that is not even one
   */
  public long bytes() throws Failure {
    if (bytes < 1) {
      throw Failure.usage("--max-line must be at least 1, but was " + bytes);
    }
    return bytes;
  }

  /** Returns what is wrong with a line that has more. */
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
