package io.bloomery.internal.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.SavingProcess;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockFileTest {

  /** Some time for what must not happen. */
  private static final long MEANWHILE_MILLIS = 200;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("file"), "old");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void itIsThereWhileItIsTakenAndIsTakenOnce() throws IOException {
    LockFile lock = LockFile.of(file);
    LockFile other = LockFile.of(folder.resolve("../" + folder.getFileName() + "/file"));
    assertTrue(lock.tryTake());
    assertFalse(lock.tryTake());
    assertFalse(other.tryTake());
    assertEquals(List.of(".file.bloomery.lock", "file"), names());
    other.close();
    assertFalse(other.tryTake());
    lock.close();
    assertEquals(List.of("file"), names());
    assertTrue(other.tryTake());
    other.close();
    assertEquals(List.of("file"), names());
  }

  /** Between the last look at the file and its replacement, no save of another process comes. */
  @ParameterizedTest
  @ValueSource(strings = {"free", "taken", "taken and removed"})
  void whoRenamesExcludesSavesOfOtherProcesses(String state) throws Exception {
    Process saver;
    try (LockFile lock = LockFile.of(file)) {
      assertTrue(state.equals("free") || lock.tryTake());
      if (state.equals("taken and removed")) {
        Files.delete(lock.path());
      }
      Process[] started = new Process[1];
      lock.rename(
          others -> {
            started[0] =
                SavingProcess.java(
                        List.of(), SavingProcess.class, file.toString(), "1", "1", "1", "nothing")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            while (started[0].isAlive() && names().stream().noneMatch(n -> n.endsWith(".tmp"))) {
              Thread.onSpinWait();
            }
            pause();
            assertEquals("old", Files.readString(file));
          });
      saver = started[0];
    }
    assertEquals(0, saver.waitFor());
    assertTrue(Files.size(file) > 1_000);
    assertEquals(List.of("file"), names());
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(MEANWHILE_MILLIS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Whoever may replace files in a folder may lock them, and nobody else, whatever the umask. */
  @ParameterizedTest
  @CsvSource({
    "rwx------, rw-------",
    "rwxr-xr-x, rw-------",
    "rwxrwx---, rw-rw----",
    "rwxrwxr-x, rw-rw----",
    "rwxrwxrwx, rw-rw-rw-",
    "rwxr-xrwx, rw----rw-"
  })
  void whoMayWriteInTheFolderMayLock(String permissions, String expected) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    try (LockFile lock = LockFile.of(file)) {
      assertTrue(lock.tryTake());
      PosixFileAttributes attributes = Files.readAttributes(lock.path(), PosixFileAttributes.class);
      assertEquals(expected, PosixFilePermissions.toString(attributes.permissions()));
      assertEquals(
          Files.readAttributes(folder, PosixFileAttributes.class).group(), attributes.group());
    }
  }

  @Test
  void whatIsNoLockFileIsNeitherUsedNorHarmed() throws Exception {
    Path path = folder.resolve(".file.bloomery.lock");
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    for (List<String> command :
        List.of(
            List.of("ln", "-s", "precious", path.toString()),
            List.of("mkfifo", path.toString()),
            List.of("mkdir", path.toString()))) {
      assertEquals(0, new ProcessBuilder(command).start().waitFor());
      FileSystemException e =
          assertThrows(
              FileSystemException.class,
              () -> FileReplacement.replace(file, out -> out.write(1)),
              command::toString);
      assertEquals(path + ": must be a lock file, but is none; remove it", e.getMessage());
      assertThrows(FileSystemException.class, () -> LockFile.of(file).tryTake());
      assertEquals(List.of(".file.bloomery.lock", "file", "precious"), names());
      Files.delete(path);
    }
    assertEquals("precious", Files.readString(precious));
    assertEquals("old", Files.readString(file));
    // One with content may be locked, and stays.
    Files.writeString(path, "precious");
    FileReplacement.replace(file, out -> out.write(1));
    try (LockFile lock = LockFile.of(file)) {
      assertTrue(lock.tryTake());
    }
    assertEquals("precious", Files.readString(path));
  }
}
