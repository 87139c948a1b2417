package io.bloomery.conformance.power;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.ShardWriter;
import io.bloomery.ShardedBloomFilter;
import io.bloomery.file.ShardedFilterFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A folder of shards, in a folder that is new as well. */
final class Shards implements Workload {

  private static final int SHARDS = 3;
  private static final int KEYS = 600;

  private static final List<String> ALL =
      IntStream.range(0, KEYS).mapToObj(Replacements::key).toList();

  private static ShardWriter<String> writer(Path folder) {
    return Bloomery.strings().expect(KEYS).shards(SHARDS, folder.resolve("new").resolve("shards"));
  }

  private static void write(Path folder) throws IOException {
    ShardWriter<String> writer = writer(folder);
    for (int i = 0; i < SHARDS; i++) {
      int shard = i;
      writer.write(i, ALL.stream().filter(key -> writer.shardOf(key) == shard).toList());
    }
    writer.finish();
  }

  @Override
  public int keys(int version) {
    return KEYS;
  }

  @Override
  public void run(Path folder, History history, Random random) throws IOException {
    ShardWriter<String> writer = writer(folder);
    history.begun(0);
    // One is written twice.
    writer.write(0, List.of());
    write(folder);
    history.done(0);
  }

  @Override
  public int lost(Path folder, int least, int most) throws IOException {
    Path shards = folder.resolve("new").resolve("shards");
    if (least == NONE && !ShardedFilterFiles.isSharded(shards)) {
      write(folder);
    }
    int lost = lost(Bloomery.strings().openShards(shards));
    lost += lost(Bloomery.strings().mapShards(shards));
    assertTrue(
        ShardedFilterFiles.installed().verify(shards).values().stream()
            .allMatch(result -> result.isSound()));
    return lost;
  }

  private static int lost(ShardedBloomFilter<String> filter) {
    try (filter) {
      return KEYS - filter.select(ALL).size();
    }
  }
}
