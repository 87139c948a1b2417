package io.bloomery.cli.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The standard input and output, which "-" stands for where a file is named. */
public final class StandardStreams {

  /** How the streams are called in what is said of a file. */
  public static final Path INPUT = Path.of("the standard input");

  public static final Path OUTPUT = Path.of("the standard output");

  /** What stands for them. */
  public static final String NAME = "-";

  private static final Path DEVICE = Path.of("/dev/stdin");

  private StandardStreams() {}

  /** Returns whether a file's name stands for a stream. */
  public static boolean isNamedBy(Path path) {
    return isNamedBy(path.toString());
  }

  /** Returns whether a file's name stands for a stream. */
  public static boolean isNamedBy(String name) {
    return name.equals(NAME);
  }

  /**
   * Refuses a stream where only a file will do.
   *
   * @param reason why a file must be named
   */
  public static void refuse(Path path, String reason) throws Failure {
    if (isNamedBy(path)) {
      throw Failure.usage("FILE must not be '-', since " + reason + "; name a file");
    }
  }

  /**
   * Returns the names of files that are read, with that of the standard input for "-".
   *
   * @throws Failure if it has none on this system
   */
  public static List<Path> files(List<Path> paths) throws Failure {
    if (paths.stream().anyMatch(path -> isNamedBy(path)) && !Files.exists(DEVICE)) {
      throw Failure.usage("the standard input has no name on this system; save it to a file first");
    }
    return paths.stream().map(path -> isNamedBy(path) ? DEVICE : path).toList();
  }
}
