package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.file.FileReplacement;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Saves that fail, are killed, or meet others. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SaveCrashTest {

  private static final String NEXT_STEP =
      "; nothing was changed, so make room, raise the limit of this process on the size of files,"
          + " or choose another place";

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());

  /** Some dozens of saves. */
  private static final long MAX_LIFE_NANOS = 400_000_000;

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("seen.bloom");
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  /** Returns the number of the filter in the file, which it must be to the last byte. */
  private int numberInFile() throws IOException {
    byte[] content = Files.readAllBytes(path);
    Filter filter =
        BLOOMERY.files().read(new ByteArrayInputStream(content), OpenOptions.confined());
    int number = SavingProcess.number(filter);
    assertArrayEquals(bytes(SavingProcess.filter(number)), content, "filter " + number);
    return number;
  }

  private List<Path> leftovers() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(each -> !each.equals(path)).toList();
    }
  }

  /** By another process: Java opens the file for it, which would release locks of this one. */
  private static void age(Path file) throws IOException, InterruptedException {
    ProcessBuilder touch = new ProcessBuilder("touch", "-h", "-t", "202001010000", file.toString());
    assertEquals(0, touch.inheritIO().start().waitFor());
  }

  private void killWriters(int times) throws Exception {
    int whole = 0;
    int inTheMiddle = 0;
    int saved = 0;
    for (int i = 0; i < times; i++) {
      long life = new SplittableRandom(i).nextLong(MAX_LIFE_NANOS);
      Process process =
          SavingProcess.start(path, 1, 1, SavingProcess.FOR_EVER, "halt-after:" + life);
      List<Integer> numbers = SavingProcess.numbers(process);
      assertEquals(1, process.exitValue());
      int last = numbers.get(numbers.size() - 1);
      int found = numberInFile();
      // What was reported as saved is saved; one more may have got its name unreported.
      assertTrue(found == last || found == last + 1, found + " in the file after " + last);
      whole++;
      saved += numbers.size();
      inTheMiddle += leftovers().isEmpty() ? 0 : 1;
      for (Path leftover : leftovers()) {
        age(leftover);
      }
    }
    System.out.printf(
        "killed writers: %d of %d left a whole filter; %d were in the middle of one; %d saves%n",
        whole, times, inTheMiddle, saved);
    FilterFiles.save(SavingProcess.filter(0), path);
    assertEquals(List.of(), leftovers());
    assertEquals(0, numberInFile());
  }

  @Test
  void aWriterThatIsKilledLeavesAWholeFilter() throws Exception {
    killWriters(3);
  }

  @Test
  @Tag("nightly")
  @Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void fiftyWritersThatAreKilledLeaveAWholeFilterEach() throws Exception {
    killWriters(50);
  }

  /** Of 45,000 words: before the first, when one buffer is written, and when several are. */
  @Test
  void whatAKilledWriterLeavesIsIgnoredAndRemovedWhenItIsOld() throws Exception {
    for (int word : new int[] {0, 9_000, 29_000}) {
      Process process = SavingProcess.start(path, 1, 1, 2, "halt-at-word:" + word);
      assertEquals(List.of(1), SavingProcess.numbers(process));
      assertEquals(1, numberInFile());
      assertEquals(1, leftovers().size(), "halted at " + word);
      FilterFiles.save(SavingProcess.filter(4), path);
      assertEquals(1, leftovers().size(), "young enough to be of a writer about to lock it");
      age(leftovers().get(0));
      // A name with a date is never written again: whoever saves in the folder cleans up.
      Path other = folder.resolve("seen-2026-11-24.bloom");
      FilterFiles.save(SavingProcess.filter(3), other);
      Files.delete(other);
      assertEquals(List.of(), leftovers());
      assertEquals(4, numberInFile());
    }
  }

  @Test
  void whatLooksLikeALeftoverButIsNoneStays() throws Exception {
    String name = ".seen.bloom.1f-2e-0123456789abcdef.bloomery";
    Path directory = Files.createDirectory(folder.resolve(name + ".tmp"));
    Path link = folder.resolve(".seen.bloom.1f-2f-0123456789abcdef.bloomery.tmp");
    Path linked = Files.writeString(folder.resolve("linked"), "precious");
    Files.createSymbolicLink(link, linked);
    // Whoever opens it waits for a reader.
    Path pipe = folder.resolve(".seen.bloom.1f-3f-0123456789abcdef.bloomery.tmp");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    List<Path> others =
        List.of(
            Files.writeString(folder.resolve(name + ".tmp.bak"), ""),
            Files.writeString(folder.resolve(".seen.bloom.notes.tmp"), ""),
            Files.writeString(folder.resolve("x" + name + ".tmp"), ""),
            Files.writeString(folder.resolve(".seen.bloom.1f-2e-0123456789abcdef.tmp"), ""));
    Path leftover = Files.writeString(folder.resolve(name.replace("2e", "3e") + ".tmp"), "");
    for (Path each : leftovers()) {
      age(each);
    }
    FilterFiles.save(SavingProcess.filter(1), path);
    assertTrue(Files.notExists(leftover));
    assertTrue(Files.isDirectory(directory));
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.exists(pipe));
    assertEquals("precious", Files.readString(linked));
    for (Path other : others) {
      assertTrue(Files.exists(other), other::toString);
    }
  }

  /** The file is made to look old: only its lock says that its writer lives. */
  @Test
  void aFileWhoseWriterLivesStays() throws Exception {
    Process slow = SavingProcess.start(path, 1, 1, 1, "wait-at-word:9000");
    try (BufferedReader out = slow.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals(SavingProcess.WAITING, out.readLine());
      Path unfinished = leftovers().get(0);
      age(unfinished);
      FilterFiles.save(SavingProcess.filter(2), path);
      assertEquals(List.of(unfinished), leftovers());
      slow.getOutputStream().write('\n');
      slow.getOutputStream().close();
      assertEquals("1", out.readLine());
    }
    assertEquals(0, slow.waitFor());
    assertEquals(1, numberInFile());
    assertEquals(List.of(), leftovers());
  }

  /**
   * Where locks belong to processes, closing a file releases those of all threads: another thread
   * must not even look at it, or another process would take it for a leftover.
   */
  @Test
  void aFileWhoseWriterIsAnotherThreadStaysAndStaysLocked() throws Exception {
    CountDownLatch paused = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    SavingProcess.Pause pause =
        () -> {
          paused.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    Callable<Void> slow =
        () -> {
          FilterFiles.save(SavingProcess.pausing(SavingProcess.filter(1), 9_000, pause), path);
          return null;
        };
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Void> end = thread.submit(slow);
      paused.await();
      Path unfinished = leftovers().get(0);
      age(unfinished);
      FilterFiles.save(SavingProcess.filter(2), path);
      assertEquals(List.of(unfinished), leftovers());
      Process other = SavingProcess.start(path, 3, 1, 1, "nothing");
      assertEquals(List.of(3), SavingProcess.numbers(other));
      assertEquals(3, numberInFile());
      assertEquals(List.of(unfinished), leftovers());
      goOn.countDown();
      end.get(1, TimeUnit.MINUTES);
    } finally {
      goOn.countDown();
      thread.shutdownNow();
    }
    assertEquals(1, numberInFile());
    assertEquals(List.of(), leftovers());
  }

  @Test
  void threadsThatSaveAtTheSameTimeDoNotMix() throws Exception {
    int threads = 4;
    int saves = 10;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      FilterFiles.save(SavingProcess.filter(0), path);
      List<Future<Void>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int first = 1 + i * saves;
        Callable<Void> saver =
            () -> {
              for (int number = first; number < first + saves; number++) {
                FilterFiles.save(SavingProcess.filter(number), path);
              }
              return null;
            };
        ends.add(pool.submit(saver));
      }
      int seen = 0;
      for (Future<Void> end : ends) {
        while (!end.isDone()) {
          numberInFile();
          seen++;
        }
        end.get();
      }
      assertTrue(seen > 0);
    } finally {
      pool.shutdownNow();
    }
    assertEquals(0, numberInFile() % saves, "the last of one of them");
    assertEquals(List.of(), leftovers());
  }

  @Test
  void processesThatSaveAtTheSameTimeDoNotMix() throws Exception {
    FilterFiles.save(SavingProcess.filter(0), path);
    Process even = SavingProcess.start(path, 2, 2, 25, "nothing");
    Process odd = SavingProcess.start(path, 3, 2, 25, "nothing");
    boolean sawEven = false;
    boolean sawOdd = false;
    while (even.isAlive() || odd.isAlive()) {
      int number = numberInFile();
      sawEven |= number > 0 && number % 2 == 0;
      sawOdd |= number % 2 == 1;
    }
    assertEquals(25, SavingProcess.numbers(even).size());
    assertEquals(25, SavingProcess.numbers(odd).size());
    assertTrue(sawEven && sawOdd);
    int last = numberInFile();
    assertTrue(last == 50 || last == 51, "the last of one of them, but is " + last);
    assertEquals(List.of(), leftovers());
  }

  /** Passes on so many bytes and then fails, in the middle of a write as disks do. */
  private static final class FullAfter extends OutputStream {
    private final OutputStream out;
    private final IOException failure;
    private int room;

    FullAfter(OutputStream out, int room, IOException failure) {
      this.out = out;
      this.room = room;
      this.failure = failure;
    }

    @Override
    public void write(int b) throws IOException {
      if (room == 0) {
        throw failure;
      }
      room--;
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      int fits = Math.min(room, length);
      out.write(bytes, from, fits);
      room -= fits;
      if (fits < length) {
        throw failure;
      }
    }
  }

  @Test
  void aFailureAtAnyByteLeavesTheFileAsItWas() throws IOException {
    Filter filter = new PlainProvider().create(FilterSpec.of(100, 0.01), ThreadMode.SHARED);
    filter.put(42);
    int size = (int) FilterFiles.serializedSize(filter);
    FilterFiles.save(SavingProcess.filter(1), path);
    byte[] before = Files.readAllBytes(path);
    Path other = folder.resolve("new.bloom");
    for (int room = 0; room < size; room++) {
      int bytes = room;
      IOException full = new IOException("full");
      FileReplacement.Content content =
          out -> EnvelopeWriter.write(filter, new FullAfter(out, bytes, full));
      for (Path target : List.of(path, other)) {
        IOException thrown =
            assertThrows(IOException.class, () -> FileReplacement.replace(target, content));
        assertSame(full, thrown, () -> "at byte " + bytes);
        assertEquals(0, thrown.getSuppressed().length);
      }
      assertEquals(List.of(), leftovers());
    }
    assertArrayEquals(before, Files.readAllBytes(path));
    FileReplacement.replace(
        path, out -> EnvelopeWriter.write(filter, new FullAfter(out, size, new IOException())));
    assertArrayEquals(bytes(filter), Files.readAllBytes(path));
  }

  @Test
  void aSaveThatBeginsDuringTheShutdownAndDoesNotEndLeavesNothing() throws Exception {
    FilterFiles.save(SavingProcess.filter(1), path);
    byte[] before = Files.readAllBytes(path);
    Answer answer = run(SavingProcess.java(List.of(), LateSaveProcess.class, path.toString()));
    assertEquals("begun\n", answer.out());
    assertEquals(List.of(), leftovers());
    assertArrayEquals(before, Files.readAllBytes(path));
  }

  /** In a name space of its own, where others do not see the mount, and root is not needed. */
  @Test
  void aDiskThatIsFullKeepsTheFileAsItWas() throws Exception {
    Answer answer = runOnSmallDisk(FullDiskProcess.class);
    assertEquals("No space left on device" + NEXT_STEP + "\ntrue\n1\nsaved\n", answer.out());
    assertEquals(0, answer.exitCode());
  }

  @Test
  void aFileThatIsLargerThanItsProcessMayWriteIsNotMade() throws Exception {
    List<String> starter =
        List.of("sh", "-c", "ulimit -f 1 && exec \"$0\" -XX:-UsePerfData \"$@\"");
    Answer answer =
        run(SavingProcess.java(starter, LiveProcess.class, path.toString(), "0", "1", "true"));
    assertTrue(answer.out().contains(path + ": File too large" + NEXT_STEP), answer::out);
    assertEquals(List.of(), leftovers());
  }

  @Test
  void aLiveFilterOnADiskThatIsFullLosesNothing() throws Exception {
    Answer answer = runOnSmallDisk(FullDiskLiveProcess.class);
    assertEquals(
        "No space left on device\nNo space left on device"
            + NEXT_STEP
            + "\n[filling, live]\nsound: true\nlost: 0\n",
        answer.out());
    assertEquals(0, answer.exitCode());
  }

  private Answer runOnSmallDisk(Class<?> main) throws Exception {
    String mount = "mount -t tmpfs -o size=1m none '" + folder + "'";
    assumeTrue(
        run(new ProcessBuilder("unshare", "-rm", "sh", "-c", mount)).exitCode() == 0,
        "must be allowed to mount a file system");
    List<String> starter = List.of("unshare", "-rm", "sh", "-c", mount + " && exec \"$0\" \"$@\"");
    return run(SavingProcess.java(starter, main, folder.toString()));
  }

  /** The mount is seen by nobody else, as above. */
  @Test
  void aFileThatIsAMountIsNotReplacedAndTheErrorSaysWhatToMount() throws Exception {
    Path mounted = Files.writeString(folder.resolve("mounted"), "old");
    Files.writeString(path, "old");
    String mount = "mount --bind '" + mounted + "' '" + path + "'";
    assumeTrue(
        run(new ProcessBuilder("unshare", "-rm", "sh", "-c", mount)).exitCode() == 0,
        "must be allowed to mount a file");
    List<String> starter = List.of("unshare", "-rm", "sh", "-c", mount + " && exec \"$0\" \"$@\"");
    Answer answer =
        run(
            SavingProcess.java(
                starter, SavingProcess.class, path.toString(), "1", "1", "1", "nothing"));
    assertEquals(1, answer.exitCode());
    assertTrue(
        answer
            .out()
            .contains(
                path
                    + ": cannot be replaced (Device or resource busy), as no file that is a mount of"
                    + " its own can, as in a container; mount its folder instead"),
        answer::out);
    assertEquals("old", Files.readString(mounted));
    Files.delete(mounted);
    assertEquals(List.of(), leftovers());
  }

  @Test
  void theFileOfAnotherInAFolderForAllIsNotReplacedAndTheErrorSaysWhy() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path others = Files.writeString(shared.resolve("seen.bloom"), "old");
    String setUp = "chmod 1777 '" + shared + "' && chown 65534 '" + shared + "' '" + others + "'";
    assumeTrue(run(new ProcessBuilder("sh", "-c", setUp)).exitCode() == 0, "needs root");
    List<String> starter = List.of("setpriv", "--bounding-set", "-fowner,-chown");
    Answer answer =
        run(
            SavingProcess.java(
                starter, SavingProcess.class, others.toString(), "1", "1", "1", "nothing"));
    assertEquals(1, answer.exitCode());
    assertTrue(
        answer
            .out()
            .contains(
                others
                    + ": cannot be replaced (Operation not permitted), as no file that is"
                    + " immutable, or another's in a folder such as /tmp, can; name another file,"
                    + " or let its owner save it"),
        answer::out);
    assertEquals("old", Files.readString(others));
  }

  /** Runs as a user who may do only what permissions say, which root is not. */
  private static Answer runAsPlainUser(Class<?> main, String... arguments) throws Exception {
    List<String> starter = List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search");
    assumeTrue(
        run(new ProcessBuilder(starter.get(0), starter.get(1), starter.get(2), "true")).exitCode()
            == 0,
        "must be allowed to give up rights");
    return run(SavingProcess.java(starter, main, arguments));
  }

  @Test
  void aFolderThatIsNotWritableIsSaidBeforeAnythingBegins() throws Exception {
    Answer answer = runAsPlainUser(PlainUserProcess.class, folder.toString(), "unwritable");
    String refusal =
        "AccessDeniedException "
            + folder.toRealPath()
            + ": the folder of a file that is saved or changed must be writable, since that takes"
            + " hidden files in it, but is not; change its permissions, or choose another folder\n";
    assertEquals(refusal.repeat(5) + "[seen.bloom]\n", answer.out());
  }

  /** Hundreds of interrupts, wherever they fall. */
  @Test
  void interruptsDoNotAbortWhatReplacesAFileThatNobodyMayWriteTo() throws Exception {
    Answer answer = runAsPlainUser(PlainUserProcess.class, folder.toString(), "interrupted");
    assertEquals("r--r--r-- 19\n[seen.bloom]\n", answer.out());
  }

  @Test
  void aFolderThatCannotBeForcedToTheDiskIsSaid() throws Exception {
    Answer answer = runAsPlainUser(SealedFolderProcess.class, folder.toString());
    assertEquals(
        "file: is replaced, but its folder could not be forced to the disk ("
            + folder
            + "), so that a loss of power may bring the old content back; save it again\n2\nsaved\n",
        answer.out());
  }

  /** SIGTERM and, at a terminal, Ctrl-C: the JVM ends, but not in the middle. */
  @Test
  void aWriterThatIsToldToEndFinishesOrLeavesNothing() throws Exception {
    for (boolean finishes : new boolean[] {true, false}) {
      Process slow = SavingProcess.start(path, 1, 1, 1, "wait-at-word:9000");
      try (BufferedReader out = slow.inputReader(StandardCharsets.US_ASCII)) {
        assertEquals(SavingProcess.WAITING, out.readLine());
        assertEquals(1, leftovers().size());
        slow.toHandle().destroy();
        if (finishes) {
          slow.getOutputStream().write('\n');
          slow.getOutputStream().flush();
        }
        assertTrue(slow.waitFor(1, TimeUnit.MINUTES));
      }
      assertEquals(List.of(), leftovers());
      assertEquals(finishes, Files.exists(path));
      if (finishes) {
        assertEquals(1, numberInFile());
        Files.delete(path);
      }
    }
  }

  @Test
  void whoSavesWhileTheJvmEndsSaves() throws Exception {
    Answer answer = run(SavingProcess.java(List.of(), LastSaveProcess.class, path.toString()));
    assertEquals("", answer.out());
    assertEquals(1, numberInFile());
    assertEquals(List.of(), leftovers());
  }

  private record Answer(int exitCode, String out) {}

  private static Answer run(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process;
    try {
      process = builder.redirectErrorStream(true).start();
    } catch (IOException e) {
      return new Answer(-1, e.getMessage());
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), out);
  }
}
