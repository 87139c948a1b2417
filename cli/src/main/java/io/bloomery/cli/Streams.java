package io.bloomery.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The standard input and output, which "-" stands for where a file is named. */
final class Streams {

  /** What "-" stands for, in words. */
  static final Path STANDARD_INPUT = Path.of("the standard input");

  static final Path STANDARD_OUTPUT = Path.of("the standard output");

  private static final Path DEVICE = Path.of("/dev/stdin");

  private Streams() {}

  /** Returns whether a name stands for a stream. */
  static boolean isStandard(Path path) {
    return path.toString().equals("-");
  }

  /**
   * Refuses a stream where only a file will do.
   *
   * @param reason why a file must be named
   */
  static void refuse(Path path, String reason) throws Failure {
    if (isStandard(path)) {
      throw Failure.usage("FILE must not be '-', since " + reason + "; name a file");
    }
  }

  /**
   * Returns the names of files that are read, with that of the standard input for "-".
   *
   * @throws Failure if it has none on this system
   */
  static List<Path> files(List<Path> paths) throws Failure {
    if (paths.stream().anyMatch(Streams::isStandard) && !Files.exists(DEVICE)) {
      throw Failure.usage("the standard input has no name on this system; save it to a file first");
    }
    return paths.stream().map(path -> isStandard(path) ? DEVICE : path).toList();
  }
}
