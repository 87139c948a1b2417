package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A JVM of its own of a user who may do only what permissions say. */
final class PlainUserProcess {

  private static final FilterFiles FILES = Bloomery.with(new PlainProvider()).files();
  private static final int SAVES = 20;
  private static final long PAUSE_NANOS = 300_000;

  private PlainUserProcess() {}

  /** Saves filters in a file that it may not write to while it is interrupted. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(SavingProcess.filter(1), path);
    interrupted(path);
  }

  private static void interrupted(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
    Thread writer = Thread.currentThread();
    Thread interrupter =
        new Thread(
            () -> {
              while (true) {
                writer.interrupt();
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            });
    interrupter.setDaemon(true);
    interrupter.start();
    for (int i = 0; i < SAVES; i++) {
      FilterFiles.save(SavingProcess.filter(i), path);
    }
    print(
        PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
            + " "
            + SavingProcess.number(FILES.open(path, OpenOptions.confined())));
    try (Stream<Path> files = Files.list(path.getParent())) {
      print(files.map(Path::getFileName).toList().toString());
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }
}
