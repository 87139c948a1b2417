package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The errors of mapped files: where a page cannot be read or written, as its file was truncated,
 * Java throws InternalError.
 */
public final class MappingFaults {

  /** What must hold for a file that is written to through its mapping, what may not, and why. */
  public static final String WRITTEN =
      "must keep its length, and its room on the disk, while it is open for writing, but was"
          + " truncated, or cannot be read, or has a hole (as a copy may) that a full disk does not"
          + " fill; make room, or restore a sound copy, and open it again";

  private static int one = 1; // not final, so that no compiler knows it

  private MappingFaults() {}

  /**
   * Performs work on a file that it maps.
   *
   * @throws FileSystemException if the file is truncated meanwhile
   */
  public static <T> T read(Path path, Uninterrupted.Work<T> work) throws IOException {
    return run(
        path,
        work,
        "must stay as it is while it is read, but was truncated, or cannot be read any more; open"
            + " it again");
  }

  /**
   * Performs work on a file that it maps to write to it.
   *
   * @throws FileSystemException if the file is truncated meanwhile, or the disk is full
   */
  public static <T> T write(Path path, Uninterrupted.Work<T> work) throws IOException {
    return run(path, work, WRITTEN);
  }

  private static <T> T run(Path path, Uninterrupted.Work<T> work, String reason)
      throws IOException {
    try {
      try {
        return Uninterrupted.run(work);
      } finally {
        raise();
      }
    } catch (InternalError e) {
      FileSystemException truncated = new FileSystemException(path.toString(), null, reason);
      truncated.initCause(e);
      throw truncated;
    }
  }

  /**
   * Makes the JVM throw a deferred InternalError: where a page of a mapping cannot be read,
   * compiled code continues with garbage up to its next call into the JVM, which may lie outside
   * whatever catches the error. Also to be called where reading ends with an exception, which such
   * garbage may have caused. Allocating an array of arrays is the cheapest such call that was
   * found.
   */
  public static void raise() {
    int[][] made = new int[one][one];
    if (made.length != one) {
      throw new AssertionError("arrays are as long as asked for");
    }
  }
}
