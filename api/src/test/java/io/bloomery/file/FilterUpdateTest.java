package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.file.LockedFile;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FilterUpdateTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final Duration SOON = Duration.ofMillis(50);

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void save() throws IOException {
    path = folder.resolve("seen.bloom");
    FilterFiles.save(filter(), path);
  }

  private static Filter filter() {
    return new PlainProvider().create(FilterSpec.of(10_000, 1e-6), ThreadMode.CONFINED);
  }

  private void assertKeysAndNothingElse(int from, int to) throws IOException {
    Filter filter = BLOOMERY.files().open(path, OpenOptions.confined());
    List<Integer> lost = new ArrayList<>();
    for (int key = from; key < to; key++) {
      if (!filter.mightContain(UpdatingProcess.hash(key))) {
        lost.add(key);
      }
    }
    assertEquals(List.of(), lost);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(path), files.filter(each -> !each.endsWith("other")).toList());
    }
  }

  private static FilterUpdate<Filter> update(Path path) throws IOException {
    return UpdatingProcess.update(path, SOON);
  }

  private static Process start(Path path, int first, int count) throws IOException {
    return SavingProcess.java(
            List.of(),
            UpdatingProcess.class,
            path.toString(),
            Integer.toString(first),
            Integer.toString(count))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void anotherFilterReplacesTheOneThatWasOpenedOnce() throws IOException {
    Filter other = filter();
    other.put(UpdatingProcess.hash(1));
    try (FilterUpdate<Filter> update =
        BLOOMERY.files().update(path, SOON, OpenOptions.confined())) {
      update.filter().put(UpdatingProcess.hash(0));
      assertThrows(NullPointerException.class, () -> update.replaceBy(null));
      update.replaceBy(other);
      assertThrows(IllegalStateException.class, update::save);
      assertThrows(IllegalStateException.class, () -> update.replaceBy(other));
    }
    assertKeysAndNothingElse(1, 2);
    assertFalse(BLOOMERY.files().open(path).mightContain(UpdatingProcess.hash(0)));
  }

  @Test
  void threadsAndProcessesLoseNoKeyOfEachOther() throws Exception {
    int each = 40;
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      Process one = start(path, 0, each);
      Process other = start(path, each, each);
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 2; i < 4; i++) {
        int first = i * each;
        Callable<Void> putter =
            () -> {
              UpdatingProcess.put(path, first, each);
              return null;
            };
        ends.add(pool.submit(putter));
      }
      Callable<Void> merger =
          () -> {
            for (int key = 4 * each; key < 5 * each; key++) {
              Filter more = filter();
              more.put(UpdatingProcess.hash(key));
              Path source = Files.createDirectories(folder.resolve("other")).resolve("more");
              FilterFiles.save(more, source);
              BLOOMERY.files().merge(path, List.of(source, path));
            }
            return null;
          };
      ends.add(pool.submit(merger));
      for (Future<Void> end : ends) {
        end.get();
      }
      assertEquals(0, one.waitFor());
      assertEquals(0, other.waitFor());
    } finally {
      pool.shutdownNow();
    }
    assertKeysAndNothingElse(0, 5 * each);
  }

  @Test
  void whatIsNotSavedIsForgotten() throws Exception {
    byte[] before = Files.readAllBytes(path);
    try (FilterUpdate<Filter> update = update(path)) {
      update.filter().put(1);
    }
    assertArrayEquals(before, Files.readAllBytes(path));
    assertKeysAndNothingElse(0, 0);
  }

  @Test
  void othersWaitUntilItIsClosedAndNoLonger() throws Exception {
    try (FilterUpdate<Filter> update = update(path)) {
      FilterLockedException e = assertThrows(FilterLockedException.class, () -> update(path));
      assertTrue(
          e.getMessage()
              .startsWith(
                  path + " must not be changed by another process or thread, but is, for 0.0"),
          e::getMessage);
      assertThrows(
          FilterLockedException.class,
          () -> BLOOMERY.files().merge(path, List.of(path), Duration.ZERO));
      // Readers do not wait, nor does what replaces without reading.
      assertFalse(BLOOMERY.files().open(path, OpenOptions.confined()).mightContain(1));
      update.filter().put(1);
      update.save();
      assertThrows(IllegalStateException.class, update::save);
    }
    try (FilterUpdate<Filter> update = update(path)) {
      assertTrue(update.filter().mightContain(1));
    }
  }

  @Test
  void aNameByWayOfLinksAndFoldersIsTheSameFile() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("other"), path);
    Path around = folder.resolve("../" + folder.getFileName() + "/seen.bloom");
    try (FilterUpdate<Filter> update = update(link)) {
      assertThrows(FilterLockedException.class, () -> update(path));
      assertThrows(FilterLockedException.class, () -> update(around));
      update.filter().put(UpdatingProcess.hash(0));
      update.save();
    }
    assertTrue(Files.isSymbolicLink(link));
    assertKeysAndNothingElse(0, 1);
  }

  @Test
  void anotherProcessWaitsAndTheLockFileOfOneThatIsKilledIsUsedAndRemoved() throws Exception {
    Process holder = start(path, 7, -1);
    try (BufferedReader out = holder.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(UpdatingProcess.OPENED, out.readLine());
      assertThrows(FilterLockedException.class, () -> update(path));
      holder.destroyForcibly();
      assertTrue(holder.waitFor(1, TimeUnit.MINUTES));
    }
    assertTrue(Files.exists(lock()));
    UpdatingProcess.put(path, 0, 1);
    assertKeysAndNothingElse(0, 1);
    assertFalse(
        BLOOMERY.files().open(path, OpenOptions.confined()).mightContain(UpdatingProcess.hash(7)));
  }

  /** As where there are no locks: what is replaced is compared with what was read. */
  @Test
  void whatAnotherHasSavedMeanwhileIsNotTakenBack() throws Exception {
    Filter other = filter();
    other.put(UpdatingProcess.hash(0));
    try (FilterUpdate<Filter> update = update(path)) {
      FilterFiles.save(other, path);
      update.filter().put(UpdatingProcess.hash(1));
      FileSystemException e = assertThrows(FileSystemException.class, update::save);
      assertEquals(
          path
              + ": was replaced or changed by another while it was changed here; nothing was saved,"
              + " do it again",
          e.getMessage());
    }
    assertKeysAndNothingElse(0, 1);
  }

  /** Where locks belong to processes, closing a channel of a file releases those of all threads. */
  @Test
  void readersOfTheProcessTakeNothingOfTheLock() throws Exception {
    try (FilterUpdate<Filter> update = update(path)) {
      BLOOMERY.files().open(path, OpenOptions.confined());
      BLOOMERY.files().map(path, OpenOptions.confined()).close();
      BLOOMERY.files().verify(path);
      BLOOMERY.files().merge(folder.resolve("other"), List.of(path));
      assertThrows(FilterLockedException.class, () -> update(path));
      assertEquals(UpdatingProcess.LOCKED, trying());
      update.filter().put(UpdatingProcess.hash(1));
      update.save();
      assertEquals(UpdatingProcess.LOCKED, trying());
    }
    UpdatingProcess.put(path, 0, 1);
    assertKeysAndNothingElse(0, 2);
  }

  /** Returns what another process finds that does not wait. */
  private String trying() throws Exception {
    Process process = start(path, 0, 0);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      return out.readLine();
    } finally {
      assertEquals(0, process.waitFor());
    }
  }

  /** As where several web applications have it, each in a class loader of its own. */
  @Test
  void anotherCopyOfThisLibraryInTheProcessIsExcludedAndTakesNothingOfTheLock() throws Exception {
    URL[] classes = {Path.of("target/classes").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, null)) {
      Method open =
          loader
              .loadClass(LockedFile.class.getName())
              .getMethod("open", Path.class, Duration.class);
      assertNotSame(LockedFile.class, open.getDeclaringClass());
      try (FilterUpdate<Filter> update = update(path)) {
        InvocationTargetException e =
            assertThrows(InvocationTargetException.class, () -> open.invoke(null, path, SOON));
        assertInstanceOf(TimeoutException.class, e.getCause());
        assertEquals(UpdatingProcess.LOCKED, trying());
        update.filter().put(UpdatingProcess.hash(0));
        update.save();
      }
      Closeable other = (Closeable) open.invoke(null, path, SOON);
      assertThrows(FilterLockedException.class, () -> update(path));
      // One that does not read the file does not wait, and takes nothing of the lock either.
      FilterFiles.save(BLOOMERY.files().open(path, OpenOptions.confined()), path);
      assertEquals(UpdatingProcess.LOCKED, trying());
      other.close();
    }
    UpdatingProcess.put(path, 1, 1);
    assertKeysAndNothingElse(0, 2);
  }

  @Test
  void whoSavesBesideAnUpdateOfAnotherProcessLeavesItsLock() throws Exception {
    Process holder = start(path, 7, -1);
    try (BufferedReader out = holder.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(UpdatingProcess.OPENED, out.readLine());
      FilterFiles.save(filter(), path);
      assertThrows(FilterLockedException.class, () -> update(path));
      assertTrue(Files.exists(lock()));
      holder.getOutputStream().write('\n');
      holder.getOutputStream().close();
      assertEquals(UpdatingProcess.LATE, out.readLine());
    }
    assertEquals(0, holder.waitFor());
    assertKeysAndNothingElse(0, 0);
  }

  /** Nobody should; but whoever does loses no keys of others. */
  @Test
  void ifTheLockFileIsRemovedOnlyOneOfTwoUpdatesIsSaved() throws Exception {
    try (FilterUpdate<Filter> update = update(path)) {
      Files.delete(lock());
      Process other = start(path, 0, 1);
      assertEquals(0, other.waitFor());
      update.filter().put(UpdatingProcess.hash(7));
      assertThrows(FileSystemException.class, update::save);
    }
    assertKeysAndNothingElse(0, 1);
    try (FilterUpdate<Filter> update = update(path)) {
      Files.delete(lock());
      Process other = start(path, 0, -1);
      try (BufferedReader out = other.inputReader(StandardCharsets.US_ASCII)) {
        assertEquals(UpdatingProcess.OPENED, out.readLine());
        update.filter().put(UpdatingProcess.hash(1));
        update.save();
        other.getOutputStream().write('\n');
        other.getOutputStream().close();
        assertEquals(UpdatingProcess.LATE, out.readLine());
      }
      assertEquals(0, other.waitFor());
    }
    assertKeysAndNothingElse(0, 2);
  }

  @Test
  void whoseLockFileWasRemovedLeavesThatOfAnother() throws Exception {
    FilterUpdate<Filter> update = update(path);
    Files.delete(lock());
    Process other = start(path, 0, -1);
    try (BufferedReader out = other.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(UpdatingProcess.OPENED, out.readLine());
      update.close();
      assertEquals(UpdatingProcess.LOCKED, trying());
    } finally {
      other.destroyForcibly();
    }
  }

  /** The calls of the system that lock fail, as on file systems that cannot. */
  @Test
  void whereThereAreNoLocksUpdatesAreSavedAndAWarningSaysSo() throws Exception {
    List<String> starter =
        List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=fcntl:error=ENOLCK");
    List<String> trial = new ArrayList<>(starter);
    trial.add("true");
    assumeTrue(runs(trial), "must be able to make system calls fail");
    Process process =
        SavingProcess.java(starter, UpdatingProcess.class, path.toString(), "0", "2").start();
    try (BufferedReader err = process.errorReader(StandardCharsets.US_ASCII)) {
      assertEquals(
          List.of(
              "WARNING: the file system of "
                  + path.toRealPath()
                  + " has no locks: of two processes that change a file at the same time, one may"
                  + " be told so only when it saves, or not at all; let only one change it"),
          err.lines().filter(line -> line.startsWith("WARNING")).toList());
    }
    assertEquals(0, process.waitFor());
    assertKeysAndNothingElse(0, 2);
  }

  private static boolean runs(List<String> command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Path lock() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().equals(".seen.bloom.bloomery.lock"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** SIGTERM and, at a terminal, Ctrl-C. */
  @Test
  void aProcessThatIsToldToEndLeavesNothing() throws Exception {
    Process holder = start(path, 7, -1);
    try (BufferedReader out = holder.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(UpdatingProcess.OPENED, out.readLine());
      holder.toHandle().destroy();
      assertTrue(holder.waitFor(1, TimeUnit.MINUTES));
    }
    assertKeysAndNothingElse(0, 0);
  }

  /** A name with a date is never used again: whoever saves in the folder cleans up. */
  @Test
  void theLockOfOneThatWasKilledIsRemovedWhenItIsOldAndThatOfOneThatLivesIsNot() throws Exception {
    Process holder = start(path, 7, -1);
    try (BufferedReader out = holder.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(UpdatingProcess.OPENED, out.readLine());
      Path other = folder.resolve("other");
      age(lock());
      FilterFiles.save(filter(), other);
      assertEquals(UpdatingProcess.LOCKED, trying());
      holder.destroyForcibly();
      assertTrue(holder.waitFor(1, TimeUnit.MINUTES));
      age(lock());
      FilterFiles.save(filter(), other);
    }
    assertKeysAndNothingElse(0, 0);
    FilterUpdate<Filter> update = update(path);
    age(lock());
    FilterFiles.save(filter(), folder.resolve("other"));
    assertEquals(UpdatingProcess.LOCKED, trying());
    update.close();
  }

  private static void age(Path file) throws Exception {
    ProcessBuilder touch = new ProcessBuilder("touch", "-t", "202001010000", file.toString());
    assertEquals(0, touch.inheritIO().start().waitFor());
  }

  @Test
  void whatIsClosedSavesNothingAndTakesNoLockOfAnother() throws Exception {
    FilterUpdate<Filter> late = update(path);
    late.filter().put(UpdatingProcess.hash(7));
    late.close();
    try (FilterUpdate<Filter> holder = update(path)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, late::save);
      assertEquals(
          "an update of "
              + path
              + " must be saved before it is closed and others may change the file; start another"
              + " one",
          e.getMessage());
      late.close();
      assertThrows(FilterLockedException.class, () -> update(path));
      holder.filter().put(UpdatingProcess.hash(0));
      holder.save();
      late.close();
      assertThrows(FilterLockedException.class, () -> update(path));
    }
    assertKeysAndNothingElse(0, 1);
    assertFalse(
        BLOOMERY.files().open(path, OpenOptions.confined()).mightContain(UpdatingProcess.hash(7)));
    assertTrue(late.filter().mightContain(UpdatingProcess.hash(7)));
  }

  @Test
  void ofTwoThreadsThatSaveOneDoesAndOneThatClosesDoesNotComeBetween() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      for (int key = 0; key < 50; key++) {
        FilterUpdate<Filter> update = update(path);
        update.filter().put(UpdatingProcess.hash(key));
        Callable<Boolean> saver =
            () -> {
              try {
                update.save();
                return true;
              } catch (IllegalStateException e) {
                return false;
              }
            };
        Callable<Boolean> closer =
            () -> {
              update.close();
              return false;
            };
        List<Callable<Boolean>> tasks =
            key % 2 == 0 ? List.of(saver, saver) : List.of(saver, closer, saver);
        int saved = 0;
        for (Future<Boolean> end : pool.invokeAll(tasks)) {
          saved += end.get() ? 1 : 0;
        }
        update.close();
        assertTrue(key % 2 == 0 ? saved == 1 : saved <= 1, "saved " + saved + " times");
        assertEquals(
            saved == 1,
            BLOOMERY
                .files()
                .open(path, OpenOptions.confined())
                .mightContain(UpdatingProcess.hash(key)));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void whatIsRemovedMeanwhileStaysRemoved() throws Exception {
    try (FilterUpdate<Filter> update = update(path)) {
      Files.delete(path);
      assertTrue(
          assertThrows(FileSystemException.class, update::save)
              .getMessage()
              .contains("was removed while it was changed here"));
    }
    assertFalse(Files.exists(path));
    assertThrows(NoSuchFileException.class, () -> update(path));
  }

  @Test
  void whatCannotBeOpenedIsNotLocked() throws Exception {
    Files.writeString(path, "no filter, but long enough to be looked at");
    for (int i = 0; i < 2; i++) {
      assertThrows(FilterFormatException.class, () -> update(path));
    }
    FilterFiles.save(filter(), path);
    update(path).close();
  }

  @Test
  void whoeverIsInterruptedStopsWaiting() throws Exception {
    try (FilterUpdate<Filter> update = update(path)) {
      Thread.currentThread().interrupt();
      try {
        assertThrows(
            InterruptedIOException.class,
            () -> UpdatingProcess.update(path, Duration.ofMinutes(1)));
      } finally {
        assertTrue(Thread.interrupted());
      }
      update.filter().put(UpdatingProcess.hash(0));
      Thread.currentThread().interrupt();
      try {
        update.save();
      } finally {
        assertTrue(Thread.interrupted());
      }
    }
    assertKeysAndNothingElse(0, 1);
  }

  @Test
  void keysArePutAndRemovedByBuilders() throws Exception {
    Filters<String> strings = BLOOMERY.keys(KeyHasher.strings());
    strings.expect(100).variant(new PlainProvider()).create().save(path);
    try (FilterUpdate<BloomFilter<String>> update = strings.update(path, SOON)) {
      update.filter().put("one");
      update.save();
    }
    assertTrue(strings.open(path).mightContain("one"));
    assertThrows(
        UnexpectedFilterException.class, () -> strings.updateRemovable(path, SOON).close());
  }
}
