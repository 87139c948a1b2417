package io.bloomery.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** A JVM of its own that fills the disk it is given, and looks at what is left. */
final class FullDiskProcess {

  private FullDiskProcess() {}

  /** Saves larger and larger filters until there is no room, and says what is in the folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Path path = folder.resolve("seen.bloom");
    int number = 0;
    try {
      while (number < 100) {
        FilterFiles.save(SavingProcess.filter(number), path);
        number++;
      }
      System.out.println("never full");
    } catch (FileSystemException e) {
      System.out.println(e.getReason());
    }
    ByteArrayOutputStream last = new ByteArrayOutputStream();
    FilterFiles.write(SavingProcess.filter(number - 1), last);
    System.out.println(Arrays.equals(last.toByteArray(), Files.readAllBytes(path)));
    try (Stream<Path> files = Files.list(folder)) {
      System.out.println(files.count());
    }
    // What was written and given up must have been freed.
    FilterFiles.save(SavingProcess.filter(0), path);
    System.out.println("saved");
  }
}
