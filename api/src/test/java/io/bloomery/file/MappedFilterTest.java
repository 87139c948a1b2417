package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.MappedBloomFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.spi.Probes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedFilterTest {

  private static final FilterProvider PROVIDER = new MappingProvider();

  private final Bloomery bloomery = Bloomery.with(PROVIDER);

  @TempDir Path folder;

  private static Filter filled(FilterProvider provider, int keys) {
    Filter filter = provider.create(FilterSpec.of(keys, 0.01), ThreadMode.SHARED);
    long[] hashes = hashes(1, keys);
    filter.putAll(hashes, 0, keys);
    return filter;
  }

  private static long[] hashes(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private Path save(Filter filter) throws IOException {
    Path path = folder.resolve("seen.bloom");
    FilterFiles.save(filter, path);
    return path;
  }

  private static void assertAnswersAs(Filter filter, FilterView view, int keys) {
    long[] asked = Arrays.copyOf(hashes(1, keys), 3 * keys);
    System.arraycopy(hashes(2, 2 * keys), 0, asked, keys, 2 * keys);
    for (long hash : asked) {
      assertEquals(filter.mightContain(hash), view.mightContain(hash), () -> "hash " + hash);
    }
    int[] expected = new int[asked.length];
    int[] found = new int[asked.length];
    int count = filter.select(asked, 1, asked.length, expected);
    assertEquals(count, view.select(asked, 1, asked.length, found));
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(found, count));
    assertEquals(filter.stats(), view.stats());
  }

  @Test
  void aMappedFilterIsTheSavedOne() throws IOException {
    Filter filter = filled(PROVIDER, 5_000);
    try (MappedFilter mapped = bloomery.files().map(save(filter))) {
      assertAnswersAs(filter, mapped, 5_000);
      assertEquals(filter.spec(), mapped.spec());
      assertEquals(filter.variant(), mapped.variant());
      assertEquals(filter.layout(), mapped.layout());
      assertTrue(mapped.verify().isSound());
    }
  }

  @Test
  void aVariantThatCannotMapAnswersFromMemory() throws IOException {
    Filter filter = filled(new PlainProvider(), 5_000);
    try (MappedFilter mapped = Bloomery.with(new PlainProvider()).files().map(save(filter))) {
      assertAnswersAs(filter, mapped, 5_000);
      assertTrue(mapped.verify().isSound());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 700, 50_000})
  void segmentsMakeNoDifference(int keys) throws IOException {
    for (FilterProvider provider : List.of(PROVIDER, new PlainProvider())) {
      Filter filter = filled(provider, keys);
      Path path = save(filter);
      for (int segment = 64; segment <= 1 << 16; segment *= 4) {
        try (MappedFilter mapped = MappedFile.map(path, opening(provider), segment)) {
          assertAnswersAs(filter, mapped, keys);
          assertTrue(mapped.verify().isSound());
        }
      }
    }
  }

  private static Opening opening(FilterProvider provider) {
    return new Opening(FilterProviders.of(provider), OpenOptions.shared());
  }

  /** Takes words in turns by reading and by mapping, as a variant of several tables does. */
  private static final class InTurns extends PlainProvider {

    private final List<Long> words = new ArrayList<>();
    private int maxLength;

    @Override
    public FilterView map(FilterSpec spec, FilterLayout numbers, PayloadInput in)
        throws IOException {
      long left = in.size() / Long.BYTES;
      for (long step = 1; left > 0; step = Math.min(left, 3 * step + 1)) {
        left -= step;
        for (long word : in.readLongs(step)) {
          words.add(word);
        }
        step = Math.min(left, step);
        if (step > 0) {
          left -= step;
          LongBuffer[] buffers = in.mapLongs(step);
          for (int j = 0; j < buffers.length; j++) {
            LongBuffer buffer = buffers[j];
            assertTrue(buffer.limit() == maxLength || j == buffers.length - 1);
            assertTrue(buffer.limit() <= maxLength);
            assertTrue(buffer.isReadOnly());
            for (int i = 0; i < buffer.limit(); i++) {
              words.add(buffer.get(i));
            }
          }
        }
      }
      assertThrows(FilterFormatException.class, () -> in.mapLongs(1));
      assertThrows(FilterFormatException.class, () -> in.readLongs(1));
      assertThrows(FilterFormatException.class, () -> in.mapLongs(0));
      return new PlainProvider().create(spec, ThreadMode.SHARED);
    }
  }

  @Test
  void everyTableBeginsWithASegmentOfItsOwn() throws IOException {
    Filter filter = filled(new PlainProvider(), 2_000);
    Path path = save(filter);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    List<Long> written = new ArrayList<>();
    for (long i = 0; i < filter.payloadSize(); i += Long.BYTES) {
      written.add(bytes.getLong((int) (bytes.getShort(10) + i)));
    }
    for (int segment = 64; segment <= 4_096; segment *= 2) {
      InTurns provider = new InTurns();
      provider.maxLength = segment / Long.BYTES;
      MappedFile.map(path, opening(provider), segment).close();
      assertEquals(written, provider.words);
    }
  }

  @Test
  void afterCloseEveryQuestionThrows() throws IOException {
    Path path = save(filled(PROVIDER, 10));
    MappedFilter mapped = bloomery.files().map(path);
    mapped.close();
    mapped.close();
    List<Executable> questions =
        List.of(
            () -> mapped.mightContain(1),
            () -> mapped.select(new long[1], 0, 1, new int[1]),
            mapped::stats,
            mapped::verify);
    for (Executable question : questions) {
      FilterUnavailableException e = assertThrows(FilterUnavailableException.class, question);
      assertEquals(
          "the filter mapped from " + path + " was closed; map the file again to ask it",
          e.getMessage());
    }
    assertEquals(10, mapped.spec().expectedKeys());
    assertEquals("plain", mapped.variant());
    assertFalse(mapped.layout().toMap().isEmpty());
    assertNotNull(mapped.toString());
  }

  @Test
  void keysAreHashedAsTheyWereWhenPut() throws IOException {
    Filters<String> strings = bloomery.keys(KeyHasher.strings());
    BloomFilter<String> filter = strings.expect(100).variant(PROVIDER).create();
    filter.put("one");
    filter.put("two");
    Path path = folder.resolve("words.bloom");
    filter.save(path);
    MappedBloomFilter<String> words = strings.map(path);
    assertTrue(words.mightContain("one"));
    assertTrue(words.test("two"));
    assertFalse(words.mightContain("three"));
    assertEquals(List.of("two", "one"), words.select(List.of("two", "three", "one")));
    assertEquals(filter.spec(), words.spec());
    assertEquals(filter.stats(), words.stats());
    assertThrows(NullPointerException.class, () -> words.mightContain(null));
    assertTrue(words.verify().isSound());
    words.close();
    assertThrows(FilterUnavailableException.class, () -> words.mightContain("one"));
    assertThrows(FilterUnavailableException.class, () -> words.filter().mightContain(1));
    Filters<Long> longs = bloomery.keys(KeyHasher.longs());
    UnexpectedFilterException opened =
        assertThrows(UnexpectedFilterException.class, () -> longs.open(path));
    UnexpectedFilterException mapped =
        assertThrows(UnexpectedFilterException.class, () -> longs.map(path));
    assertEquals(opened.getMessage(), mapped.getMessage());
  }

  private void assertRefusedAsWhenOpened(Path path) {
    IOException opened = assertThrows(IOException.class, () -> bloomery.files().open(path));
    IOException mapped = assertThrows(IOException.class, () -> bloomery.files().map(path));
    assertEquals(opened.getClass(), mapped.getClass());
    assertEquals(opened.getMessage(), mapped.getMessage());
  }

  @Test
  void whatCannotBeOpenedCannotBeMapped() throws IOException {
    assertRefusedAsWhenOpened(folder.resolve("missing"));
    assertRefusedAsWhenOpened(folder);
    assertRefusedAsWhenOpened(Files.createFile(folder.resolve("empty")));
    assertRefusedAsWhenOpened(Files.writeString(folder.resolve("words"), "some words\n".repeat(9)));
    Path other = folder.resolve("other");
    FilterFiles.save(filled(new PlainProvider("other"), 10), other);
    assertRefusedAsWhenOpened(other);
    assertEquals(
        NoSuchFileException.class,
        assertThrows(IOException.class, () -> bloomery.files().map(folder.resolve("missing")))
            .getClass());
  }

  @Test
  void aPipeIsRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process process;
    try {
      process = new ProcessBuilder("mkfifo", pipe.toString()).start();
    } catch (IOException e) {
      abort("needs mkfifo, which Windows lacks");
      return;
    }
    assertEquals(0, process.waitFor());
    FileSystemException e =
        assertTimeoutPreemptively(
            Duration.ofMinutes(10),
            () -> assertThrows(FileSystemException.class, () -> bloomery.files().map(pipe)));
    assertEquals(
        pipe + ": is not a regular file and cannot be mapped; open it instead", e.getMessage());
  }

  /** Header and trailer are checked when mapping, the content only by {@code verify}. */
  @Test
  void everyFlippedBitIsFound() throws IOException {
    Path path = save(filled(PROVIDER, 100));
    byte[] bytes = Files.readAllBytes(path);
    int payload = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
    int trailer = payload + (int) filled(PROVIDER, 100).payloadSize();
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      int at = bit / Byte.SIZE;
      bytes[at] = (byte) (bytes[at] ^ 1 << bit % Byte.SIZE);
      Files.write(path, bytes);
      if (at < payload || at >= trailer) {
        if (at < payload) {
          assertRefusedAsWhenOpened(path);
        }
        assertThrows(FilterFormatException.class, () -> bloomery.files().map(path));
      } else {
        MappedFilter mapped = bloomery.files().map(path);
        VerificationResult result = mapped.verify();
        assertEquals(bloomery.files().verify(path), result);
        assertEquals(payload, result.damage().get(0).from());
        assertThrows(FilterFormatException.class, () -> bloomery.files().open(path));
        // The file is about to be written in place, which nobody may do to a mapped one.
        mapped.close();
      }
      bytes[at] = (byte) (bytes[at] ^ 1 << bit % Byte.SIZE);
    }
  }

  @Test
  void everyTruncationAndExtensionIsRefused() throws IOException {
    Path path = save(filled(PROVIDER, 40));
    byte[] bytes = Files.readAllBytes(path);
    for (int length = 0; length <= bytes.length + 65; length++) {
      if (length != bytes.length) {
        Files.write(path, Arrays.copyOf(bytes, length));
        assertRefusedAsWhenOpened(path);
      }
    }
  }

  @Test
  void damageIsNamedByItsRegion() throws IOException {
    Filter filter = filled(PROVIDER, 2_000_000);
    Path path = save(filter);
    long payload = FilterHeader.of(filter, filter.payloadSize()).headerSize();
    long at = payload + (1 << 20) + 12_345;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[64]), at);
    }
    try (MappedFilter mapped = bloomery.files().map(path)) {
      VerificationResult result = mapped.verify();
      assertEquals(bloomery.files().verify(path), result);
      assertEquals(payload + (1 << 20), result.damage().get(0).from());
    }
  }

  /** In a process of its own, which such a fault may end; by each compiler. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aFileThatIsTruncatedWhileItIsMappedIsSaidToBe(int tier) throws Exception {
    List<String> starter = List.of("env", "_JAVA_OPTIONS=-XX:TieredStopAtLevel=" + tier);
    Process process =
        SavingProcess.java(
                starter, TruncatedMapProcess.class, folder.resolve("cut.bloom").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String clear =
        " must stay as it was mapped, but was truncated, or cannot be read any more; map a sound"
            + " one\n";
    String answers = "select" + clear + "stats" + clear + "verify" + clear;
    String misled = "query" + clear + "select" + clear + "stats" + clear;
    String read =
        " must stay as it is while it is read, but was truncated, or cannot be read any more;"
            + " open it again\n";
    try (InputStream out = process.getInputStream()) {
      assertEquals(
          answers.repeat(3) + misled.repeat(3) + "map" + read + "verify file" + read + "end\n",
          new String(out.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertEquals(0, process.waitFor());
  }

  private Path forge(Map<String, Long> layout, long payloadSize, byte[] rest) throws IOException {
    FilterHeader header =
        new FilterHeader("plain", FilterSpec.of(10, 0.01), FilterLayout.of(layout), payloadSize);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(HeaderFormat.encode(header));
    out.write(rest);
    return Files.write(folder.resolve("forged.bloom"), out.toByteArray());
  }

  @Test
  void whatTheHeaderClaimsIsNotTrusted() throws IOException {
    Map<String, Long> layout = Map.of("bits", 128L, "probes", 7L);
    byte[] trailer = new Trailer().encode();
    byte[] words = Arrays.copyOf(new byte[0], 64);
    for (long size : new long[] {8, 16, 64, 1 << 20, 1L << 40, 1L << 62, Long.MAX_VALUE, -8}) {
      assertRefusedAsWhenOpened(forge(layout, size, words));
    }
    Trailer sums = new Trailer();
    sums.update(words, words.length);
    byte[] rest = Arrays.copyOf(words, words.length + 64);
    System.arraycopy(sums.encode(), 0, rest, words.length, 64);
    // Content and checksums are right here, but do not belong to the layout.
    assertRefusedAsWhenOpened(forge(layout, words.length, rest));
    assertRefusedAsWhenOpened(forge(Map.of("bits", 512L), words.length, rest));
    assertRefusedAsWhenOpened(forge(Map.of("bits", 512L, "probes", 0L), words.length, rest));
    assertRefusedAsWhenOpened(forge(Map.of("bits", 0L, "probes", 7L), 0, trailer));
    assertRefusedAsWhenOpened(forge(Map.of("bits", -64L, "probes", 7L), words.length, rest));
    assertTrue(
        bloomery
            .files()
            .map(forge(Map.of("bits", 512L, "probes", 7L), words.length, rest))
            .verify()
            .isSound());
  }

  /** A file of 5 GiB, nearly all of it holes that take no room, in segments of a GiB. */
  @Test
  void aFileLargerThanABufferIsAsked() throws IOException {
    long size = (5L << 30) + 64;
    Path path = folder.resolve("large.bloom");
    FilterLayout layout = FilterLayout.of("bits", size * Byte.SIZE).with("probes", 7);
    byte[] header =
        HeaderFormat.encode(new FilterHeader("plain", FilterSpec.of(10, 0.01), layout, size));
    long[] put = hashes(1, 50);
    try (FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(header));
      for (long hash : put) {
        long probe = hash;
        for (int i = 0; i < 7; i++) {
          long bit = Probes.within(size * Byte.SIZE).position(probe);
          ByteBuffer one = ByteBuffer.allocate(1);
          channel.read(one, header.length + bit / Byte.SIZE);
          one.put(0, (byte) (one.get(0) | 1 << bit % Byte.SIZE)).position(0);
          channel.write(one, header.length + bit / Byte.SIZE);
          probe = Probes.next(probe);
        }
      }
      ByteBuffer trailer =
          ByteBuffer.allocate((int) Trailer.size(size)).order(ByteOrder.LITTLE_ENDIAN);
      CRC32C crc = new CRC32C();
      crc.update(trailer.array(), 0, trailer.limit() - Integer.BYTES);
      trailer.putInt(trailer.limit() - Integer.BYTES, (int) crc.getValue());
      channel.write(trailer, header.length + size);
    }
    try (MappedFilter mapped = bloomery.files().map(path)) {
      for (long hash : put) {
        assertTrue(mapped.mightContain(hash));
      }
      assertEquals(50, mapped.select(put, 0, 50, new int[50]));
      for (long hash : hashes(2, 500)) { // each query reads pages that nothing has touched
        assertFalse(mapped.mightContain(hash));
      }
    }
  }

  @Test
  void aFileThatIsReplacedIsStillTheOldOne() throws IOException {
    Filter old = filled(PROVIDER, 1_000);
    Path path = save(old);
    try (MappedFilter before = bloomery.files().map(path)) {
      Filter fresh = PROVIDER.create(FilterSpec.of(3_000, 0.01), ThreadMode.SHARED);
      save(fresh);
      try (MappedFilter after = bloomery.files().map(path)) {
        assertAnswersAs(old, before, 1_000);
        assertAnswersAs(fresh, after, 1_000);
        assertTrue(before.verify().isSound());
        assertTrue(after.verify().isSound());
      }
    }
  }

  /** Rounds in which one thread closes what others are asking, and the collector runs. */
  @Test
  void queriesBesideCloseAnswerOrThrow() throws Exception {
    closeBesideQueries(20);
  }

  @Test
  @Tag("nightly")
  void queriesBesideManyClosesAnswerOrThrow() throws Exception {
    closeBesideQueries(100);
  }

  private void closeBesideQueries(int rounds) throws Exception {
    Path path = save(filled(PROVIDER, 20_000));
    long[] put = hashes(1, 20_000);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      for (int round = 0; round < rounds; round++) {
        MappedFilter mapped = bloomery.files().map(path);
        List<Future<Long>> asking = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          boolean batch = i == 0;
          Callable<Long> task =
              () -> batch ? selectUntilClosed(mapped, put) : askUntilClosed(mapped, put);
          asking.add(threads.submit(task));
        }
        Thread.sleep(round % 3); // closes before, amid and after the first queries
        mapped.close();
        if (round % 10 == 0) {
          System.gc();
        }
        for (Future<Long> one : asking) {
          assertTrue(one.get(1, TimeUnit.MINUTES) >= 0);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long askUntilClosed(MappedFilter mapped, long[] put) {
    for (long asked = 0; !Thread.interrupted(); asked++) {
      try {
        assertTrue(mapped.mightContain(put[(int) (asked % put.length)]));
      } catch (IllegalStateException e) {
        return asked;
      }
    }
    return -1;
  }

  private static long selectUntilClosed(MappedFilter mapped, long[] put) {
    int[] hits = new int[put.length];
    for (long asked = 0; !Thread.interrupted(); asked++) {
      try {
        assertEquals(put.length, mapped.select(put, 0, put.length, hits));
      } catch (IllegalStateException e) {
        return asked;
      }
    }
    return -1;
  }

  @Test
  void theMappingGoesAfterClose() throws Exception {
    Path maps = Path.of("/proc/self/maps");
    assumeTrue(Files.exists(maps), "needs Linux, which says what is mapped");
    Path path = save(filled(PROVIDER, 1_000)).toRealPath();
    MappedFilter mapped = bloomery.files().map(path);
    assertNotNull(mapping(maps, path));
    mapped.close();
    for (int i = 0; mapping(maps, path) != null && i < 100; i++) {
      System.gc();
      Thread.sleep(20); // the collector lets go of mappings from a thread of its own
    }
    assertNull(mapping(maps, path));
    assertThrows(IllegalStateException.class, () -> mapped.mightContain(1));
  }

  private static String mapping(Path maps, Path path) throws IOException {
    return Files.readAllLines(maps).stream()
        .filter(line -> line.endsWith(path.toString()))
        .findFirst()
        .orElse(null);
  }

  @Test
  void aFileInAnArchiveIsNotMapped(@TempDir Path folder) throws IOException {
    Path saved = folder.resolve("saved");
    FilterFiles.save(new MappingProvider().create(FilterSpec.of(9, 0.1), ThreadMode.SHARED), saved);
    URI zip = URI.create("jar:" + folder.resolve("archive.zip").toUri());
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path file = Files.copy(saved, archive.getPath("/file"));
      FilterFiles files = new FilterFiles(FilterProviders.of(new MappingProvider()));
      assertEquals(9, files.open(file).spec().expectedKeys());
      for (Executable call : List.<Executable>of(() -> files.map(file), () -> files.verify(file))) {
        assertEquals(
            "/file: must be on a file system that maps files, but is not; open it instead",
            assertThrows(FileSystemException.class, call).getMessage());
      }
    }
  }
}
