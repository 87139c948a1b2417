package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM of its own that puts keys into a saved filter, each in an update of its own. */
final class UpdatingProcess {

  static final String OPENED = "opened";
  static final String LATE = "late";
  static final String LOCKED = "locked";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private UpdatingProcess() {}

  /**
   * Puts some keys, or opens the filter and waits for a line of input before it saves, or tries to
   * open it without waiting.
   *
   * <p>Arguments: the file, the first key, and how many, or a negative number to wait, or 0 to try.
   */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[0]);
    int first = Integer.parseInt(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    if (count < 0) {
      try (FilterUpdate<Filter> update = update(path, PATIENCE)) {
        update.filter().put(hash(first));
        System.out.println(OPENED);
        System.in.read();
        update.save();
      } catch (FileSystemException e) {
        System.out.println(LATE);
      }
    }
    if (count == 0) {
      try {
        update(path, Duration.ZERO).close();
        System.out.println(OPENED);
      } catch (FilterLockedException e) {
        System.out.println(LOCKED);
      }
    }
    put(path, first, count);
  }

  /** Puts some keys, each in an update of its own. */
  static void put(Path path, int first, int count) throws IOException {
    for (int key = first; key < first + count; key++) {
      try (FilterUpdate<Filter> update = update(path, PATIENCE)) {
        update.filter().put(hash(key));
        update.save();
      }
    }
  }

  static FilterUpdate<Filter> update(Path path, Duration patience) throws IOException {
    return Bloomery.with(new PlainProvider())
        .files()
        .update(path, patience, OpenOptions.confined());
  }

  /** Returns the hash of a key, far from those of others. */
  static long hash(int key) {
    return key * 0x9e3779b97f4a7c15L;
  }
}
