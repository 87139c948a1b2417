package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilter;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters of every variant, asked by compiled code in files that are truncated meanwhile. */
class TruncatedFilesTest {

  static List<String> variants() {
    return Bloomery.installed().providers().variants();
  }

  @ParameterizedTest
  @MethodSource("variants")
  @Tag("nightly")
  void everyQuestionButASingleQuerySaysSo(String variant, @TempDir Path folder) throws Exception {
    check(variant, folder);
  }

  /** Each takes a JVM one and a half seconds. */
  @Test
  void everyQuestionOfADrawnVariantSaysSo(@TempDir Path folder) throws Exception {
    List<String> all = variants();
    check(all.get(DayDraw.random().nextInt(all.size())), folder);
  }

  /** In a JVM of its own, whose main thread must get no error but those that it expects. */
  private static void check(String variant, Path folder) throws Exception {
    String said =
        SmallJvm.output(SmallJvm.of(List.of(), Truncating.class, variant, folder.toString()));
    assertTrue(said.endsWith("refused\n"), () -> variant + ": " + said);
  }

  /** Truncates mapped files and shards at drawn lengths, and asks them. */
  static final class Truncating {

    private static final int KEYS = 50_000;
    private static final int WARM_UP = 3_000;
    private static final int TRIALS = 100;

    // Not final, so that the compiler keeps what uses them.
    private static int one = 1;
    private static int refused;

    private final long[] hashes = new SplittableRandom(1).longs(KEYS).toArray();
    private final int[] hits = new int[KEYS];
    private final SplittableRandom random = new SplittableRandom(2);
    private final Bloomery bloomery;
    private final Path folder;

    private Truncating(Bloomery bloomery, Path folder) {
      this.bloomery = bloomery;
      this.folder = folder;
    }

    public static void main(String[] arguments) throws IOException {
      FilterProvider provider =
          BuiltOnDemand.of(Bloomery.installed().providers().variant(arguments[0]));
      // One that grows has several layers.
      boolean grows = provider.create(FilterSpec.of(1, 0.01), ThreadMode.CONFINED).stats().grows();
      FilterSpec spec = FilterSpec.of(grows ? KEYS / 64 : KEYS, 0.01);
      Truncating truncating = new Truncating(Bloomery.with(provider), Path.of(arguments[1]));
      truncating.ofOneFile(provider.create(spec, ThreadMode.CONFINED));
      truncating.ofShards(provider, Sharding.of(spec, 2));
      System.out.println(refused + " refused");
    }

    private void ofOneFile(Filter filter) throws IOException {
      filter.putAll(hashes, 0, KEYS);
      Path whole = folder.resolve("whole.bloom");
      FilterFiles.save(filter, whole);
      Path cut = folder.resolve("cut.bloom");
      try (MappedFilter mapped = bloomery.files().map(whole)) {
        for (int i = 0; i < WARM_UP; i++) {
          mapped.stats();
        }
      }
      for (int trial = 0; trial < TRIALS; trial++) {
        Files.copy(whole, cut, StandardCopyOption.REPLACE_EXISTING);
        try (MappedFilter mapped = bloomery.files().map(cut)) {
          truncate(cut);
          ask(mapped::stats);
          ask(() -> select(mapped));
          ask(() -> query(mapped));
          ask(mapped::verify);
        }
      }
    }

    private void ofShards(FilterProvider provider, Sharding sharding) throws IOException {
      for (int shard = 0; shard < sharding.shards(); shard++) {
        Filter filter = provider.create(sharding.spec(shard), ThreadMode.CONFINED);
        for (long hash : hashes) {
          if (sharding.shardOf(hash) == shard) {
            filter.put(hash);
          }
        }
        ShardedFilterFiles.save(filter, sharding, folder);
      }
      ShardedFilterFiles.complete(sharding, folder);
      ShardedFilterFiles files = new ShardedFilterFiles(bloomery.providers());
      Path second = folder.resolve(ShardedFilterFiles.fileName(1));
      byte[] whole = Files.readAllBytes(second);
      for (int trial = 0; trial < TRIALS; trial++) {
        try (ShardedFilter mapped = files.map(folder, OpenOptions.shared())) {
          truncate(second);
          ask(mapped::stats);
          ask(() -> select(mapped));
          ask(() -> query(mapped));
        }
        Files.delete(second);
        Files.write(second, whole);
      }
    }

    private void truncate(Path path) throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(random.nextLong(channel.size()));
      }
    }

    private void select(FilterView mapped) {
      int from = random.nextInt(KEYS - 500);
      mapped.select(hashes, from, from + 500, hits);
    }

    /** Single queries, whose error may come later, but not after that of an array. */
    private void query(FilterView mapped) {
      try {
        for (int i = 0; i < 20; i++) {
          mapped.mightContain(hashes[random.nextInt(KEYS)]);
          callTheJvm();
        }
      } catch (InternalError e) {
        refused++;
      }
    }

    private static void ask(Runnable question) {
      try {
        question.run();
      } catch (FilterUnavailableException e) {
        refused++;
      }
      callTheJvm();
    }

    /** An error that is still pending is thrown here at the latest. */
    private static void callTheJvm() {
      int[][] made = new int[one][one];
      refused += made.length - 1;
    }
  }
}
