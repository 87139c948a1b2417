package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.ShardWriter;
import io.bloomery.ShardedBloomFilter;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardedFilterFilesTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new MappingProvider());
  private static final ShardedFilterFiles FILES =
      new ShardedFilterFiles(FilterProviders.of(new MappingProvider()));
  private static final int SHARDS = 5;

  @TempDir private Path temporary;

  private Path written(String name, int keys) throws IOException {
    Path folder = temporary.resolve(name);
    ShardWriter<String> writer = writer(folder);
    for (int i = 0; i < SHARDS; i++) {
      writer.write(i, keysOf(writer, i, keys));
    }
    writer.finish();
    return folder;
  }

  private static ShardWriter<String> writer(Path folder) {
    return BLOOMERY
        .<String>keys(KeyHasher.strings())
        .expect(1_000)
        .variant("plain")
        .fpp(1e-6)
        .attribute("made-by", "test")
        .shards(SHARDS, folder);
  }

  private static List<String> keysOf(ShardWriter<String> writer, int shard, int keys) {
    return IntStream.range(0, keys)
        .mapToObj(i -> "key-" + i)
        .filter(key -> writer.shardOf(key) == shard)
        .toList();
  }

  private ShardedBloomFilter<String> open(Path folder) throws IOException {
    return BLOOMERY.<String>keys(KeyHasher.strings()).openShards(folder);
  }

  private ShardedBloomFilter<String> map(Path folder) throws IOException {
    return BLOOMERY.<String>keys(KeyHasher.strings()).mapShards(folder);
  }

  @Test
  void shardsAnswerAsOneFilter() throws IOException {
    Path folder = written("seen", 1_000);
    List<String> asked = IntStream.range(0, 3_000).mapToObj(i -> "key-" + i).toList();
    for (ShardedBloomFilter<String> seen : List.of(open(folder), map(folder))) {
      List<String> found = asked.stream().filter(seen::mightContain).toList();
      // Drawn once for all, none of the others is taken for one of these.
      assertEquals(asked.subList(0, 1_000), found);
      assertEquals(found, seen.select(asked));
      assertEquals(List.of(), seen.select(List.of()));
      assertEquals(1_000, seen.spec().expectedKeys());
      assertEquals(1e-6, seen.spec().falsePositiveRate());
      assertEquals(Map.of("made-by", "test"), seen.spec().attributes());
      assertEquals(1_000, (double) seen.stats().approximateKeys().getAsLong(), 20);
      assertFalse(seen.stats().isOverfull());
      assertTrue(seen.stats().falsePositiveRate() < 1e-6);
      assertTrue(seen.filter().description().structure().startsWith("5 shards"));
      long bytes = 0;
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          bytes += Files.size(file);
        }
      }
      assertEquals(bytes, seen.filter().serializedSize());
    }
  }

  /** Every part of a batch, whose indices are those in the array and not in the part. */
  @Test
  void partsOfBatchesAreRouted() throws IOException {
    ShardedFilter seen = FILES.map(written("seen", 50), OpenOptions.shared());
    long[] hashes =
        IntStream.range(0, 70).mapToLong(i -> KeyHasher.strings().hash("key-" + i)).toArray();
    for (int from = 0; from <= hashes.length; from++) {
      for (int to = from; to <= hashes.length; to++) {
        int[] hits = new int[to - from];
        int found = seen.select(hashes, from, to, hits);
        assertArrayEquals(
            IntStream.range(from, to).filter(i -> seen.mightContain(hashes[i])).toArray(),
            java.util.Arrays.copyOf(hits, found));
      }
    }
    assertThrows(IndexOutOfBoundsException.class, () -> seen.select(hashes, 0, 71, new int[71]));
    assertThrows(IllegalArgumentException.class, () -> seen.select(hashes, 0, 9, new int[8]));
  }

  @Test
  void aLostShardIsNamed() throws IOException {
    Path folder = written("seen", 100);
    Path lost = folder.resolve("shard-00003.bloom");
    Files.delete(lost);
    for (Opener opener : openers()) {
      String message =
          assertThrows(NoSuchFileException.class, () -> opener.open(folder)).getMessage();
      assertTrue(message.startsWith(lost + ": shard 3/5 must be in its folder"), message);
    }
    assertDamaged(folder, lost, "shard 3/5 must be in its folder, but is not");
  }

  @Test
  void exchangedShardsAreNamed() throws IOException {
    Path folder = written("seen", 100);
    Path two = folder.resolve("shard-00002.bloom");
    Path four = folder.resolve("shard-00004.bloom");
    Path aside = temporary.resolve("aside");
    Files.move(two, aside);
    Files.move(four, two);
    Files.move(aside, four);
    for (Opener opener : openers()) {
      assertRefused(() -> opener.open(folder), two + ": must be shard 2/5, but is shard 4/5");
    }
    assertDamaged(folder, two, "must be shard 2/5, but is shard 4/5");
    assertDamaged(folder, four, "must be shard 4/5, but is shard 2/5");
  }

  /** Of the same name, spec and length: only its content is another. */
  @Test
  void theShardOfAnotherBuildIsNamed() throws IOException {
    Path folder = written("seen", 100);
    Path foreign = folder.resolve("shard-00001.bloom");
    Files.copy(
        written("other", 110).resolve("shard-00001.bloom"),
        foreign,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    String message = "must be shard 1/5 as it was when the manifest was written";
    for (Opener opener : openers()) {
      assertRefused(() -> opener.open(folder), foreign + ": " + message);
    }
    assertDamaged(folder, foreign, message);
  }

  @Test
  void whatIsNoShardIsNamed() throws IOException {
    Path folder = written("seen", 100);
    Path file = folder.resolve("shard-00000.bloom");
    Filter plain = new MappingProvider().create(FilterSpec.of(9, 0.1), ThreadMode.CONFINED);
    Path saved = temporary.resolve("plain");
    FilterFiles.save(plain, saved);
    Files.move(saved, file, StandardCopyOption.REPLACE_EXISTING);
    assertRefused(() -> open(folder), file + ": must be shard 0/5, but is no shard at all");
    Files.writeString(file, "no filter, but some text");
    assertThrows(FilterFormatException.class, () -> open(folder));
    assertDamaged(folder, file, "not a Bloomery filter");
  }

  @Test
  void damageInAShardIsFound() throws IOException {
    Path folder = written("seen", 100);
    Path file = folder.resolve("shard-00002.bloom");
    byte[] bytes = Files.readAllBytes(file);
    bytes[200] ^= 1;
    Files.write(file, bytes);
    String message = assertThrows(FilterFormatException.class, () -> open(folder)).getMessage();
    assertTrue(message.startsWith(file + ": "), message);
    assertDamaged(folder, file, "content damaged");
    assertEquals(
        SHARDS,
        FILES.verify(folder).values().stream().filter(VerificationResult::isSound).count(),
        "of five shards and a manifest");
  }

  private static void assertDamaged(Path folder, Path file, String reason) throws IOException {
    VerificationResult result = FILES.verify(folder).get(file);
    assertFalse(result.isSound());
    assertTrue(result.toString().contains(reason), result::toString);
  }

  private interface Opener {
    void open(Path folder) throws IOException;
  }

  private List<Opener> openers() {
    return List.of(this::open, this::map);
  }

  private static void assertRefused(org.junit.jupiter.api.function.Executable call, String start) {
    UnexpectedFilterException e = assertThrows(UnexpectedFilterException.class, call);
    assertEquals(Reason.SHARD, e.reason());
    assertTrue(e.getMessage().startsWith(start), e.getMessage());
  }

  @Test
  void everyByteOfTheManifestCounts() throws IOException {
    Path folder = written("seen", 100);
    Path path = folder.resolve(ShardedFilterFiles.MANIFEST);
    byte[] sound = Files.readAllBytes(path);
    assertEquals(128, sound.length);
    for (int at = 0; at < sound.length; at++) {
      byte[] bytes = sound.clone();
      bytes[at] ^= 1;
      Files.write(path, bytes);
      assertThrows(FilterFormatException.class, () -> open(folder), "byte " + at);
      seal(bytes);
      Files.write(path, bytes);
      boolean isSpec = at >= 16 && at < 32; // n and p, which are what somebody says
      if (!isSpec && at < sound.length - 4) {
        assertThrows(IOException.class, () -> open(folder), "sealed byte " + at);
      }
      Files.write(path, java.util.Arrays.copyOf(sound, at));
      assertThrows(FilterFormatException.class, () -> open(folder), "first " + at);
    }
    Files.write(path, java.util.Arrays.copyOf(sound, sound.length + 1));
    assertThrows(FilterFormatException.class, () -> open(folder));
    Files.write(path, sound);
    open(folder);
  }

  private static void seal(byte[] manifest) {
    CRC32C crc = new CRC32C();
    crc.update(manifest, 0, manifest.length - 4);
    ByteBuffer.wrap(manifest)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(manifest.length - 4, (int) crc.getValue());
  }

  @Test
  void aFolderIsWrittenOnce() throws IOException {
    Path folder = temporary.resolve("seen");
    ShardWriter<String> writer = writer(folder);
    writer.write(0, keysOf(writer, 0, 100));
    NoSuchFileException lost = assertThrows(NoSuchFileException.class, writer::finish);
    assertTrue(lost.getMessage().contains("shard 1/5 must be in its folder"), lost.getMessage());
    NoSuchFileException unfinished = assertThrows(NoSuchFileException.class, () -> open(folder));
    assertTrue(unfinished.getMessage().contains("must have a manifest"), unfinished.getMessage());
    for (int i = SHARDS - 1; i >= 0; i--) {
      writer.write(i, keysOf(writer, i, 100)); // the first once more
    }
    writer.finish();
    open(folder);
    assertThrows(FileAlreadyExistsException.class, writer::finish);
    assertThrows(FileAlreadyExistsException.class, () -> writer.write(0, List.of()));
  }

  @Test
  void whatIsNoFolderIsNotSaidToBeFinished() throws IOException {
    Path link = temporary.resolve("link");
    for (Path path :
        List.of(
            Files.createFile(temporary.resolve("file")),
            Files.createSymbolicLink(link, temporary.resolve("none")))) {
      FileSystemException refused =
          assertThrows(FileSystemException.class, () -> writer(path).write(0, List.of()));
      assertEquals(
          path + ": must be a folder, or absent, but is a file, or a link to none; name another",
          refused.getMessage());
      assertFalse(refused instanceof FileAlreadyExistsException);
      assertThrows(NoSuchFileException.class, writer(path)::finish);
    }
  }

  @Test
  void whatABuildWithMoreShardsLeftBehindIsRefused() throws IOException {
    Path folder = temporary.resolve("seen");
    ShardWriter<String> writer = writer(folder);
    for (int i = 0; i < SHARDS; i++) {
      writer.write(i, List.of());
    }
    Path more = folder.resolve("shard-00005.bloom");
    Files.copy(folder.resolve("shard-00004.bloom"), more);
    assertRefused(writer::finish, more + ": there must be 5 shards, but this is one more");
    Files.delete(more);
    Path other = folder.resolve("shard-00001.bloom");
    FilterFiles.save(
        new MappingProvider().create(FilterSpec.of(9, 0.1), ThreadMode.CONFINED), other);
    assertRefused(writer::finish, other + ": a shard must be made for 276 keys");
    writer.write(1, List.of());
    writer.finish();
  }

  @Test
  void aKeyOfAnotherShardIsRefused() {
    ShardWriter<String> writer = writer(temporary.resolve("seen"));
    List<String> wrong = new ArrayList<>(keysOf(writer, 2, 100));
    wrong.addAll(keysOf(writer, 3, 100).subList(0, 1));
    String message =
        assertThrows(IllegalArgumentException.class, () -> writer.write(2, wrong)).getMessage();
    assertTrue(message.contains("shard 2, but one belongs to shard 3"), message);
    assertFalse(Files.exists(temporary.resolve("seen")));
  }

  @Test
  void limitsAreForAllShardsTogether() throws IOException {
    Path folder = written("seen", 100);
    long bytes = open(folder).filter().payloadSize();
    BLOOMERY.<String>keys(KeyHasher.strings()).maxBytes(bytes).openShards(folder).close();
    UnexpectedFilterException e =
        assertThrows(
            UnexpectedFilterException.class,
            () ->
                BLOOMERY.<String>keys(KeyHasher.strings()).maxBytes(bytes - 1).openShards(folder));
    assertEquals(Reason.SIZE, e.reason());
    assertThrows(
        UnexpectedFilterException.class,
        () -> FILES.map(folder, OpenOptions.shared().within(FilterLimits.ofBytes(bytes - 1))));
  }

  @Test
  void otherKeysAreRefused() throws IOException {
    Path folder = written("seen", 100);
    UnexpectedFilterException e =
        assertThrows(
            UnexpectedFilterException.class,
            () -> BLOOMERY.keys(KeyHasher.longs()).openShards(folder));
    assertEquals(Reason.KEYS, e.reason());
    assertTrue(e.getMessage().startsWith(folder.resolve("shard-00000.bloom") + ": "));
  }

  @Test
  void whatWasClosedRefusesToAnswer() throws IOException {
    Path folder = written("seen", 100);
    for (ShardedBloomFilter<String> seen : List.of(open(folder), map(folder))) {
      seen.close();
      seen.close();
      assertThrows(FilterUnavailableException.class, () -> seen.mightContain("key-1"));
      assertThrows(FilterUnavailableException.class, () -> seen.select(List.of("key-1")));
      assertThrows(FilterUnavailableException.class, seen::stats);
    }
  }

  @Test
  void whatOpensFilesSaysThatItIsAFolderOfShards() throws IOException {
    Path folder = written("seen", 10);
    FileSystemException directory =
        assertThrows(
            FileSystemException.class,
            () -> BLOOMERY.<String>keys(KeyHasher.strings()).open(folder));
    assertTrue(directory.getMessage().endsWith("open it with openShards"), directory::getMessage);
    Path manifest = folder.resolve(ShardedFilterFiles.MANIFEST);
    FilterFormatException file =
        assertThrows(
            FilterFormatException.class,
            () -> BLOOMERY.<String>keys(KeyHasher.strings()).open(manifest));
    assertTrue(file.getMessage().contains("but the manifest of one in shards"), file::getMessage);
  }

  /** As where a folder is not on a file system of this machine. */
  @Test
  void streamsHaveTheBytesOfFiles() throws IOException {
    Path folder = written("seen", 100);
    ShardWriter<String> writer = writer(folder);
    Sharding sharding = writer.sharding();
    List<ShardEntry> entries = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      Filter shard = new MappingProvider().create(sharding.spec(i), ThreadMode.CONFINED);
      keysOf(writer, i, 100).forEach(key -> shard.put(KeyHasher.strings().hash(key)));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      entries.add(ShardedFilterFiles.write(shard, out));
      assertArrayEquals(
          Files.readAllBytes(folder.resolve(ShardedFilterFiles.fileName(i))), out.toByteArray());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ShardedFilterFiles.writeManifest(sharding, entries, out);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve(ShardedFilterFiles.MANIFEST)), out.toByteArray());
    entries.remove(0);
    assertThrows(
        IllegalArgumentException.class,
        () -> ShardedFilterFiles.writeManifest(sharding, entries, out));
  }
}
