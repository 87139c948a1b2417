package io.bloomery.cli.session;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveState;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A file created by a command, which exists either completely or not at all. */
public final class NewFile {

  private NewFile() {}

  /**
   * Checks that a file can be created, before any other work.
   *
   * @param replace whether the file may exist already
   * @param instead what to suggest if it exists
   * @throws Failure if it exists and may not or cannot be replaced, or if its folder does not exist
   */
  public static void check(Path file, boolean replace, String instead) throws Failure {
    if (Files.isDirectory(file)) {
      throw Failure.usage(file + " is a directory; name a file in it");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw Failure.usage(
          file
              + " must be a regular file to be replaced, but is a device, a pipe or the like; write"
              + " to it as in '-o - > FILE'");
    }
    if (Files.exists(file) && !replace) {
      throw Failure.usage(file + " exists; " + instead + ", or --force to replace it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw Failure.usage(folder + " is not a directory; make it first");
    }
  }

  /**
   * Checks that a file that is replaced is none of those that are read.
   *
   * @throws Failure if it is one
   */
  public static void checkNotRead(Path file, List<Path> read) throws Failure, IOException {
    for (Path input : read) {
      if (Files.exists(file) && Files.exists(input) && Files.isSameFile(file, input)) {
        throw Failure.usage(
            file + " must not be replaced, since it is read, as " + input + "; name another file");
      }
    }
  }

  /**
   * Writes a file beside its destination and moves it there when it is complete. This is enough for
   * a picture, which can be drawn again. Filters are saved by the library, which keeps permissions,
   * forces the content to the disk and removes the leftovers of killed processes.
   *
   * @param replace whether a file that exists by then is replaced
   * @throws Failure if it cannot be written, or would replace a live file that is open for writing
   */
  public static void write(Path file, boolean replace, byte[] content) throws Failure {
    checkNotOpen(file);
    try {
      // If the file is a link, its target is replaced.
      Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path folder = target.getParent();
      // Without the name, which Java cannot encode in every locale.
      Path unfinished = folder.resolve(".bloomery." + UUID.randomUUID());
      try {
        Files.write(unfinished, content, StandardOpenOption.CREATE_NEW);
        if (!replace) {
          // In one step, which one of several that do it at the same time succeeds in.
          Files.createFile(target);
        }
        // REPLACE_EXISTING deletes first, and another may make the file in between.
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
  }

  private static void checkNotOpen(Path file) throws Failure {
    Optional<LiveState> live;
    try {
      live =
          SlidingFilterFiles.isWindow(file)
              ? SlidingFilterFiles.live(file)
              : FilterFiles.inspect(file).live();
    } catch (IOException e) { // there is none, or another file
      return;
    }
    if (live.isPresent() && live.get().isOpen()) {
      throw Failure.file(
          file.toString(),
          "must not be replaced while its writer has it open, but is "
              + live.get()
              + "; name another file");
    }
  }
}
