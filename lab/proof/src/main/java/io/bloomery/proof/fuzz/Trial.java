package io.bloomery.proof.fuzz;

import com.sun.management.ThreadMXBean;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.logging.LogManager;

/** What all targets ask of a reader. */
final class Trial {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long FREE = 64 << 10;
  // Loading a class or linking a lambda has a one-time cost.
  private static final int TRIES = 3;

  private Trial() {}

  /** Reads an input; the same again each time. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws IOException;
  }

  /** Returns what a reader that knows the number of bytes may allocate for them. */
  static long known(int length) {
    return length + length / 4 + FREE;
  }

  /** Returns what a reader of a stream may allocate for bytes. */
  static long streamed(int length) {
    return 2L * length + length / 4 + FREE;
  }

  /**
   * Returns what was read, or nothing if it was refused.
   *
   * @throws IOException if it was refused otherwise than documented
   * @throws AssertionError if more was allocated than allowed, time after time
   */
  static <T> Optional<T> read(long maxAllocated, Reading<T> reading) throws IOException {
    long least = Long.MAX_VALUE;
    Optional<T> result = Optional.empty();
    for (int i = 0; i < TRIES && least > maxAllocated; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      result = refusable(reading);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    require(least <= maxAllocated, least + " bytes were allocated; allowed are " + maxAllocated);
    return result;
  }

  /** Returns what was read, or nothing if it was refused as documented. */
  static <T> Optional<T> refusable(Reading<T> reading) throws IOException {
    try {
      return Optional.of(reading.read());
    } catch (FilterFormatException | UnexpectedFilterException e) {
      require(e.getMessage() != null, "a refusal must have a message");
      return Optional.empty();
    }
  }

  static void require(boolean holds, String law) {
    if (!holds) {
      throw new AssertionError(law);
    }
  }

  /** Returns whether bytes are equal; a fuzzer traces {@code Arrays.equals}, and ends at a null. */
  static boolean areEqual(byte[] one, byte[] other) {
    return Arrays.mismatch(one, other) < 0;
  }

  /** Requires that bytes are equal, whose number may differ. */
  static void requireEqual(byte[] expected, byte[] actual, String law) {
    int at = Arrays.mismatch(expected, actual);
    require(at < 0, law + ", but differ at " + at);
  }

  /** Returns a folder of this run, in memory if the system can, which is deleted with it. */
  static Path folder() {
    // Of files that writers left open there are many.
    LogManager.getLogManager().reset();
    try {
      Path memory = Path.of("/dev/shm");
      Path folder =
          Files.isWritable(memory)
              ? Files.createTempDirectory(memory, "fuzz")
              : Files.createTempDirectory("fuzz");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> empty(folder, true)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes all files of a folder of files. */
  static void empty(Path folder, boolean itself) {
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
      if (itself) {
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
