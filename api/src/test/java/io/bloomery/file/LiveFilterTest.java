package io.bloomery.file;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.spi.LiveTable;
import io.bloomery.spi.TableLayout;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveFilterTest {

  private static final FilterProviders PROVIDERS = FilterProviders.of(new MappingProvider());
  private static final long KNOWN = 4711;
  private static final FilterFiles FILES = new FilterFiles(PROVIDERS);

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("seen.bloom");
  }

  private LiveFilter open() throws IOException {
    return LiveProcess.open(path, Duration.ZERO);
  }

  private static Filter onHeap() {
    return new MappingProvider().create(LiveProcess.SPEC, ThreadMode.SHARED);
  }

  private byte[] envelope() throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    return Arrays.copyOfRange(bytes, LiveControl.SIZE, bytes.length);
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  private static Reason refusal(Executable call) {
    return assertThrows(FilterFormatException.class, call).reason();
  }

  /** Else a new checksum would make damage valid, and lose keys without a word. */
  @Test
  void aDamagedMibIsNotChangedNorSealed() throws IOException {
    FilterSpec spec = FilterSpec.of(3_000_000, 0.01);
    long[] old = new SplittableRandom(5).longs(100_000).toArray();
    for (int damaged = 0; damaged < 3; damaged++) {
      try (LiveFilter live = open(spec)) {
        live.putAll(old, 0, old.length);
      }
      int at;
      try (LiveFilter live = open(spec)) {
        at = LiveControl.SIZE + 64 * 6 + (damaged << 20) + 4_711;
        assertTrue(live.payloadSize() > 3 << 20);
      }
      byte[] bytes = Files.readAllBytes(path);
      bytes[at] ^= 0x10;
      Files.write(path, bytes);
      List<DamagedRegion> regions = FILES.verify(path).damage();
      assertEquals(1, regions.size());
      LiveFilter live = open(spec);
      SplittableRandom random = new SplittableRandom(damaged);
      int refused = 0;
      for (int i = 0; i < 100; i++) {
        try {
          live.put(random.nextLong());
        } catch (FilterUnavailableException e) {
          assertTrue(e.getMessage().contains("MiB " + damaged + " of its content"), e.getMessage());
          refused++;
        }
      }
      assertTrue(refused > 0);
      live.close();
      assertEquals(regions, FILES.verify(path).damage());
      Files.delete(path);
    }
  }

  private LiveFilter open(FilterSpec spec) throws IOException {
    return FILES.openOrCreateLive(
        path, Duration.ZERO, new MappingProvider(), spec, OpenOptions.shared());
  }

  /** In segments of any size, over several openings, each of which closes what it has put. */
  @Test
  void aLiveFilterHasTheAnswersAndTheBytesOfOneOnTheHeap() throws IOException {
    SplittableRandom random = new SplittableRandom(60);
    Filter model = onHeap();
    for (int opening = 0; opening < 40; opening++) {
      int segment = 1 << (6 + random.nextInt(12));
      try (LiveFilter live = LiveProcess.open(path, Duration.ZERO, segment)) {
        long[] hashes = random.longs(random.nextInt(1_000)).toArray();
        int from = random.nextInt(hashes.length + 1);
        assertEquals(
            model.putAll(hashes, 0, from), live.putAll(hashes, 0, from), "new keys of a batch");
        for (int i = from; i < hashes.length; i++) {
          assertEquals(model.put(hashes[i]), live.put(hashes[i]));
        }
        if (random.nextBoolean()) {
          live.force();
        }
        try (MappedFilter other = FILES.map(path)) {
          for (int i = 0; i < 1_000; i++) {
            long hash = i < hashes.length ? hashes[i] : random.nextLong();
            assertEquals(model.mightContain(hash), live.mightContain(hash));
            assertEquals(model.mightContain(hash), other.mightContain(hash));
          }
        }
        assertEquals(model.stats(), live.stats());
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        FilterFiles.write(live, saved);
        assertArrayEquals(bytes(model), saved.toByteArray());
      }
      assertArrayEquals(bytes(model), envelope());
      assertTrue(FILES.verify(path).isSound());
      assertArrayEquals(bytes(model), bytes(FILES.open(path)));
    }
  }

  @Test
  void ofPutsOfOneKeyAtTheSameTimeOneFindsItNew() throws Exception {
    int threads = 4;
    int keys = 20_000;
    AtomicInteger[] news = new AtomicInteger[keys];
    Arrays.setAll(news, i -> new AtomicInteger());
    try (LiveFilter live = LiveProcess.open(path, Duration.ZERO, 1 << 10)) {
      inThreads(
          threads,
          () -> {
            for (int key = 0; key < keys; key++) {
              if (live.put(UpdatingProcess.hash(key))) {
                news[key].incrementAndGet();
              }
            }
            return true;
          });
    }
    Filter model = onHeap();
    int falsePositives = 0;
    for (int key = 0; key < keys; key++) {
      int found = news[key].get();
      assertTrue(found <= 1, "key " + key + " was new " + found + " times");
      model.put(UpdatingProcess.hash(key));
      falsePositives += 1 - found;
    }
    assertTrue(falsePositives < keys / 50, falsePositives + " keys were never new");
    assertArrayEquals(bytes(model), envelope());
  }

  private static <T> List<T> inThreads(int threads, Callable<T> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> each : pool.invokeAll(java.util.Collections.nCopies(threads, work))) {
        results.add(each.get());
      }
      return results;
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void aPutThatReturnedBeforeAFilterIsClosedIsInItsFile() throws Exception {
    for (int round = 0; round < 50; round++) {
      Files.deleteIfExists(path);
      LiveFilter live = LiveProcess.open(path, Duration.ZERO, 1 << 10);
      AtomicInteger next = new AtomicInteger();
      int closeAt = 200 * round;
      List<List<Long>> put =
          inThreads(
              4,
              () -> {
                List<Long> mine = new ArrayList<>();
                try {
                  while (true) {
                    int key = next.incrementAndGet();
                    long hash = UpdatingProcess.hash(key);
                    live.put(hash);
                    mine.add(hash);
                    if (key == closeAt + 1) {
                      live.close();
                    }
                  }
                } catch (FilterUnavailableException e) {
                  return mine;
                }
              });
      assertTrue(FILES.verify(path).isSound());
      Filter found = FILES.open(path);
      put.forEach(each -> each.forEach(hash -> assertTrue(found.mightContain(hash))));
      assertThrows(FilterUnavailableException.class, () -> live.put(1));
      assertThrows(FilterUnavailableException.class, () -> live.mightContain(1));
      assertThrows(FilterUnavailableException.class, live::stats);
      assertThrows(FilterUnavailableException.class, live::force);
      live.close();
    }
  }

  /** A variant whose table the test has, too. */
  private static final class Shown extends PlainProvider {
    private final AtomicReference<LiveTable> table = new AtomicReference<>();

    @Override
    protected Optional<Function<LiveTable, LivePuts>> livePuts(
        FilterSpec spec, TableLayout layout) {
      return new MappingProvider()
          .putsOf(spec, layout)
          .map(
              puts ->
                  made -> {
                    table.set(made);
                    return puts.apply(made);
                  });
    }
  }

  @Test
  void closingWaitsForAPutInProgress() throws Exception {
    Shown provider = new Shown();
    Opening opening = new Opening(FilterProviders.of(provider), OpenOptions.shared());
    LiveFilter live =
        LiveFilter.openOrCreate(
            path, Duration.ZERO, opening, provider, LiveProcess.SPEC, MappedFile.SEGMENT);
    LiveTable table = provider.table.get();
    live.put(KNOWN);
    int stripe = table.lock(1);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<?> closing =
          pool.submit(
              () -> {
                live.close();
                return true;
              });
      // Until it has begun to close; if it did not wait it would soon have ended.
      while (!closing.isDone() && !isClosed(live)) {
        Thread.onSpinWait();
      }
      Thread.sleep(50);
      assertFalse(closing.isDone());
      table.or(3, 1);
      table.unlock(stripe);
      closing.get();
    } finally {
      pool.shutdown();
    }
    assertThrows(FilterUnavailableException.class, () -> table.lock(1));
    assertTrue(new FilterFiles(FilterProviders.of(provider)).verify(path).isSound());
  }

  private static boolean isClosed(LiveFilter live) {
    try {
      live.put(KNOWN); // is found before a stripe is locked
      return false;
    } catch (FilterUnavailableException e) {
      return true;
    }
  }

  private Process start(int first, int count, boolean closes) throws IOException {
    return SavingProcess.java(
            List.of(),
            LiveProcess.class,
            path.toString(),
            Integer.toString(first),
            Integer.toString(count),
            Boolean.toString(closes))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void processesThatOpenOrCreateOneFileTakeTurns() throws Exception {
    int keys = 3_000;
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start(i * keys / 2, keys, true));
    }
    List<String> news = new ArrayList<>();
    for (Process process : processes) {
      try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
        news.addAll(out.lines().toList());
      }
      assertEquals(0, process.waitFor());
    }
    assertEquals(news.size(), news.stream().distinct().count(), "keys that were new once");
    Filter model = onHeap();
    for (int key = 0; key < 2 * keys; key++) {
      model.put(UpdatingProcess.hash(key));
    }
    assertArrayEquals(bytes(model), envelope());
    assertTrue(FILES.verify(path).isSound());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(path), left.toList());
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aWriterByAnotherNameIsFoundUntilItEnds() throws Exception {
    Process process = start(0, Integer.MAX_VALUE, false);
    Path link = folder.resolve("link.bloom");
    Path moved = folder.resolve("moved.bloom");
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals("0", out.readLine());
      Files.createLink(link, path);
      Files.move(path, moved);
      for (Path other : List.of(link, moved)) {
        FileSystemException refused =
            assertThrows(
                FileSystemException.class, () -> LiveProcess.open(other, Duration.ZERO).close());
        assertTrue(refused.getReason().contains("process " + process.pid()), refused.getReason());
      }
      assertTrue(FilterFiles.inspect(moved).live().orElseThrow().isOpen());
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
    LiveProcess.open(link, Duration.ZERO).close();
    assertTrue(FILES.verify(moved).isSound());
  }

  /** By a hard link or its new name, and after a failed opening as before. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileIsOpenOnceInAProcessByWhateverName() throws IOException {
    Path link = folder.resolve("link.bloom");
    Path moved = folder.resolve("moved.bloom");
    for (int round = 0; round < 2; round++) {
      LiveFilter live = open();
      live.put(KNOWN);
      Files.createLink(link, path);
      Files.move(path, moved);
      byte[] before = Files.readAllBytes(moved);
      for (Path other : List.of(link, moved)) {
        for (int i = 0; i < 2; i++) {
          FileSystemException refused =
              assertThrows(FileSystemException.class, () -> LiveProcess.open(other, Duration.ZERO));
          assertTrue(refused.getReason().contains("by another name"), refused.getReason());
        }
      }
      assertArrayEquals(before, Files.readAllBytes(moved));
      Files.move(moved, path);
      live.close();
      LiveProcess.open(link, Duration.ZERO).close();
      Files.delete(link);
    }
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileHasOneWriterWhileThreadsOpenAndCloseItByTwoNames() throws Exception {
    open().close();
    Path link = Files.createLink(folder.resolve("link.bloom"), path);
    AtomicInteger writers = new AtomicInteger();
    AtomicInteger opened = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (Path name : List.of(path, link, path, link, path, link)) {
        all.add(threads.submit(() -> openAndClose(name, writers, opened)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    LiveProcess.open(link, Duration.ZERO).close();
    LiveProcess.open(path, Duration.ZERO).close();
    assertTrue(FILES.verify(path).isSound());
  }

  /** Opens a file and closes it, until all threads have opened it often enough. */
  private static boolean openAndClose(Path name, AtomicInteger writers, AtomicInteger opened)
      throws IOException {
    while (opened.get() < 60) {
      LiveFilter live;
      try {
        live = LiveProcess.open(name, Duration.ZERO);
      } catch (FilterLockedException | FileSystemException e) {
        LockSupport.parkNanos(200_000);
        continue;
      }
      try {
        assertEquals(1, writers.incrementAndGet());
        live.put(opened.incrementAndGet());
        writers.decrementAndGet();
      } finally {
        live.close();
      }
    }
    return true;
  }

  @Test
  void interruptsWhileAFileIsOpenedAndClosedHarmNothing() throws Exception {
    Thread opener = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    SplittableRandom random = new SplittableRandom(63);
    Thread interrupter =
        new Thread(
            () -> {
              while (!isDone.get()) {
                LockSupport.parkNanos(random.nextInt(400_000));
                opener.interrupt();
              }
            });
    interrupter.start();
    try {
      for (int i = 0; i < 300; i++) {
        try (LiveFilter live = open()) {
          live.put(i);
        }
      }
    } finally {
      isDone.set(true);
      while (interrupter.isAlive()) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
    assertTrue(FILES.verify(path).isSound());
  }

  @Test
  void nobodyWaitsForAStripeThatAFailureLeftLocked() {
    LivePayload payload =
        new LivePayload(
            new ByteBuffer[] {ByteBuffer.allocateDirect(1 << 16)}, mib -> {}, ThreadMode.SHARED);
    assertEquals(0, payload.lock(0));
    payload.fail();
    assertThrows(FilterUnavailableException.class, () -> payload.lock(0));
    payload.end();
    assertThrows(FilterUnavailableException.class, () -> payload.lock(1));
  }

  @Test
  void aKeyOfAFileThatWasDeletedWhileItWasOpenMayComeAgain() throws IOException {
    for (int i = 0; i < 20; i++) {
      Path next = folder.resolve(i + ".bloom");
      assertEquals(0, LiveProcess.open(next, Duration.ZERO).stats().setBits());
      Files.delete(next);
    }
  }

  /** Its writer goes on in a file without this name: a new one would have none of its keys. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aNameWhoseFileWasMovedOrRemovedWhileOpenIsNotGivenToANewOne() throws Exception {
    Process process = start(0, Integer.MAX_VALUE, false);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals("0", out.readLine());
      Files.move(path, folder.resolve("moved.bloom"));
      assertLeft();
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
    LiveFilter live = open();
    Files.delete(path);
    assertLeft();
    assertThrows(FileSystemException.class, live::close);
    open().close();
  }

  private void assertLeft() {
    for (Duration patience : List.of(Duration.ZERO, Duration.ofMillis(20))) {
      FilterLockedException locked =
          assertThrows(FilterLockedException.class, () -> LiveProcess.open(path, patience));
      assertTrue(locked.getMessage().contains("was moved or removed"), locked.getMessage());
    }
    assertFalse(Files.exists(path));
  }

  @Test
  void aKilledWriterLosesNoKeyAndItsFileStaysMarkedAsOpen() throws Exception {
    for (int round = 0; round < 3; round++) {
      Process process = start(0, Integer.MAX_VALUE, false);
      int last = 0;
      try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
        for (int i = 0; i < 100 * round + 10; i++) {
          last = Integer.parseInt(out.readLine());
        }
        assertLockedBy(process);
        process.toHandle().destroyForcibly(); // which leaves its output readable
        List<String> rest = out.lines().toList();
        // The last line may have been cut.
        last = rest.size() < 2 ? last : Integer.parseInt(rest.get(rest.size() - 2));
      } finally {
        process.destroyForcibly();
      }
      process.waitFor();
      LiveState state = FilterFiles.inspect(path).live().orElseThrow();
      assertTrue(state.isOpen());
      assertEquals(process.pid(), state.process());
      assertEquals(state, FILES.verify(path).open().orElseThrow());
      assertFalse(FILES.verify(path).isSound());
      assertEquals(Reason.OPEN_FOR_WRITING, refusal(() -> FILES.open(path)));
      try (MappedFilter mapped = FILES.map(path)) {
        assertEquals(state, mapped.verify().open().orElseThrow());
        for (int key = 0; key <= last; key++) {
          assertTrue(mapped.mightContain(UpdatingProcess.hash(key)), "key " + key);
        }
      }
      open().close();
      assertTrue(FILES.verify(path).isSound());
      Filter opened = FILES.open(path);
      for (int key = 0; key <= last; key++) {
        assertTrue(opened.mightContain(UpdatingProcess.hash(key)), "key " + key);
      }
      Files.delete(path);
    }
  }

  private void assertLockedBy(Process process) {
    FilterLockedException locked = assertThrows(FilterLockedException.class, this::open);
    assertTrue(
        locked.getMessage().contains("process " + process.pid() + " since "), locked.getMessage());
    FileSystemException refused =
        assertThrows(FileSystemException.class, () -> FilterFiles.save(onHeap(), path));
    assertTrue(
        refused.getMessage().contains("process " + process.pid() + " since "),
        refused.getMessage());
  }

  @Test
  void whatWouldReplaceAFileThatIsOpenIsRefused() throws IOException {
    Path other = folder.resolve("other.bloom");
    FilterFiles.save(onHeap(), other);
    try (LiveFilter live = open()) {
      live.put(1);
      byte[] before = Files.readAllBytes(path);
      for (Executable call :
          List.<Executable>of(
              () -> FilterFiles.save(onHeap(), path),
              () -> FilterFiles.save(live, path),
              () -> FILES.merge(path, List.of(other)),
              () -> FILES.merge(path, List.of(path, other), Duration.ZERO),
              () -> FILES.update(path, Duration.ZERO, OpenOptions.shared()))) {
        IOException refused = assertThrows(IOException.class, call);
        assertTrue(
            refused.getMessage().contains("open for writing by process "), refused.getMessage());
      }
      assertArrayEquals(before, Files.readAllBytes(path));
      assertTrue(live.mightContain(1));
    }
    assertEquals(
        Reason.OTHER_KIND, refusal(() -> FILES.update(path, Duration.ZERO, OpenOptions.shared())));
    FilterFiles.save(onHeap(), path);
    assertArrayEquals(bytes(onHeap()), Files.readAllBytes(path));
  }

  @Test
  void aWriterWhoseFileIsReplacedIsToldByForceAndClose() throws IOException {
    LiveFilter live = open();
    live.put(1);
    Path other = folder.resolve("other.bloom");
    FilterFiles.save(onHeap(), other);
    Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThrows(FileSystemException.class, live::force);
    assertThrows(FileSystemException.class, live::close);
    assertArrayEquals(bytes(onHeap()), Files.readAllBytes(path));
    Files.delete(path);
    open().close();
  }

  /** The options are checked when the header has been read, and the content has not. */
  @Test
  void aReaderThatIsOvertakenByAWriterSaysSo() throws IOException {
    open().close();
    List<LiveFilter> writers = new ArrayList<>();
    OpenOptions options =
        OpenOptions.shared()
            .check(
                header -> {
                  LiveFilter writer = open();
                  writer.put(1);
                  writers.add(writer);
                });
    assertEquals(Reason.OPEN_FOR_WRITING, refusal(() -> FILES.open(path, options)));
    writers.get(0).close();
    assertTrue(FILES.open(path).mightContain(1));
  }

  /** Whatever is there, and whatever is asked of it. */
  @Test
  void errorsSayWhatIsThereAndWhatToDo() throws IOException {
    Path none = folder.resolve("none/seen.bloom");
    assertSays("no such folder; make it", () -> LiveProcess.open(none, Duration.ZERO));
    assertSays(
        "no such folder; make it", () -> FILES.openLive(none, Duration.ZERO, OpenOptions.shared()));
    assertSays("path must not be null", () -> LiveProcess.open(null, Duration.ZERO));
    assertSays("patience must not be null", () -> LiveProcess.open(path, null));
    assertSays(
        "patience must be at least zero, but is PT-1S",
        () -> LiveProcess.open(path, ofSeconds(-1)));
    assertFalse(Files.exists(path));
    Files.writeString(path, "lines\n");
    assertSays("starts with 'BLOOMLIV' and is made by openOrCreate", this::open);
    Files.write(path, new byte[0]);
    assertSays("is empty, and so no live filter or window; remove it", this::open);
    FilterFiles.save(onHeap(), path);
    assertSays("a saved one, which is not changed in place: open it by update", this::open);
    Files.delete(path);
    LiveFilter live = open();
    live.close();
    assertSays(
        "changed by openLive, not by update",
        () -> FILES.update(path, Duration.ZERO, OpenOptions.shared()));
    for (Executable call :
        List.<Executable>of(
            () -> live.put(1),
            () -> live.putAll(new long[1], 0, 1),
            () -> live.mightContain(1),
            () -> live.select(new long[1], 0, 1, new int[1]),
            live::stats,
            live::description,
            live::overlapBits,
            live::force,
            () -> FilterFiles.save(live, folder.resolve("copy")))) {
      assertSays(path + " was closed; open it again by openOrCreate or openLive", call);
    }
  }

  private static void assertSays(String what, Executable call) {
    Exception e = assertThrows(Exception.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains(what), e::toString);
  }

  @Test
  void whatIsThereIsOpenedOnlyIfItIsWhatWasAskedFor() throws IOException {
    open().close();
    byte[] before = Files.readAllBytes(path);
    MappingProvider provider = new MappingProvider();
    for (FilterSpec spec :
        List.of(
            FilterSpec.of(LiveProcess.SPEC.expectedKeys() + 1, 0.01, "test/live"),
            FilterSpec.of(LiveProcess.SPEC.expectedKeys(), 0.02, "test/live"))) {
      UnexpectedFilterException refused =
          assertThrows(
              UnexpectedFilterException.class,
              () ->
                  FILES.openOrCreateLive(
                      path, Duration.ZERO, provider, spec, OpenOptions.shared()));
      assertEquals(UnexpectedFilterException.Reason.PARAMETERS, refused.reason());
    }
    FilterFiles plain = new FilterFiles(FilterProviders.of(new PlainProvider()));
    assertThrows(
        FilterFormatException.class,
        () -> plain.openLive(path, Duration.ZERO, OpenOptions.shared()));
    Path none = folder.resolve("none.bloom");
    assertThrows(
        IllegalArgumentException.class,
        () ->
            plain.openOrCreateLive(
                none, Duration.ZERO, new PlainProvider(), LiveProcess.SPEC, OpenOptions.shared()));
    FilterFiles.save(onHeap(), none);
    assertEquals(
        Reason.OTHER_KIND,
        refusal(() -> FILES.openLive(none, Duration.ZERO, OpenOptions.shared())));
    assertArrayEquals(before, Files.readAllBytes(path));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(2, left.count());
    }
  }

  /** Of every length less than its own. */
  @Test
  void aFileThatIsCutIsRefused() throws IOException {
    long seed = Long.getLong("bloomery.draw", System.nanoTime());
    System.out.println("drawn by -Dbloomery.draw=" + seed);
    cut(new SplittableRandom(seed).nextInt(11), 11);
  }

  @Test
  @Tag("nightly")
  void aFileThatIsCutAnywhereIsRefused() throws IOException {
    cut(0, 1);
  }

  private void cut(int first, int every) throws IOException {
    try (LiveFilter live = open()) {
      live.put(1);
      Files.copy(path, folder.resolve("open.bloom"));
    }
    for (String name : List.of("seen.bloom", "open.bloom")) {
      Path cut = folder.resolve(name);
      for (long size = Files.size(cut) - 1 - first; size >= 0; size -= every) {
        try (FileChannel channel = FileChannel.open(cut, StandardOpenOption.WRITE)) {
          channel.truncate(size);
        }
        assertThrows(IOException.class, () -> FilterFiles.inspect(cut));
        if (size % 97 == 0) {
          assertThrows(FilterFormatException.class, () -> FILES.map(cut));
          assertThrows(FilterFormatException.class, () -> FILES.open(cut));
          assertThrows(
              FilterFormatException.class,
              () -> FILES.openLive(cut, Duration.ZERO, OpenOptions.shared()));
          assertFalse(isSound(cut));
        }
      }
    }
  }

  /** Whoever reads it, by whichever call: its checksum is right. */
  @Test
  void aControlOfAnotherLengthIsRefused() throws IOException {
    open().close();
    byte[] whole = Files.readAllBytes(path);
    long size = (long) whole.length - LiveControl.SIZE;
    for (long other : new long[] {0, size - 64, size - 1, size + 1, size + 64, size << 20}) {
      ByteBuffer control = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
      control.putLong(16, other);
      CRC32C crc = new CRC32C();
      crc.update(whole, 0, LiveControl.BLOCK - Integer.BYTES);
      control.putInt(LiveControl.BLOCK - Integer.BYTES, (int) crc.getValue());
      Files.write(path, whole);
      for (Executable call :
          List.<Executable>of(
              () -> FilterFiles.inspect(path),
              () -> FILES.open(path),
              () -> FILES.map(path),
              this::open)) {
        assertThrows(FilterFormatException.class, call, () -> "length " + other);
      }
      assertFalse(isSound(path));
    }
  }

  private static boolean isSound(Path file) {
    try {
      return FILES.verify(file).isSound();
    } catch (IOException e) {
      return false;
    }
  }

  /** A copy that was taken while the file was open is as good as that file after a crash. */
  @Test
  void aCopyOfAnOpenFileIsMappedAndOpened() throws IOException {
    Path copy = folder.resolve("copy.bloom");
    try (LiveFilter live = open()) {
      live.put(1);
      Files.copy(path, copy);
      live.put(2);
    }
    try (MappedFilter mapped = FILES.map(copy)) {
      assertTrue(mapped.mightContain(1));
    }
    FILES.openLive(copy, Duration.ZERO, OpenOptions.shared()).close();
    assertTrue(FILES.open(copy).mightContain(1));
  }

  /** Of the control, whatever byte is wrong: a slot that is torn leaves the state before it. */
  @Test
  void aTornSlotLeavesTheOtherAndOtherDamageIsRefused() throws IOException {
    try (LiveFilter live = open()) {
      live.put(1);
    }
    byte[] whole = Files.readAllBytes(path);
    SplittableRandom random = new SplittableRandom(61);
    int newest = 4096; // of state 3
    // Every byte of the numbers, and some of the zeros behind them.
    for (int at = 0; at < LiveControl.SIZE; at += at % 4096 < 40 ? 1 : 1 + random.nextInt(16)) {
      byte[] torn = whole.clone();
      torn[at] ^= (byte) (1 + random.nextInt(255));
      Files.write(path, torn);
      if (at < newest) {
        assertThrows(FilterFormatException.class, () -> FilterFiles.inspect(path));
      } else {
        assertEquals(at < 2 * newest, FilterFiles.inspect(path).live().orElseThrow().isOpen());
      }
    }
    byte[] both = whole.clone();
    both[newest] ^= 1;
    both[2 * newest] ^= 1;
    Files.write(path, both);
    assertEquals(Reason.DAMAGED, refusal(() -> FilterFiles.inspect(path)));
    assertEquals(Reason.DAMAGED, refusal(() -> FILES.map(path)));
    assertEquals(Reason.DAMAGED, refusal(this::open));
    assertEquals(List.of(), FILES.verify(path).damage().stream().filter(d -> d.to() < 0).toList());
    assertFalse(FILES.verify(path).damage().isEmpty());
  }
}
