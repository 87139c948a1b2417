package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A JVM of its own whose folder can be forced to the disk when a save begins, and not at its end.
 */
final class SealedFolderProcess {

  private SealedFolderProcess() {}

  /** Saves two filters, the second in a folder that cannot be opened meanwhile. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(SavingProcess.filter(1), path);
    SavingProcess.Pause seal =
        () -> Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("-wx------"));
    try {
      FilterFiles.save(SavingProcess.pausing(SavingProcess.filter(2), 10, seal), path);
      System.out.println("saved");
    } catch (IOException e) {
      System.out.println(e.getMessage().replace(path.toString(), "file"));
    }
    System.out.println(
        SavingProcess.number(
            Bloomery.with(new PlainProvider()).files().open(path, OpenOptions.confined())));
    // Nobody knows from the start whether the name is safe: that is no failure.
    FilterFiles.save(SavingProcess.filter(3), path);
    System.out.println("saved");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
  }
}
