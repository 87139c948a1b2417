package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.ShardWriter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.MergeableFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The files of {@code key-0}, {@code key-1} and so on that a program without Spark writes. */
record LocalBuild(int keys, double rate, String variant) {

  /** Returns the variants that Spark builds: those that merge. */
  static List<String> variants() {
    return FilterProviders.installed().all().stream()
        .filter(provider -> MergeableFilter.class.isAssignableFrom(provider.filterType()))
        .map(FilterProvider::variant)
        .toList();
  }

  private List<String> all() {
    return IntStream.range(0, keys).mapToObj(i -> "key-" + i).toList();
  }

  private FilterBuilder<String> builder() {
    return Bloomery.strings().expect(keys).fpp(rate).variant(variant);
  }

  FilterRequest request() {
    return FilterRequest.expect(keys).fpp(rate).variant(variant);
  }

  byte[] file() throws IOException {
    BloomFilter<String> filter = builder().create();
    filter.putAll(all());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** Asserts that a folder has the shards that are made here in another one. */
  void assertShards(int shards, Path here, Path remote) throws IOException {
    ShardWriter<String> writer = builder().shards(shards, here);
    for (int i = 0; i < shards; i++) {
      int shard = i;
      writer.write(i, all().stream().filter(key -> writer.shardOf(key) == shard).toList());
    }
    writer.finish();
    try (Stream<Path> files = Files.list(here)) {
      for (Path file : files.toList()) {
        assertArrayEquals(
            Files.readAllBytes(file),
            Files.readAllBytes(remote.resolve(file.getFileName())),
            file.toString());
      }
    }
  }
}
