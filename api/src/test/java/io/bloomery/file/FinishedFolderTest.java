package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.ShardWriter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of shards whose manifest is written, or is being written. */
class FinishedFolderTest {

  private static final int SHARDS = 3;
  private static final int KEYS = 300;

  @TempDir private Path temporary;

  private static Filters<String> strings() {
    return Bloomery.with(new MappingProvider()).keys(KeyHasher.strings());
  }

  private static ShardWriter<String> writer(Path folder) {
    return strings().expect(KEYS).variant("plain").fpp(1e-6).shards(SHARDS, folder);
  }

  private static List<String> keysOf(ShardWriter<String> writer, int shard, int keys) {
    return IntStream.range(0, keys)
        .mapToObj(i -> "key-" + i)
        .filter(key -> writer.shardOf(key) == shard)
        .toList();
  }

  private ShardWriter<String> written(Path folder) throws IOException {
    ShardWriter<String> writer = writer(folder);
    for (int i = 0; i < SHARDS; i++) {
      writer.write(i, keysOf(writer, i, KEYS));
    }
    return writer;
  }

  private static void assertOpens(Path folder) throws IOException {
    var seen = strings().openShards(folder);
    for (int i = 0; i < KEYS; i++) {
      assertTrue(seen.mightContain("key-" + i));
    }
  }

  private static Path shard(Path folder) {
    return folder.resolve(ShardedFilterFiles.fileName(0));
  }

  private static void assertRefused(Change change, Path file) {
    String message =
        assertThrows(FileAlreadyExistsException.class, () -> change.run(file)).getMessage();
    assertTrue(
        message.endsWith(
            ": must not be replaced, since its folder of shards is finished by a shards.manifest;"
                + " write all shards again to another folder"),
        message);
  }

  /** A way to change a file. */
  private interface Change {
    void run(Path file) throws IOException;
  }

  @Test
  void noneOfItsFilesIsReplaced() throws IOException {
    Path folder = temporary.resolve("seen");
    ShardWriter<String> writer = written(folder);
    writer.finish();
    Filter other = new MappingProvider().create(writer.sharding().spec(1), ThreadMode.CONFINED);
    BloomFilter<String> filter = strings().expect(9).variant("plain").create();
    FilterFiles files = new FilterFiles(FilterProviders.of(new MappingProvider()));
    Path apart = temporary.resolve("apart");
    FilterFiles.save(other, apart);
    List<Change> changes =
        List.of(
            filter::save,
            file -> FilterFiles.save(other, file),
            file -> ShardedFilterFiles.save(other, writer.sharding(), folder),
            file -> writer.write(0, keysOf(writer, 0, 9)),
            file -> writer.finish(),
            file -> files.merge(file, List.of(file, file)),
            file -> files.merge(file, List.of(apart)),
            file -> strings().update(file, Duration.ZERO).close(),
            file -> FileReplacement.replace(file, out -> out.write(1)));
    Path link = Files.createSymbolicLink(temporary.resolve("folder"), folder);
    Path direct = Files.createSymbolicLink(temporary.resolve("shard"), shard(folder));
    for (Path file :
        List.of(shard(folder), shard(link), direct, folder.resolve(ShardedFilterFiles.MANIFEST))) {
      for (Change change : changes) {
        assertRefused(change, file);
      }
    }
    assertOpens(folder);
    // Any other file is no part of it.
    filter.save(folder.resolve("other.bloom"));
    assertOpens(folder);
  }

  @Test
  void aShardThatIsBeingWrittenComesTooLate() throws IOException {
    Path folder = temporary.resolve("seen");
    ShardWriter<String> writer = written(folder);
    try (var update = strings().update(shard(folder), Duration.ZERO)) {
      update.filter().put("another key");
      assertRefused(
          file ->
              FileReplacement.replace(
                  file,
                  out -> {
                    writer.finish();
                    out.write(1);
                  }),
          shard(folder));
      assertRefused(file -> update.save(), shard(folder));
    }
    assertOpens(folder);
  }

  @Test
  void shardsThatAreWrittenMeanwhileAreInTheManifestOrRefused() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 50; round++) {
        Path folder = temporary.resolve("seen-" + round);
        ShardWriter<String> writer = written(folder);
        Callable<Boolean> rewriting =
            () -> {
              for (int more = 1; ; more++) {
                writer.write(0, keysOf(writer, 0, KEYS + 10 * more));
              }
            };
        Future<Boolean> rewritten = pool.submit(rewriting);
        writer.finish();
        assertOpens(folder);
        ExecutionException ended = assertThrows(ExecutionException.class, rewritten::get);
        assertEquals(FileAlreadyExistsException.class, ended.getCause().getClass());
        assertOpens(folder);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void whatKilledWritersOfShardsLeftIsRemovedAtOnce() throws IOException {
    Path folder = temporary.resolve("seen");
    ShardWriter<String> writer = written(folder);
    String end = ".1-1-0123456789abcdef.bloomery.tmp";
    Path shard = Files.createFile(folder.resolve(".shard-00001.bloom" + end));
    Path other = Files.createFile(folder.resolve(".other.bloom" + end));
    writer.finish();
    assertTrue(Files.notExists(shard));
    assertTrue(Files.exists(other), "may be of a writer that has not locked it yet");
    assertOpens(folder);
  }

  @Test
  void ofConcurrentFinishesOneSucceeds() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 20; round++) {
        ShardWriter<String> writer = written(temporary.resolve("seen-" + round));
        Callable<Boolean> finish =
            () -> {
              try {
                writer.finish();
                return true;
              } catch (FileAlreadyExistsException e) {
                return false;
              }
            };
        List<Callable<Boolean>> all = new ArrayList<>();
        IntStream.range(0, 8).forEach(i -> all.add(finish));
        int succeeded = 0;
        for (Future<Boolean> one : pool.invokeAll(all)) {
          succeeded += one.get() ? 1 : 0;
        }
        assertEquals(1, succeeded);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
