package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.scalable.ScalableProvider;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards whose filter lives in a folder. */
class GuardFolderTest {

  private static final int KEYS = 1_000;

  @TempDir Path temporary;

  private final MemorySource table = MemorySource.of("key-", KEYS);
  private CountDownLatch mayBeRead = new CountDownLatch(0);
  private Path folder = Path.of("");
  private final Log log = new Log();

  @BeforeEach
  void nameFolder() {
    folder = temporary.resolve("a").resolve("guard");
  }

  @AfterEach
  void endAll() {
    unblockSource();
    log.close();
  }

  private static FilterBuilder<String> filter() {
    return Bloomery.strings().expect(KEYS).fpp(1e-6);
  }

  private GuardBuilder<String, String> builder(FilterBuilder<String> filter) {
    return Guard.builder(filter, table).pause(Guards.LONG).liveIn(folder);
  }

  private GuardBuilder<String, String> builder() {
    return builder(filter());
  }

  /** Lets a guard fill its filter, and closes it. */
  private void fill() throws Exception {
    Guards.ready(builder()).close();
  }

  private void blockSource() {
    CountDownLatch latch = new CountDownLatch(1);
    mayBeRead = latch;
    table.onKeys = () -> Guards.await(latch);
  }

  private void unblockSource() {
    table.onKeys = () -> {};
    mayBeRead.countDown();
  }

