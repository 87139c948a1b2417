package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MiscountingFilter;
import io.bloomery.fixture.PlainProvider;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterFileTest {

  @TempDir Path folder;

  private final Bloomery bloomery = Bloomery.with(new PlainProvider());

  private Filter filter(long keys) {
    return bloomery.providers().get("plain").create(FilterSpec.of(keys, 0.01), ThreadMode.SHARED);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aSavedFilterOpensAgain() throws IOException {
    Filter filter = filter(1_000);
    filter.put(42);
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(filter, path);
    assertEquals(FilterFiles.serializedSize(filter), Files.size(path));
    Filter again = bloomery.files().open(path, OpenOptions.confined());
    assertTrue(again.mightContain(42));
    assertEquals(filter.stats(), again.stats());
    assertEquals(List.of("seen.bloom"), names());
  }

  @Test
  void savingReplacesTheFileAndKeepsItsPermissions() throws IOException {
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(filter(1_000), path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    FilterFiles.save(filter(2_000), path);
    assertEquals(2_000, bloomery.files().open(path).spec().expectedKeys());
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(filter(1_000), path);
    Path link = Files.createSymbolicLink(folder.resolve("link"), path.getFileName());
    FilterFiles.save(filter(2_000), link);
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(2_000, bloomery.files().open(path).spec().expectedKeys());
  }

  @Test
  void aFilterThatFailsWhileItIsSavedLeavesTheOldFileAndNothingElse() throws IOException {
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(filter(1_000), path);
    byte[] before = Files.readAllBytes(path);
    Filter failing = new MiscountingFilter(filter(10), 1 << 20, 3);
    assertThrows(IllegalStateException.class, () -> FilterFiles.save(failing, path));
    assertArrayEquals(before, Files.readAllBytes(path));
    assertEquals(List.of("seen.bloom"), names());
  }

  @Test
  void aFolderThatIsMissingOrIsTheTargetIsRefused() throws IOException {
    Path missing = folder.resolve("no/such/folder/seen.bloom");
    assertThrows(NoSuchFileException.class, () -> FilterFiles.save(filter(10), missing));
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> FilterFiles.save(filter(10), folder));
    assertEquals(folder + ": is a directory", e.getMessage());
    assertEquals(List.of(), names());
  }

  @Test
  void whatCannotBeOpenedIsNamed() throws IOException {
    Path missing = folder.resolve("missing.bloom");
    assertThrows(NoSuchFileException.class, () -> bloomery.files().open(missing));
    FileSystemException directory =
        assertThrows(FileSystemException.class, () -> bloomery.files().open(folder));
    assertEquals(
        folder + ": is a directory, not a filter; name the files in it", directory.getMessage());
    Path foreign = Files.writeString(folder.resolve("words.txt"), "one\ntwo\nthree\nfour\nfive\n");
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> bloomery.files().open(foreign));
    assertEquals(
        foreign + ": byte 0: not a Bloomery filter: it must start with 'BLOOMERY'", e.getMessage());
    assertEquals(0, e.offset());
  }

  @Test
  void aFileInTheWorkingFolderNeedsNoFolderInItsName() throws IOException {
    Path name = Path.of("file-test-" + ProcessHandle.current().pid() + ".bloom");
    try {
      FilterFiles.save(filter(10), name);
      bloomery.files().open(name);
    } finally {
      Files.deleteIfExists(name);
    }
  }
}
