package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.ShardWriter;
import io.bloomery.ShardedBloomFilter;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilter;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters in shards, of every variant. */
class ShardedVariantsTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final ShardedFilterFiles FILES = ShardedFilterFiles.installed();
  private static final Path GOLDEN = Path.of("../docs/golden/shards-version-1");
  private static final int SHARDS = 64;
  private static final double[] RATES = {0.01, 0.004};
  private static final LongKeyHasher IDS = KeyHasher.longs();

  @TempDir private Path folder;

  static List<String> variants() {
    return BLOOMERY.providers().variants();
  }

  private ShardedFilter saved(String variant, FilterSpec spec, Path into) throws IOException {
    Sharding sharding = Sharding.of(spec, SHARDS);
    List<Filter> shards = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      shards.add(
          BuiltOnDemand.of(BLOOMERY.providers().variant(variant))
              .create(sharding.spec(i), ThreadMode.CONFINED));
    }
    for (long id = 0; id < spec.expectedKeys(); id++) {
      long hash = IDS.hash(id);
      shards.get(sharding.shardOf(hash)).put(hash);
    }
    for (Filter shard : shards) {
      ShardedFilterFiles.save(shard, sharding, into);
    }
    ShardedFilterFiles.complete(sharding, into);
    return FILES.map(into, OpenOptions.shared());
  }

  /**
   * Of 64 shards with 2,000 keys each, every one takes for present as many keys never put as the
   * bits in it say, within six standard deviations of a binomial with about 100 expected, and all
   * together no more than asked for and six deviations: a false alarm comes once in 10^5 changes of
   * the hash functions. The keys are successive numbers.
   */
  @ParameterizedTest
  @MethodSource("variantsAndADrawnRate")
  void theRateHoldsWithinEachShard(String variant, double rate) throws IOException {
    FilterSpec spec = FilterSpec.of(SHARDS * 2_000, rate, IDS.id());
    try (ShardedFilter seen = saved(variant, spec, folder)) {
      assertRate(seen, rate, folder);
    }
  }

  @ParameterizedTest
  @MethodSource("variantsAndEachRate")
  @Tag("nightly")
  void bothRatesHoldWithinEachShard(String variant, double rate) throws IOException {
    theRateHoldsWithinEachShard(variant, rate);
  }

  static Stream<Arguments> variantsAndADrawnRate() {
    Random random = DayDraw.random();
    return variants().stream()
        .map(variant -> Arguments.of(variant, RATES[random.nextInt(RATES.length)]));
  }

  static Stream<Arguments> variantsAndEachRate() {
    return variants().stream()
        .flatMap(variant -> DoubleStream.of(RATES).mapToObj(rate -> Arguments.of(variant, rate)));
  }

  private static void assertRate(ShardedFilter seen, double rate, Path folder) throws IOException {
    Sharding sharding = seen.sharding();
    long asked = (long) (SHARDS * 100 / rate);
    long[] queries = new long[SHARDS];
    long[] hits = new long[SHARDS];
    for (long id = -asked; id < 0; id++) {
      long hash = IDS.hash(id);
      int shard = sharding.shardOf(hash);
      queries[shard]++;
      hits[shard] += seen.mightContain(hash) ? 1 : 0;
    }
    double expected = 0;
    for (int i = 0; i < SHARDS; i++) {
      double ofShard = stats(folder, i).falsePositiveRate();
      double mean = queries[i] * ofShard;
      expected += mean;
      assertEquals(mean, (double) hits[i], 6 * Math.sqrt(mean), "shard " + i + " at " + rate);
    }
    assertTrue(expected <= rate * asked, "planned: " + expected / asked);
    long all = java.util.Arrays.stream(hits).sum();
    assertTrue(all <= rate * asked + 6 * Math.sqrt(rate * asked), "measured: " + all);
    FilterStats stats = seen.stats();
    assertEquals(expected / asked, stats.falsePositiveRate(), 0.01 * rate);
    assertEquals(
        SHARDS * 2_000, (double) stats.approximateKeys().orElseThrow(), SHARDS * 2_000 * 0.02);
  }

  private static FilterStats stats(Path folder, int shard) throws IOException {
    try (MappedFilter mapped =
        FilterFiles.installed().map(folder.resolve(ShardedFilterFiles.fileName(shard)))) {
      return mapped.stats();
    }
  }

  /** The result would be taken for the first of them, and the keys of the other be lost. */
  @ParameterizedTest
  @MethodSource("variants")
  void intoAShardOnlyTheSameShardIsMerged(String variant) throws IOException {
    FilterSpec whole = FilterSpec.of(1_000, 0.001, IDS.id());
    Sharding sharding = Sharding.of(whole, 4);
    FilterSpec one = sharding.spec(1);
    FilterSpec none = one.withAttributes(Map.of());
    for (FilterSpec into : List.of(one, none)) {
      for (FilterSpec from : List.of(one, sharding.spec(3), Sharding.of(whole, 5).spec(1), none)) {
        checkMerge(variant, into, from);
      }
    }
  }

  private void checkMerge(String variant, FilterSpec into, FilterSpec other) throws IOException {
    VariantProvider provider = BLOOMERY.providers().variant(variant);
    if (!(BuiltOnDemand.of(provider).create(into, ThreadMode.CONFINED)
        instanceof MergeableFilter filter)) {
      return;
    }
    FilterSpec from =
        FilterSpec.of(into.expectedKeys(), into.falsePositiveRate(), into.hashId())
            .withAttributes(other.attributes());
    Filter merged = BuiltOnDemand.of(provider).create(from, ThreadMode.CONFINED);
    merged.put(7);
    boolean fits = into.equals(from) || into.attributes().isEmpty();
    assertEquals(fits, filter.incompatibility(merged).isEmpty(), into + ", " + from);
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    FilterFiles.save(filter, first);
    FilterFiles.save(merged, second);
    if (fits) {
      FilterFiles.installed().merge(first, List.of(first, second));
      filter.putAll(merged);
      assertEquals(into, FilterFiles.inspect(first).spec());
      assertTrue(filter.mightContain(7));
      return;
    }
    String ofFilters =
        assertThrows(IllegalArgumentException.class, () -> filter.putAll(merged)).getMessage();
    String ofFiles =
        assertThrows(
                UnexpectedFilterException.class,
                () -> FilterFiles.installed().merge(first, List.of(first, second)))
            .getMessage();
    for (String message : List.of(ofFilters, ofFiles)) {
      assertTrue(message.contains("not merged into shard 1/4, "), message);
    }
    assertFalse(filter.mightContain(7));
  }

  /**
   * Three shards whose bytes stay the same for ever; {@code -Dbloomery.record=true} writes those of
   * a new version.
   */
  @Test
  void aFolderOfShardsIsTheSameForEver() throws IOException {
    Path written = folder.resolve("golden");
    ShardWriter<String> writer =
        Bloomery.strings()
            .expect(300)
            .variant(new BlockedProvider())
            .fpp(1e-4)
            .attribute("made-by", "GoldenShards")
            .shards(3, written);
    List<String> keys = IntStream.range(0, 300).mapToObj(i -> "key-" + i).toList();
    for (int i = 0; i < 3; i++) {
      int shard = i;
      writer.write(i, keys.stream().filter(key -> writer.shardOf(key) == shard).toList());
    }
    writer.finish();
    List<Path> files;
    try (Stream<Path> all = Files.list(written)) {
      files = all.sorted().toList();
    }
    assertEquals(4, files.size());
    for (Path file : files) {
      Path golden = GOLDEN.resolve(file.getFileName().toString());
      if (Boolean.getBoolean("bloomery.record")) {
        Files.createDirectories(GOLDEN);
        Files.copy(file, golden, StandardCopyOption.REPLACE_EXISTING);
      }
      assertArrayEquals(Files.readAllBytes(golden), Files.readAllBytes(file));
    }
    ShardedBloomFilter<String> opened = Bloomery.strings().openShards(GOLDEN);
    assertEquals(keys, opened.select(keys));
    // Drawn once for all, none of these is taken for another.
    assertEquals(
        List.of(), opened.select(IntStream.range(300, 600).mapToObj(i -> "key-" + i).toList()));
  }
}
