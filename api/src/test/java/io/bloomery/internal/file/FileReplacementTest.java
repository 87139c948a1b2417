package io.bloomery.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileReplacementTest {

  private static final long PAUSE_NANOS = 300_000;

  private static final String NOBODY = "65534";

  @TempDir private Path folder;

  private static void write(Path path, String content) throws IOException {
    FileReplacement.replace(path, out -> out.write(content.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor(), command[0]);
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  private static String refusal(Path path) {
    return assertThrows(FileSystemException.class, () -> write(path, "new")).getMessage();
  }

  @Test
  void aNewFileReplacesNone() throws Exception {
    Path path = folder.resolve("new");
    FileReplacement.create(path, out -> out.write(1));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(path));
    assertThrows(
        FileAlreadyExistsException.class, () -> FileReplacement.create(path, out -> out.write(2)));
    Path late = folder.resolve("late");
    assertThrows(
        FileAlreadyExistsException.class,
        () -> FileReplacement.create(late, out -> Files.write(late, new byte[] {3})));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(path));
    assertArrayEquals(new byte[] {3}, Files.readAllBytes(late));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("behind"));
    FileReplacement.create(folder.resolve("link"), out -> out.write(4));
    assertArrayEquals(new byte[] {4}, Files.readAllBytes(folder.resolve("behind")));
    assertEquals(List.of("behind", "late", "link", "new"), names());
  }

  @Test
  void aPipeIsRefusedAndStaysOne() throws Exception {
    Path pipe = folder.resolve("pipe");
    run("mkfifo", pipe.toString());
    Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
    for (Path path : List.of(pipe, link)) {
      assertEquals(
          path
              + ": is not a regular file, as devices and pipes are not, and cannot be replaced;"
              + " write to a stream instead",
          refusal(path));
    }
    assertTrue(Files.readAttributes(pipe, PosixFileAttributes.class).isOther());
    assertEquals(List.of("link", "pipe"), names());
  }

  @Test
  void aDeviceIsRefusedAndStaysOne() throws Exception {
    assumeTrue(isRoot(), "only root makes devices");
    Path device = folder.resolve("null");
    run("mknod", device.toString(), "c", "1", "3");
    refusal(device);
    assertTrue(Files.readAttributes(device, PosixFileAttributes.class).isOther());
    assertEquals(List.of("null"), names());
  }

  @Test
  void aPathInAnArchiveIsRefusedAndNothingIsMadeThere() throws IOException {
    URI zip = URI.create("jar:" + folder.resolve("archive.zip").toUri());
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path file = archive.getPath("/file");
      String reason =
          ": must be on a file system that locks and renames files, but is on that of 'jar:'; save"
              + " it elsewhere, or write to a stream";
      assertEquals(file + reason, refusal(file));
      Files.writeString(file, "old");
      assertEquals(file + reason, refusal(file));
      FileSystemException locked =
          assertThrows(FileSystemException.class, () -> LockedFile.open(file, Duration.ZERO));
      assertEquals(file + reason, locked.getMessage());
      try (FileInput in = FileInput.of(file)) {
        assertEquals("old", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
      try (Stream<Path> paths = Files.list(archive.getPath("/"))) {
        assertEquals(List.of(file), paths.toList());
      }
    }
  }

  @Test
  void aPathInTheRunTimeImageIsRefused() {
    Path file = Path.of(URI.create("jrt:/java.base/java/lang/Object.class"));
    assertTrue(refusal(file).contains("is on that of 'jrt:'"), () -> refusal(file));
    FileSystemException read =
        assertThrows(FileSystemException.class, () -> FileInput.of(file).close());
    assertTrue(read.getMessage().endsWith("; read it as a stream"), read.getMessage());
  }

  @Test
  void aFolderIsRefused() {
    assertEquals(folder + ": is a directory", refusal(folder));
  }

  @Test
  void aLinkIsWrittenThroughAlsoToWhereNothingIs() throws IOException {
    Path deep = Files.createDirectory(folder.resolve("deep"));
    Path first = Files.createSymbolicLink(folder.resolve("first"), Path.of("deep/second"));
    Path second = Files.createSymbolicLink(deep.resolve("second"), Path.of("../deep/file"));
    for (String content : List.of("one", "two")) {
      write(first, content);
      assertTrue(Files.isSymbolicLink(first) && Files.isSymbolicLink(second));
      assertEquals(content, Files.readString(deep.resolve("file")));
      assertFalse(Files.isSymbolicLink(deep.resolve("file")));
    }
  }

  @Test
  void linksThatLeadToEachOtherAreRefused() throws IOException {
    Path one = folder.resolve("one");
    Files.createSymbolicLink(one, Path.of("other"));
    Files.createSymbolicLink(folder.resolve("other"), Path.of("one"));
    assertThrows(FileSystemLoopException.class, () -> write(one, "new"));
    assertEquals(List.of("one", "other"), names());
  }

  @Test
  void aLinkOfAnotherUserInAStickyFolderIsNotFollowed() throws Exception {
    assumeTrue(isRoot(), "only root makes files of others");
    Path target = Files.writeString(folder.resolve("precious"), "old");
    Path sticky = Files.createDirectory(folder.resolve("tmp"));
    run("chmod", "1777", sticky.toString());
    Path others = Files.createSymbolicLink(sticky.resolve("others"), target);
    run("chown", "-h", NOBODY, others.toString());
    assertTrue(refusal(others).contains("is a link of another user"), () -> refusal(others));
    Path dangling = Files.createSymbolicLink(sticky.resolve("dangling"), folder.resolve("none"));
    run("chown", "-h", NOBODY, dangling.toString());
    assertTrue(refusal(dangling).contains("is a link of another user"));
    assertEquals("old", Files.readString(target));
    assertEquals(List.of("precious", "tmp"), names());
    Path own = Files.createSymbolicLink(sticky.resolve("own"), target);
    write(own, "new");
    assertEquals("new", Files.readString(target));
    // The owner of the folder may do there as he likes.
    run("chown", NOBODY, sticky.toString());
    write(others, "newer");
    assertEquals("newer", Files.readString(target));
  }

  /** Returns the permissions of what is being written, before its first byte and after. */
  private List<String> permissionsWhileWriting(Path path) throws IOException {
    List<String> permissions = new ArrayList<>();
    FileReplacement.replace(
        path,
        out -> {
          permissions.add(permissionsOfUnfinished());
          out.write(1);
          permissions.add(permissionsOfUnfinished());
        });
    return permissions;
  }

  private String permissionsOfUnfinished() throws IOException {
    String name = names().stream().filter(each -> each.endsWith(".tmp")).findFirst().orElseThrow();
    return permissions(folder.resolve(name));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "rw-r-----", "r--r--r--", "rw-rw-rw-", "rwx--x--x"})
  void nobodyReadsWhatIsWrittenWhoMayNotReadTheFile(String permissions) throws IOException {
    Path path = Files.writeString(folder.resolve("file"), "old");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    // Its owner may, so that it can be opened again after an interrupt.
    String meanwhile = "rw" + permissions.substring(2);
    assertEquals(List.of(meanwhile, meanwhile), permissionsWhileWriting(path));
    assertEquals(permissions, permissions(path));
  }

  @Test
  void aNewFileHasThePermissionsThatNewFilesHave() throws IOException {
    String usual = permissions(Files.createFile(folder.resolve("usual")));
    assertEquals(List.of(usual, usual), permissionsWhileWriting(folder.resolve("file")));
    assertEquals(usual, permissions(folder.resolve("file")));
  }

  @Test
  void ownerAndGroupStayWhereTheSystemLetsThem() throws Exception {
    assumeTrue(isRoot(), "only root gives files away");
    Path path = Files.writeString(folder.resolve("file"), "old");
    run("chown", NOBODY + ":" + NOBODY, path.toString());
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    PosixFileAttributes before = Files.readAttributes(path, PosixFileAttributes.class);
    write(path, "new");
    PosixFileAttributes after = Files.readAttributes(path, PosixFileAttributes.class);
    assertEquals(before.owner(), after.owner());
    assertEquals(before.group(), after.group());
    assertEquals(before.permissions(), after.permissions());
    assertEquals("new", Files.readString(path));
  }

  @Test
  void otherNamesOfTheFileKeepTheOldContent() throws IOException {
    Path path = Files.writeString(folder.resolve("file"), "old");
    Path other = Files.createLink(folder.resolve("other"), path);
    write(path, "new");
    assertEquals("new", Files.readString(path));
    assertEquals("old", Files.readString(other));
  }

  @Test
  void anInterruptedThreadWritesAndStaysInterrupted() throws IOException {
    Path path = folder.resolve("file");
    Thread.currentThread().interrupt();
    try {
      write(path, "new");
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertEquals("new", Files.readString(path));
    assertEquals(List.of("file"), names());
  }

  /** Hundreds of interrupts, wherever they fall. */
  @Test
  void interruptsWhileItWritesChangeNothing() throws IOException {
    byte[] content = new byte[8 << 20];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * 31 + (i >>> 16));
    }
    Path path = folder.resolve("file");
    Thread writer = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    Thread interrupter =
        new Thread(
            () -> {
              while (!done.get()) {
                writer.interrupt();
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            });
    interrupter.start();
    try {
      for (int i = 0; i < 3; i++) {
        FileReplacement.replace(path, out -> writeInParts(content, out));
        try (FileInput in = FileInput.of(path)) {
          assertArrayEquals(content, in.readAllBytes());
        }
      }
    } finally {
      done.set(true);
      assertTrue(Thread.interrupted() || interrupter.isAlive());
      awaitEnd(interrupter);
    }
    assertEquals(List.of("file"), names());
  }

  private static void awaitEnd(Thread interrupter) {
    while (interrupter.isAlive()) {
      Thread.interrupted();
      Thread.onSpinWait();
    }
    Thread.interrupted();
  }

  private static void writeInParts(byte[] content, OutputStream out) throws IOException {
    for (int at = 0, some; at < content.length; at += some) {
      some = Math.min(content.length - at, 1 + (at * 7 & 0x3ffff));
      out.write(content, at, some);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\u00e4", "\u6f22"})
  void namesMayBeAsLongAsTheFileSystemLetsThem(String letter) throws IOException {
    int bytes = letter.getBytes(StandardCharsets.UTF_8).length;
    for (int length : List.of(80, 81, 216, 217, 255)) {
      Path path = folder.resolve(letter.repeat(length / bytes));
      write(path, "new");
      write(path, "newer");
      assertEquals("newer", Files.readString(path));
      Files.delete(path);
      assertEquals(List.of(), names());
    }
  }

  @Test
  void aFolderThatIsMissingIsNamed() {
    Path missing = folder.resolve("no/such");
    NoSuchFileException e =
        assertThrows(NoSuchFileException.class, () -> write(missing.resolve("file"), "new"));
    assertEquals(
        missing + ": no such folder; make it, or name a file in another one", e.getMessage());
  }

  @Test
  void whatMustHoldIsLookedAtBeforeTheFileIsReplaced() throws IOException {
    Path path = Files.writeString(folder.resolve("file"), "old");
    IOException no = new IOException("no");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                FileReplacement.replace(
                    path.toAbsolutePath(),
                    LockFile.of(path),
                    out -> out.write(1),
                    () -> {
                      throw no;
                    }));
    assertEquals(no, thrown);
    assertEquals("old", Files.readString(path, StandardCharsets.UTF_8));
    assertTrue(Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS));
    assertEquals(List.of("file"), names());
  }
}
