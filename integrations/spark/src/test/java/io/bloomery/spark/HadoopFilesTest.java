package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file is replaced as a whole on each kind of file system: a disk, one with a rename that
 * replaces, as HDFS, and one without, as object stores.
 */
class HadoopFilesTest {

  @TempDir private java.nio.file.Path folder;

  /** The folders of this machine under another scheme, where nothing knows a rename of it. */
  public static class Objects extends RawLocalFileSystem {
    @Override
    public String getScheme() {
      return "objects";
    }

    @Override
    public URI getUri() {
      return URI.create(getScheme() + ":///");
    }
  }

  /** The same, where renaming fails. */
  public static final class Stuck extends Objects {
    @Override
    public String getScheme() {
      return "stuck";
    }

    @Override
    public boolean rename(Path from, Path to) {
      return false;
    }
  }

  /** The same, with what a rename that replaces is found by. */
  public static final class Renaming extends Objects {
    @Override
    public String getScheme() {
      return "renaming";
    }
  }

  /** Finds {@link Renaming}, and replaces in one step. */
  public static final class RenamingContext extends DelegateToFileSystem {

    private static final AtomicInteger REPLACED = new AtomicInteger();

    public RenamingContext(URI uri, Configuration configuration)
        throws IOException, URISyntaxException {
      super(uri, new Renaming(), configuration, "renaming", false);
    }

    @Override
    public int getUriDefaultPort() {
      return -1;
    }

    @Override
    public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
      assertTrue(overwrite);
      Files.move(
          java.nio.file.Path.of(from.toUri().getPath()),
          java.nio.file.Path.of(to.toUri().getPath()),
          StandardCopyOption.ATOMIC_MOVE);
      REPLACED.incrementAndGet();
    }
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.setClass("fs.objects.impl", Objects.class, Objects.class);
    configuration.setClass("fs.stuck.impl", Stuck.class, Objects.class);
    configuration.setClass("fs.renaming.impl", Renaming.class, Objects.class);
    configuration.setClass(
        "fs.AbstractFileSystem.renaming.impl", RenamingContext.class, RenamingContext.class);
    return configuration;
  }

  private String name(String scheme) {
    return scheme + "://" + folder.resolve("seen.bloom");
  }

  private static void replace(String name, String content) throws IOException {
    HadoopFiles.replace(
        name, configuration(), out -> out.write(content.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> files() throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "objects", "renaming", "stuck"})
  void aContentThatFailsLeavesWhatWasThere(String scheme) throws IOException {
    Files.writeString(folder.resolve("seen.bloom"), "before");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                HadoopFiles.replace(
                    name(scheme),
                    configuration(),
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("no more");
                    }));
    assertEquals("no more", thrown.getMessage());
    assertEquals("before", Files.readString(folder.resolve("seen.bloom")));
    assertEquals(List.of("seen.bloom"), files());
  }

  @Test
  void aLiveFilterThatIsOpenIsNotReplaced() throws IOException {
    java.nio.file.Path file = folder.resolve("seen.bloom");
    try (LiveBloomFilter<String> live = Bloomery.strings().expect(100).openOrCreate(file)) {
      byte[] before = Files.readAllBytes(file);
      IOException thrown =
          assertThrows(FileAlreadyExistsException.class, () -> replace(name("file"), "new"));
      assertTrue(thrown.getMessage().contains("seen.bloom must not be"), thrown.getMessage());
      assertArrayEquals(before, Files.readAllBytes(file));
      assertEquals(List.of(), files().stream().filter(each -> each.endsWith(".tmp")).toList());
      assertTrue(live.put("a"));
    }
    replace(name("file"), "new");
    assertEquals("new", Files.readString(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "objects", "renaming"})
  void aFileIsMadeAndReplaced(String scheme) throws IOException {
    int before = RenamingContext.REPLACED.get();
    for (String content : List.of("first", "second")) {
      replace(name(scheme), content);
      assertEquals(content, Files.readString(folder.resolve("seen.bloom")));
      assertEquals(List.of("seen.bloom"), files());
    }
    int inOneStep = RenamingContext.REPLACED.get() - before;
    assertEquals(scheme.equals("renaming") ? 2 : 0, inOneStep);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "objects", "renaming"})
  void aFolderIsNotReplaced(String scheme) throws IOException {
    Files.createDirectory(folder.resolve("seen.bloom"));
    assertThrows(FileAlreadyExistsException.class, () -> replace(name(scheme), "new"));
    assertEquals(List.of("seen.bloom"), files());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatCouldNotBeRenamedIsKept(boolean replaces) throws IOException {
    if (replaces) {
      Files.writeString(folder.resolve("seen.bloom"), "before");
    }
    IOException thrown = assertThrows(IOException.class, () -> replace(name("stuck"), "after"));
    List<String> kept = files();
    assertEquals(1, kept.size(), kept::toString);
    assertTrue(thrown.getMessage().contains(kept.get(0)), thrown::getMessage);
    assertEquals("after", Files.readString(folder.resolve(kept.get(0))));
  }
}
