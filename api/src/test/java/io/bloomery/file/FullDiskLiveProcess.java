package io.bloomery.file;

import io.bloomery.filter.FilterProviders;
import io.bloomery.fixture.MappingProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A JVM of its own that has a live filter on a disk, fills the disk, and goes on. */
final class FullDiskLiveProcess {

  private static final int KEYS = 20_000;

  private FullDiskLiveProcess() {}

  /** Prints what comes of it, for a folder on a small disk. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Path path = folder.resolve("live");
    try (LiveFilter live = LiveProcess.open(path, Duration.ZERO)) {
      fill(folder.resolve("filling"));
      put(live, 0);
      live.force();
      put(live, KEYS);
    }
    try {
      LiveProcess.open(folder.resolve("another"), Duration.ZERO).close();
      System.out.println("made");
    } catch (FileSystemException e) {
      System.out.println(e.getReason());
    }
    try (Stream<Path> files = Files.list(folder)) {
      System.out.println(files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    FilterFiles files = new FilterFiles(FilterProviders.of(new MappingProvider()));
    System.out.println("sound: " + files.verify(path).isSound());
    try (LiveFilter live = LiveProcess.open(path, Duration.ZERO)) {
      System.out.println(
          "lost: "
              + IntStream.range(0, 2 * KEYS)
                  .filter(key -> !live.mightContain(UpdatingProcess.hash(key)))
                  .count());
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      while (true) {
        out.write(new byte[4096]);
      }
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void put(LiveFilter live, int first) {
    for (int key = first; key < first + KEYS; key++) {
      live.put(UpdatingProcess.hash(key));
    }
  }
}
