package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Who has a live file open by another name: by a hard link, or by a name that it had before. The
 * lock is that of a name, so it does not keep such a writer and another one apart.
 */
final class OtherWriter {
  // decisions.md#a-writer-of-a-live-file-by-another-name-is-found-by-its-mapping

  private OtherWriter() {}

  /**
   * Checks, on Linux, that the process that a file names as its writer has not mapped it to write
   * to it. A process that cannot be looked at, as it is of another user or in another container, is
   * taken to have ended.
   *
   * @throws FileSystemException if it has
   */
  static void check(Path path, LiveControl.State state) throws IOException {
    if (state.isOpen()
        && state.process() != ProcessHandle.current().pid()
        && ProcessHandle.of(state.process()).isPresent()
        && hasMapped(state.process(), path)) {
      throw isOpen(path, state);
    }
  }

  /** Returns the exception for a file that another process has open. */
  static FileSystemException isOpen(Path path, LiveControl.State state) {
    return new FileSystemException(
        path.toString(),
        null,
        "is "
            + state
            + ", by another name; see that this process closes it, or end it, and run this again");
  }

  private static boolean hasMapped(long process, Path path) {
    try {
      String inode = Files.getAttribute(path, "unix:ino").toString();
      List<String> mappings = Files.readAllLines(Path.of("/proc/" + process + "/maps"));
      return mappings.stream().anyMatch(line -> isOf(inode, line.split(" +", 6)));
    } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
      return false; // the file system or the process cannot be asked
    }
  }

  /** Takes the fields of a mapping: addresses, permissions, offset, device, inode and name. */
  private static boolean isOf(String inode, String[] fields) {
    return fields.length > 4 && fields[1].equals("rw-s") && fields[4].equals(inode);
  }
}
