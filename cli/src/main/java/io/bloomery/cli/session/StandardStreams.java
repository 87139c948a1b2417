package io.bloomery.cli.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The standard input and output, for which "-" stands in place of a file name. */
public final class StandardStreams {

  /** The name of the standard input in messages about files. */
  public static final Path INPUT = Path.of("the standard input");

  public static final Path OUTPUT = Path.of("the standard output");

  /** The argument that stands for a stream. */
  public static final String NAME = "-";

  private static final Path DEVICE = Path.of("/dev/stdin");

  private StandardStreams() {}

  /** Returns whether a path stands for a stream. */
  public static boolean isNamedBy(Path path) {
    return isNamedBy(path.toString());
  }

  /** Returns whether a name stands for a stream. */
  public static boolean isNamedBy(String name) {
    return name.equals(NAME);
  }

  /**
   * Rejects a stream where a file is required.
   *
   * @param reason why a file is required
   */
  public static void refuse(Path path, String reason) throws Failure {
    if (isNamedBy(path)) {
      throw Failure.usage("FILE must not be '-', since " + reason + "; name a file");
    }
  }

  /**
   * Returns the paths of files to read, with the device of the standard input in place of "-".
   *
   * @throws Failure if "-" is given and this system has no such device
   */
  public static List<Path> files(List<Path> paths) throws Failure {
    if (paths.stream().anyMatch(path -> isNamedBy(path)) && !Files.exists(DEVICE)) {
      throw Failure.usage("the standard input has no name on this system; save it to a file first");
    }
    return paths.stream().map(path -> isNamedBy(path) ? DEVICE : path).toList();
  }
}
