package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A JVM of its own of a user who may do only what permissions say. */
final class PlainUserProcess {

  private static final FilterFiles FILES = Bloomery.with(new PlainProvider()).files();
  private static final int SAVES = 20;
  private static final long PAUSE_NANOS = 300_000;

  /** A way to change a file. */
  private interface Change {
    void run() throws IOException;
  }

  private PlainUserProcess() {}

  /**
   * Does one of two things in a folder: changes files of a folder that it may not write to, {@code
   * unwritable}, or a file that it may not write to while it is interrupted, {@code interrupted}.
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(SavingProcess.filter(1), path);
    if (arguments[1].equals("unwritable")) {
      unwritable(folder, path);
    } else {
      interrupted(path);
    }
  }

  private static void unwritable(Path folder, Path path) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
    Filter filter = SavingProcess.pausing(SavingProcess.filter(2), 0, () -> print("written"));
    for (Change change :
        List.<Change>of(
            () -> FilterFiles.save(filter, path),
            () -> FilterFiles.save(filter, folder.resolve("new")),
            () -> FILES.update(path, Duration.ofMinutes(1), OpenOptions.confined()).close(),
            () -> FILES.merge(path, List.of(path)),
            () -> FILES.merge(folder.resolve("new"), List.of(path)))) {
      try {
        change.run();
      } catch (IOException e) {
        print(e.getClass().getSimpleName() + " " + e.getMessage());
      }
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    try (Stream<Path> files = Files.list(folder)) {
      print(files.map(Path::getFileName).toList().toString());
    }
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
      try (FilterUpdate<Filter> update =
          FILES.update(path, Duration.ofMinutes(1), OpenOptions.confined())) {
        update.save();
      }
      FILES.merge(path, List.of(path));
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
