package io.bloomery.cli.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the advice with docs/choosing.md. */
class AdviceTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final int KEYS = 1_000_000;
  private static final long CACHE = 32 << 20;

  @TempDir private Path folder;

  private static TrialResult result(String variant, double bitsPerKey, double nanosPerQuery) {
    FilterDescription description =
        BLOOMERY.providers().get(variant).plan(FilterSpec.of(KEYS, 0.01)).description();
    return new TrialResult(
        variant,
        description,
        KEYS,
        KEYS,
        1,
        0,
        0.01,
        new ExactRate(0, 1),
        bitsPerKey,
        1,
        nanosPerQuery,
        0,
        true);
  }

  private static String advice(int keys, long cache, TrialResult... results) throws Failure {
    return Advice.of(BLOOMERY, new Trials(List.of(results), Map.of()), keys, 0.01, cache);
  }

  /**
   * As measured with filters of 43 KB; the documentation recommends counting filters for counting
   * only.
   */
  @Test
  void nothingIsCalledFastThatFitsIntoACache() throws Failure {
    String advice =
        advice(
            KEYS,
            CACHE,
            result("counting", 34.44, 6),
            result("blocked", 10.45, 7),
            result("standard", 9.59, 10));
    assertFalse(advice.contains("Fastest"), advice);
    assertEquals(
        """

        Smallest: standard, 9.59 bits a key.
        No fastest is named: not all of these filters (1,198,750 to 4,305,000 bytes) are 4 times as
        large as the processor's cache (33,554,432 bytes), and what is fast in a cache need not be
        beyond it. There it matters what a query reads:
          1 block: counting, blocked
          7 reads: standard
        """,
        advice);
  }

  @Test
  void oneFilterInACacheIsEnoughToSayNothing() throws Failure {
    // 1.2 MB are four times a cache, 0.6 MB are not.
    TrialResult small = result("standard", 5, 1);
    TrialResult large = result("blocked", 10, 50);
    assertFalse(advice(KEYS, 300_000, small, large).contains("Fastest"));
    assertTrue(advice(KEYS, 300_000, large).contains("Fastest"));
    assertFalse(advice(KEYS, 320_000, large).contains("Fastest"));
  }

  @Test
  void whatARunCannotTellApartIsNamedTogether() throws Failure {
    String advice =
        advice(
            KEYS,
            1_000,
            result("counting", 34.44, 34),
            result("partitioned", 9.595, 70),
            result("blocked", 10.45, 35),
            result("standard", 9.594, 72));
    assertEquals(
        """

        Smallest: standard, 9.59 bits a key; partitioned, 9.60 bits a key.
        Fastest to query, in this run and for absent keys queried one by one:
        counting, 34 ns at 34.44 bits a key; blocked, 35 ns at 10.45 bits a key.
        """,
        advice);
  }

  @Test
  void aHashSetIsNamedWhereItServesBetter() throws Failure {
    assertTrue(
        advice(2_000, CACHE, result("standard", 9.59, 10))
            .contains("\n\nNo filter is needed for 2,000 keys: a HashSet of them"));
  }

  @Test
  void theCacheIsTheLargestThatTheSystemNames() throws Exception {
    int i = 0;
    for (String size : List.of("48K\n", "32K", "1024K\n", "32M\n", "garbage")) {
      Path cache = Files.createDirectory(folder.resolve("index" + i++));
      Files.writeString(cache.resolve("size"), size);
    }
    assertEquals(32L << 20, ProcessorCache.bytes(folder));
    assertEquals(256L << 20, ProcessorCache.bytes(folder.resolve("nowhere")));
    assertTrue(ProcessorCache.bytes() > 0);
  }
}