  private List<Path> filters() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "filter-*")) {
      List<Path> all = new ArrayList<>();
      files.forEach(all::add);
      return all;
    }
  }

  private Path onlyFilter() throws IOException {
    List<Path> all = filters();
    assertEquals(1, all.size(), all::toString);
    return all.get(0);
  }

  private Path serving() {
    return folder.resolve("serving");
  }

  private static void change(Path file, long at) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      int old = bytes.read();
      bytes.seek(at);
      bytes.write(old ^ 1);
    }
  }

  /** Starts a guard whose source cannot be read yet, and checks that it has all keys. */
  private Guard<String, String> startKept(FilterBuilder<String> filter) {
    blockSource();
    Guard<String, String> guard = builder(filter).build();
    assertTrue(guard.stats().isKept(), log::toString);
    assertEquals(GuardState.REBUILDING, guard.state());
    assertEquals(Optional.empty(), missing(guard));
    return guard;
  }

  private Optional<String> missing(Guard<String, String> guard) {
    return table.rows.keySet().stream().filter(key -> !guard.mightContain(key)).findAny();
  }

  /** Starts a guard, and checks that it serves from no filter, and says why. */
  private void startWithout(FilterBuilder<String> filter, String reason) {
    blockSource();
    long told = log.warnings(reason);
    try (Guard<String, String> guard = builder(filter).build()) {
      assertFalse(guard.stats().isKept());
      assertEquals(GuardState.FILLING, guard.state());
      assertTrue(guard.mightContain("none"));
      assertEquals(told + 1, log.warnings(reason), log::toString);
    }
    // What was written by then is in no filter: one that is started next must not serve from it.
    assertFalse(Files.exists(serving()));
  }

  @Test
  void aFilterServesInTheNextRunUntilItIsRebuilt() throws Exception {
    fill();
    table.insert("by-others");
    blockSource();
    try (Guard<String, String> guard = builder().build()) {
      assertEquals(Optional.of("value of key-1"), guard.get("key-1"));
      assertEquals(Optional.empty(), guard.get("none"));
      assertEquals(Optional.empty(), guard.get("by-others"), "as documented");
      assertEquals(1, table.loads.sum());
      assertTrue(guard.stats().isKept());
      assertTrue(guard.stats().toString().contains("kept by an earlier run"));
      guard.write("mine", () -> table.insert("mine"));
      unblockSource();
      guard.rebuild().join();
      assertFalse(guard.stats().isKept());
      assertTrue(guard.mightContain("by-others"));
      assertTrue(guard.mightContain("mine"));
    }
    onlyFilter();
  }

  @Test
  void aWriteBesideARebuildThatIsNotFinishedIsInTheNextRun() throws Exception {
    fill();
    try (Guard<String, String> guard = startKept(filter())) {
      guard.write("beside", () -> table.insert("beside"));
    }
    onlyFilter();
    startKept(filter()).close();
  }

  @Test
  void aFirstFilterThatIsNotFinishedIsNotKept() throws Exception {
    blockSource();
    builder().build().close();
    assertEquals(List.of(), filters());
    assertFalse(Files.exists(serving()));
    try (Guard<String, String> guard = builder().build()) {
      assertEquals(GuardState.FILLING, guard.state());
    }
  }

  @Test
  void aFilterForOtherNumbersServes() throws Exception {
    fill();
    startKept(Bloomery.strings().expect(5 * KEYS).fpp(0.1).variant(new BlockedProvider())).close();
  }

  /** Whenever it was killed: nobody else writes to its folder. */
  @Test
  void whatAKilledRunLeftIsRemovedByTheNextStart() throws Exception {
    fill();
    List<Path> left =
        Stream.of(
                ".filter-0123456789abcdef.live.bloomery.lock",
                ".filter-0123456789abcdef.live.a-b-0123456789abcdef.bloomery.tmp",
                ".serving.a-b-0123456789abcdef.bloomery.tmp")
            .map(folder::resolve)
            .toList();
    for (Path file : left) {
      Files.createFile(file);
    }
    try (Guard<String, String> guard = startKept(filter())) {
      assertEquals(List.of(), left.stream().filter(Files::exists).toList());
      assertTrue(Files.exists(folder.resolve(".serving.bloomery.lock")));
      unblockSource();
      guard.rebuild().join();
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  private interface Damage {
    void to(Path filter) throws IOException;
  }

  @Test
  void aFilterThatIsGoneOrDamagedOrOfOtherKeysDoesNotServe() throws Exception {
    for (Damage damage :
        List.<Damage>of(Files::delete, GuardFolderTest::cutOff, file -> change(file, 9))) {
      fill();
      damage.to(onlyFilter());
      startWithout(filter(), "cannot be used");
      unblockSource();
    }
    fill();
    startWithout(Bloomery.strings().keyForm(KeyForm.TRIM).expect(KEYS), "cannot be used");
  }

  private static void cutOff(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(bytes.length() - 1);
    }
  }

  @Test
  void aNameThatNoGuardWroteIsNotFollowed() throws Exception {
    fill();
    String good = Files.readString(serving());
    for (String bad :
        List.of("", "x".repeat(1_000), good + "\n", good.replace("filter", "../filter"))) {
      fill();
      Files.writeString(serving(), bad);
      startWithout(filter(), "does not know which filter it kept");
      assertEquals(List.of(), filters());
      unblockSource();
    }
  }

  /** A copy that is taken while the guard runs is as what a loss of power leaves. */
  @Test
  void aFilterThatWasOpenWhenTheSystemEndedDoesNotServe() throws Exception {
    Path open = temporary.resolve("open");
    Files.createDirectories(open);
    try (Guard<String, String> guard = Guards.ready(builder())) {
      for (Path file : List.of(onlyFilter(), serving())) {
        Files.copy(file, open.resolve(file.getFileName()));
      }
      assertTrue(guard.mightContain("key-1"));
    }
    folder = open;
    beforeThisBoot();
    startWithout(filter(), "was not closed, and the system was started again since");
  }

  private void beforeThisBoot() throws IOException {
    String[] line = Files.readString(serving()).split(" ");
    line[3] = "0123456789abcdef";
    Files.writeString(serving(), String.join(" ", line));
  }

  @Test
  void aFilterThatWasClosedServesAfterTheSystemWasStartedAgain() throws Exception {
    fill();
    String before = Files.readString(serving());
    beforeThisBoot();
    startKept(filter()).close();
    assertEquals(before, Files.readString(serving()));
  }

  /** A sealed MiB that does not match its checksum takes no key. */
  @Test
  void aFilterThatLacksAKeyIsForsakenBeforeTheWriteGoesOn() throws Exception {
    fill();
    Path file = onlyFilter();
    change(file, Files.size(file) - KEYS);
    blockSource();
    try (Guard<String, String> guard = builder().build()) {
      assertTrue(guard.stats().isKept());
      guard.write(
          "mine",
          () -> {
            assertFalse(Files.exists(serving()));
            table.insert("mine");
          });
      assertTrue(guard.mightContain("none"), "answered by the source");
      assertTrue(guard.stats().lastError().orElse("").contains("damaged"));
    }
    assertEquals(1, log.warnings("answers without a filter"));
    assertFalse(Files.exists(serving()));
  }

  @Test
  void aWriteWhoseKeyFindsNoPlaceIsRefusedIfTheFilterCannotBeForsaken() throws Exception {
    fill();
    Path file = onlyFilter();
    change(file, Files.size(file) - KEYS);
    blockSource();
    try (Guard<String, String> guard = builder().build()) {
      replaceServingByFolder();
      assertThrows(
          UncheckedIOException.class, () -> guard.write("mine", () -> table.insert("mine")));
      assertFalse(table.rows.containsKey("mine"));
      assertEquals(GuardState.REBUILDING, guard.state());
      assertTrue(guard.stats().lastError().isPresent());
    }
  }

  private void replaceServingByFolder() throws IOException {
    Files.deleteIfExists(serving());
    Files.createDirectories(serving().resolve("b"));
  }

  @Test
  void aRebuildThatCannotBeKeptFailsAndLeavesTheOldFilter() throws Exception {
    try (Guard<String, String> guard = Guards.ready(builder())) {
      Path first = onlyFilter();
      replaceServingByFolder();
      assertThrows(UncheckedIOException.class, () -> Guards.result(guard.rebuild()));
      assertEquals(GuardState.FAILED, guard.state());
      assertFalse(guard.mightContain("none"));
      assertEquals(first, onlyFilter());
      guard.write("mine", () -> table.insert("mine"));
      assertTrue(guard.mightContain("mine"));
    }
  }

  @Test
  void aFolderThatIsRemovedBelowItFailsRebuildsOnly() throws Exception {
    try (Guard<String, String> guard = Guards.ready(builder())) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
      assertThrows(IOException.class, () -> Guards.result(guard.rebuild()));
      guard.write("mine", () -> table.insert("mine"));
      assertTrue(guard.mightContain("mine"));
      assertTrue(guard.mightContain("key-1"));
      assertFalse(guard.mightContain("none"));
    }
    assertEquals(1, log.warnings("could not close its filter"), log::toString);
  }

  @Test
  void aFolderThatTakesThePlaceOfItsOwnIsNotTouched() throws Exception {
    Path serving = folder.resolve("serving");
    try (Guard<String, String> guard = Guards.ready(builder())) {
      Files.move(folder, temporary.resolve("moved"));
      Files.createDirectories(folder);
      Files.writeString(serving, "another's", StandardCharsets.US_ASCII);
      IOException refused = assertThrows(IOException.class, () -> Guards.result(guard.rebuild()));
      assertTrue(refused.getMessage().contains("removed, renamed or replaced"));
      guard.write("mine", () -> table.insert("mine"));
      assertTrue(guard.mightContain("mine"));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(serving), files.toList());
    }
    assertEquals("another's", Files.readString(serving));
  }

  @Test
  void leftoversAreRemovedAndNothingElseIs() throws Exception {
    fill();
    Path filter = onlyFilter();
    Files.copy(filter, folder.resolve("filter-0000000000000000.live"));
    Files.writeString(folder.resolve("notes.txt"), "mine", StandardCharsets.US_ASCII);
    try (Guard<String, String> guard = startKept(filter())) {
      assertTrue(guard.mightContain("key-1"));
      assertTrue(Files.exists(filter));
      assertFalse(Files.exists(folder.resolve("filter-0000000000000000.live")));
      assertTrue(Files.exists(folder.resolve("notes.txt")));
    }
  }

  @Test
  void aFolderBelongsToOneGuard() throws Exception {
    Guard<String, String> guard = Guards.ready(builder());
    UncheckedIOException inUse = assertThrows(UncheckedIOException.class, () -> builder().build());
    assertTrue(inUse.getMessage().contains("give each guard and each process a folder of its own"));
    guard.close();
    startKept(filter()).close();
  }

  @Test
  void aSourceThatGrewIsKeptInItsLargerFilter() throws Exception {
    try (Guard<String, String> guard =
        Guards.ready(builder(Bloomery.strings().expect(10).fpp(1e-6)))) {
      guard.rebuild().join();
    }
    onlyFilter();
    try (Guard<String, String> guard = startKept(filter())) {
      assertFalse(IntStream.range(0, 1_000).anyMatch(i -> guard.mightContain("none-" + i)));
    }
  }

  @Test
  void aFolderThatCannotBeUsedIsRefused() throws Exception {
    Files.createDirectories(folder.getParent());
    Files.writeString(folder, "a file");
    assertThrows(UncheckedIOException.class, () -> builder().build());
  }

  @Test
  void aGuardThatCannotStartLeavesTheFolderFree() throws Exception {
    replaceServingByFolder();
    for (int i = 0; i < 2; i++) {
      UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> builder().build());
      assertTrue(e.getMessage().contains("is a directory"), e::toString);
    }
    Files.delete(serving().resolve("b"));
    Files.delete(serving());
    fill();
    startKept(filter()).close();
  }

  @Test
  void aGuardThatIsCollectedFreesItsFolder() throws Exception {
    startAndForget();
    blockSource();
    Guards.await(
        "the folder is free",
        () -> {
          System.gc();
          try (Guard<String, String> next = builder().build()) {
            return next.stats().isKept();
          } catch (UncheckedIOException e) {
            return false;
          }
        });
  }

  private void startAndForget() throws Exception {
    Guard<String, String> forgotten = Guards.ready(builder());
    forgotten.write("mine", () -> table.insert("mine"));
  }

  @Test
  void filtersThatDoNotLiveInFilesAreRefused() {
    IllegalArgumentException variant =
        assertThrows(
            IllegalArgumentException.class,
            () -> builder(filter().variant(new ScalableProvider())).build());
    assertTrue(variant.getMessage().contains("lives in its file"), variant::toString);
    IllegalArgumentException removing =
        assertThrows(
            IllegalArgumentException.class,
            () -> builder(filter().fpp(0.01)).removeDeleted().build());
    assertTrue(removing.getMessage().contains("liveIn"), removing::toString);
    assertFalse(Files.exists(folder));
  }

  /** Each write whose action ran has its key in the file that is closed beside it. */
  @Test
  void closingLosesNoWriteThatWentOn() throws Exception {
    for (int round = 0; round < 20; round++) {
      Guard<String, String> guard = Guards.ready(builder());
      CountDownLatch started = new CountDownLatch(2);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        String prefix = round + "-" + i + "-";
        writers.add(new Thread(() -> writeUntilClosed(guard, prefix, started)));
      }
      writers.forEach(Thread::start);
      Guards.await(started);
      guard.close();
      for (Thread writer : writers) {
        writer.join();
      }
      blockSource();
      try (Guard<String, String> next = builder().build()) {
        assertTrue(next.stats().isKept());
        assertEquals(Optional.empty(), missing(next));
      }
      unblockSource();
    }
  }

  private void writeUntilClosed(
      Guard<String, String> guard, String prefix, CountDownLatch started) {
    try {
      for (int i = 0; ; i++) {
        String key = prefix + i;
        guard.write(key, () -> table.insert(key));
        started.countDown();
      }
    } catch (IllegalStateException e) {
      // It was closed.
    }
  }
}
