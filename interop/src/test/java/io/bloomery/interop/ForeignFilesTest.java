package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilterView;
import io.bloomery.file.FilterLockedException;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters in files: written, replaced, and changed in turns. */
class ForeignFilesTest {

  private static final ItemEncoding<CharSequence> UTF_8 = ItemEncoding.utf8();

  @TempDir private Path folder;

  private static ForeignFilter filter(ForeignFormat format) {
    return format.create(100, ForeignFilters.rate(format));
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileIsReadAsItWasWritten(ForeignFormat format) throws IOException {
    Path file = folder.resolve("filter");
    ForeignFilter filter = filter(format);
    filter.put("one", UTF_8);
    filter.write(file);
    assertArrayEquals(filter.toBytes(), Files.readAllBytes(file));
    ForeignFilter read = format.read(file);
    assertEquals(format, read.format());
    assertTrue(read.view(UTF_8).mightContain("one"));
    assertArrayEquals(filter.toBytes(), read.toBytes());
    assertEquals(List.of("filter"), files());
  }

  @Test
  void aLinkStaysALinkAndPermissionsStayAsTheyAre() throws IOException {
    Path file = folder.resolve("filter");
    filter(ForeignFormat.GUAVA).write(file);
    Files.setPosixFilePermissions(
        file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("filter"));
    ForeignFilter other = filter(ForeignFormat.GUAVA);
    other.put("one", UTF_8);
    other.write(link);
    assertTrue(Files.isSymbolicLink(link));
    assertArrayEquals(other.toBytes(), Files.readAllBytes(file));
    assertEquals(
        "rw-r-----",
        java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void whatCannotBeReplacedIsRefusedAndLeftAlone() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("folder")).resolve("inside");
    Files.writeString(inside, "x");
    assertThrows(
        FileSystemException.class,
        () -> filter(ForeignFormat.GUAVA).write(folder.resolve("folder")));
    assertEquals("x", Files.readString(inside));
    assertThrows(IOException.class, () -> ForeignFormat.GUAVA.read(folder.resolve("folder")));
  }

  @Test
  void aFileOfMoreThanTheFilterIsRefusedByItsName() throws IOException {
    Path file = folder.resolve("filter");
    byte[] bytes = filter(ForeignFormat.GUAVA).toBytes();
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length + 1));
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> ForeignFormat.GUAVA.read(file));
    assertTrue(refusal.getMessage().startsWith(file.toString()), refusal::getMessage);
    assertEquals(bytes.length, refusal.offset());
    refusal =
        assertThrows(
            FilterFormatException.class, () -> ForeignFormat.GUAVA.update(file, Duration.ZERO));
    assertTrue(refusal.getMessage().startsWith(file.toString()), refusal::getMessage);
    // Not locked any more.
    filter(ForeignFormat.GUAVA).write(file);
    ForeignFormat.GUAVA.update(file, Duration.ZERO).close();
  }

  @Test
  void updatesTakeTurnsAndLoseNoKey() throws Exception {
    Path file = folder.resolve("filter");
    ForeignFormat.SPARK_V2.create(10_000, 0.0001).write(file);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String key = "key-" + i;
        ends.add(
            threads.submit(
                () -> {
                  try (ForeignUpdate update =
                      ForeignFormat.SPARK_V2.update(file, Duration.ofMinutes(1))) {
                    update.filter().put(key, UTF_8);
                    update.save();
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    BloomFilterView<CharSequence> view = ForeignFormat.SPARK_V2.read(file).view(UTF_8);
    for (int i = 0; i < 40; i++) {
      assertTrue(view.mightContain("key-" + i), "key-" + i);
    }
    assertEquals(List.of("filter"), files());
  }

  @Test
  void whoeverDoesNotWaitIsToldAndWhatIsNotSavedIsForgotten() throws IOException {
    Path file = folder.resolve("filter");
    filter(ForeignFormat.DCSO).write(file);
    byte[] before = Files.readAllBytes(file);
    ForeignUpdate update = ForeignFormat.DCSO.update(file, Duration.ZERO);
    assertThrows(FilterLockedException.class, () -> ForeignFormat.DCSO.update(file, Duration.ZERO));
    update.filter().put("one", UTF_8);
    update.close();
    update.close();
    assertThrows(IllegalStateException.class, update::save);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void aFileThatItsSystemReplacedMeanwhileIsNotOverwritten() throws IOException {
    Path file = folder.resolve("filter");
    filter(ForeignFormat.DCSO).write(file);
    try (ForeignUpdate update = ForeignFormat.DCSO.update(file, Duration.ZERO)) {
      Path other = Files.write(folder.resolve("other"), new byte[] {1, 2, 3});
      Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      assertThrows(FileSystemException.class, update::save);
    }
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(file));
  }

  @Test
  void theEmptyFileOfCassandra5MayHaveEveryKey() throws IOException {
    Path file = Files.createFile(folder.resolve("nc-1-big-Filter.db"));
    ForeignFilter all = ForeignFormat.CASSANDRA_4.read(file);
    assertTrue(all.view(UTF_8).mightContain("anything"));
    assertTrue(all.view(ItemEncoding.bytes()).mightContain(new byte[0]));
    assertFalse(all.put("anything", UTF_8));
    assertEquals(1.0, all.stats().falsePositiveRate());
    assertTrue(all.stats().approximateKeys().isEmpty());
    assertEquals("cassandra-4: no bytes, so that every key may be there", all.layout());
    assertArrayEquals(new byte[0], all.toBytes());
    assertThrows(IllegalArgumentException.class, () -> all.as(ForeignFormat.CASSANDRA_3));
    for (ForeignFormat format : ForeignFormat.values()) {
      if (format != ForeignFormat.CASSANDRA_4) {
        assertThrows(FilterFormatException.class, () -> format.read(file), format::id);
      }
    }
  }

  @Test
  void aFilterOfGuavaSaysWhichStrategyItHas() throws IOException {
    for (ForeignFormat made : List.of(ForeignFormat.GUAVA, ForeignFormat.GUAVA_MITZ_32)) {
      for (ForeignFormat named : List.of(ForeignFormat.GUAVA, ForeignFormat.GUAVA_MITZ_32)) {
        ForeignFilter read = named.read(filter(made).toBytes());
        assertEquals(made, read.format());
        assertEquals(made == ForeignFormat.GUAVA ? 1 : 0, read.toBytes()[0]);
      }
    }
  }
}
