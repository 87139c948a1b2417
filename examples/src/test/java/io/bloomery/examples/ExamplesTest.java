package io.bloomery.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {

  @Test
  void aGuardAsksTheStoreForLittleThatItDoesNotHave() {
    Map<String, String> users =
        IntStream.range(0, 1_000)
            .boxed()
            .collect(Collectors.toMap(i -> "user-" + i, i -> "name-" + i));
    CacheGuard guard = new CacheGuard(users, 1_000);
    users.forEach((key, value) -> assertEquals(Optional.of(value), guard.get(key)));
    assertEquals(1_000, guard.storeReads());
    for (int i = 1_000; i < 101_000; i++) {
      assertEquals(Optional.empty(), guard.get("user-" + i));
    }
    // One in a hundred is promised: 1,000, and 8 standard deviations more.
    assertTrue(guard.storeReads() < 2_250, guard.storeReads() + " reads");
  }

  @Test
  void aGuardFollowsPutsAndRemoves() {
    CacheGuard guard = new CacheGuard(Map.of(), 100);
    guard.put("a", "1");
    guard.put("a", "2");
    assertEquals(Optional.of("2"), guard.get("a"));
    guard.remove("a");
    assertEquals(Optional.empty(), guard.get("a"));
    guard.remove("a");
    guard.put("a", "3");
    assertEquals(Optional.of("3"), guard.get("a"));
    long reads = guard.storeReads();
    guard.remove("a");
    assertEquals(Optional.empty(), guard.get("a"));
    assertEquals(reads, guard.storeReads(), "the filter was left with a key that is gone");
  }

  @Test
  void aCrawlerFetchesEachPageOnceHoweverItIsSpelledAndFoundByHowManyThreadsAndRuns(
      @TempDir Path folder) throws IOException {
    Path file = folder.resolve("crawled.live");
    int pages = 50_000;
    try (CrawlerDedupe crawler = new CrawlerDedupe(file, pages)) {
      assertTrue(crawler.shouldFetch("https://example.org/a"));
      assertFalse(crawler.shouldFetch("HTTPS://Example.org/b/../a#top"));
      assertTrue(crawler.shouldFetch("https://example.org"));
      assertFalse(crawler.shouldFetch("https://example.org/"));
      assertTrue(crawler.shouldFetch("https://example.org/?a"));
    }
    long fetched = 0;
    for (int run = 1; run <= 2; run++) {
      try (CrawlerDedupe crawler = new CrawlerDedupe(file, pages)) {
        assertFalse(crawler.shouldFetch("https://example.org/a"));
        int found = pages / 2 * run;
        fetched +=
            IntStream.range(0, 4 * found)
                .parallel()
                .filter(i -> crawler.shouldFetch("https://example.org/page/" + i % found))
                .count();
        assertEquals(found, (double) crawler.pages(), pages * 0.05);
      }
    }
    // Four times each in two runs: never twice, rarely not at all.
    assertTrue(fetched <= pages && fetched > pages * 0.998, fetched + " fetched");
  }

  @Test
  void aBlockListBlocksAllThatIsListedAndNothingPrecious(@TempDir Path folder) throws IOException {
    List<String> bad = IntStream.range(0, 20_000).mapToObj(i -> "bad-" + i + ".example").toList();
    Set<String> precious =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "good-" + i + ".example")
            .collect(Collectors.toCollection(HashSet::new));
    precious.add("bad-7.example");
    BlockList list = BlockList.build(bad, precious);
    assertTrue(bad.stream().allMatch(list::blocks));
    assertEquals(List.of("bad-7.example"), precious.stream().filter(list::blocks).toList());
    assertFalse(list.allowed().isEmpty(), "20 were expected to need the allow list");
    list.save(folder.resolve("block.bloom"));
    BlockList again = BlockList.open(folder.resolve("block.bloom"), list.allowed());
    assertTrue(bad.stream().allMatch(again::blocks));
    assertEquals(List.of("bad-7.example"), precious.stream().filter(again::blocks).toList());
  }

  @Test
  void rowGroupsThatDoNotHaveAKeyAreNotRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("users.parquet");
    ParquetPruning pruning = ParquetPruning.of(file, ParquetPruning.write(file, 100));
    int read = 0;
    for (int user = 0; user < 100_000; user += 97) {
      BitSet groups = pruning.toRead("user-" + user);
      assertTrue(groups.get(user / 1_000), "user-" + user);
      read += groups.cardinality();
    }
    // One, and of the 99 others one in a hundred at most.
    assertTrue(read < 2.5 * 1_031, read + " groups read");
    ParquetPruning.main();
  }

  @Test
  void filtersOfOtherSystemsAreAskedAndChanged(@TempDir Path folder) throws IOException {
    Path db = folder.resolve("nb-1-big-Filter.db");
    ForeignFilter made = ForeignFormat.CASSANDRA_4.create(100, 0.01);
    made.put("a key that must be there", ItemEncoding.utf8());
    made.write(db);
    assertFalse(OtherSystems.cassandra(db));

    Path collected = folder.resolve("customers.bin");
    ForeignFilter customers = ForeignFormat.SPARK_V2.create(100, 0.01);
    customers.putAll(List.of(1L, 2L, 3L), ItemEncoding.longsLittleEndian());
    customers.write(collected);
    assertTrue(OtherSystems.spark(collected).mightContain(2L));

    Path guava = folder.resolve("seen.guava");
    ForeignFormat.GUAVA.create(100, 0.01).write(guava);
    OtherSystems.updated(guava);
    assertTrue(ForeignFormat.GUAVA.read(guava).view(ItemEncoding.utf8()).mightContain("one more"));
  }

  // All rules, by which other tests hold the variant in each build.
  @Test
  @Tag("nightly")
  void aCheckPassesASoundVariant() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterProvider standard = Bloomery.installed().providers().get("standard");
    assertTrue(ConformanceCheck.passes(standard, Tier.SMOKE, new PrintStream(out, true, UTF_8)));
    assertTrue(out.toString(UTF_8).startsWith("standard: PASS "), out.toString(UTF_8));
  }

  @Test
  void aCheckPassesNoBrokenVariant() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterProvider standard = Bloomery.installed().providers().get("standard");
    FilterProvider broken =
        new FilterProvider() {
          @Override
          public String variant() {
            return "broken";
          }

          @Override
          public Class<? extends Filter> filterType() {
            return standard.filterType();
          }

          @Override
          public FilterPlan plan(FilterSpec spec) {
            return standard.plan(spec);
          }

          @Override
          public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
            throw new IllegalStateException("not today");
          }

          @Override
          public Filter read(
              FilterSpec spec,
              FilterLayout layout,
              PayloadInput in,
              ThreadMode mode,
              FilterLimits limits)
              throws IOException {
            return standard.read(spec, layout, in, mode, limits);
          }
        };
    assertFalse(ConformanceCheck.passes(broken, Tier.SMOKE, new PrintStream(out, true, UTF_8)));
    assertTrue(out.toString(UTF_8).startsWith("broken: FAIL "), out.toString(UTF_8));
    assertTrue(out.toString(UTF_8).contains("\nR01: "), out.toString(UTF_8));
  }
}
