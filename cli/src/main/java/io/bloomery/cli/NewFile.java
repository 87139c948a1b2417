package io.bloomery.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that a command makes: complete, or not there. */
final class NewFile {

  private NewFile() {}

  /**
   * Checks that a file can be made, before any work is done for it.
   *
   * @param replace whether it may be there already
   * @param instead what else to do if it is there
   * @throws Failure if it is there and not to be replaced, or has no place to be in
   */
  static void check(Path file, boolean replace, String instead) throws Failure {
    if (Files.isDirectory(file)) {
      throw Failure.usage(file + " is a directory; name a file in it");
    }
    if (Files.exists(file) && !replace) {
      throw Failure.usage(file + " exists; " + instead + ", or --force to replace it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw Failure.usage(folder + " is not a directory; make it first");
    }
  }

  /** Writes it beside its place and moves it there when it is complete. */
  static void write(Path file, byte[] content) throws Failure {
    Path target = file.toAbsolutePath();
    Path unfinished =
        target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      Interruption.reaches(() -> write(unfinished, target, content));
    } catch (ClosedByInterruptException e) {
      throw Failure.interrupted();
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
  }

  private static void write(Path unfinished, Path target, byte[] content) throws IOException {
    try {
      try (FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // Not there any more if it has its name.
      Files.deleteIfExists(unfinished);
    }
  }
}
