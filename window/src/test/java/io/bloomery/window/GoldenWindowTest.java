package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files whose bytes stay the same for ever; {@code -Dbloomery.record=true} writes those of a new
 * version.
 */
class GoldenWindowTest {

  private static final Path GOLDEN = Path.of("../docs/golden/window-version-1");
  private static final Clock WALL =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  @TempDir Path folder;

  private static SlidingBloomFilterBuilder<String> builder(String variant, int keys, double rate) {
    return SlidingBloomFilter.builder(Bloomery.strings().expect(keys).variant(variant).fpp(rate))
        .clock(WALL)
        .ticker(() -> 0);
  }

  private static void put(SlidingBloomFilter<String> window, int from, int to) {
    for (int i = from; i < to; i++) {
      window.put("key-" + i);
    }
  }

  /** In a window of an odd number of keys, in the middle of its fifth generation. */
  @Test
  void theLastKeysAreTheSameForEver() throws IOException {
    SlidingBloomFilter<String> window = builder("standard", 101, 1e-9).create();
    put(window, 0, 240);
    // Four generations were closed, by 51, 50, 51 and 50 new keys: those before 101 are forgotten.
    assertSame(window, "keys", IntStream.range(101, 240), IntStream.range(0, 101));
  }

  @Test
  void theKeysOfATimeAreTheSameForEver() throws IOException {
    long[] now = {0};
    SlidingBloomFilter<String> window =
        builder("blocked", 50, 1e-4).lasting(Duration.ofHours(1)).ticker(() -> now[0]).create();
    put(window, 0, 30);
    now[0] = Duration.ofMinutes(31).toNanos();
    put(window, 30, 60);
    now[0] = Duration.ofMinutes(101).toNanos();
    put(window, 60, 70);
    now[0] = Duration.ofMinutes(110).toNanos();
    assertSame(window, "time", IntStream.range(30, 70), IntStream.range(0, 30));
  }

  private void assertSame(
      SlidingBloomFilter<String> window, String name, IntStream remembered, IntStream forgotten)
      throws IOException {
    Path golden = GOLDEN.resolve(name + ".window");
    if (Boolean.getBoolean("bloomery.record")) {
      Files.createDirectories(GOLDEN);
      window.save(golden);
    }
    Path saved = folder.resolve(name);
    window.save(saved);
    assertArrayEquals(Files.readAllBytes(golden), Files.readAllBytes(saved));
    SlidingBloomFilter<String> opened =
        SlidingBloomFilter.open(Bloomery.strings(), golden, () -> 0, WALL);
    assertEquals(window.spec(), opened.spec());
    assertEquals(window.time(), opened.time());
    assertEquals(
        List.of(),
        remembered.filter(i -> !opened.mightContain("key-" + i)).boxed().toList(),
        "not remembered");
    // Drawn once for all, none of these is taken for another.
    assertEquals(
        List.of(),
        forgotten.filter(i -> opened.mightContain("key-" + i)).boxed().toList(),
        "not forgotten");
    opened.save(saved);
    assertArrayEquals(Files.readAllBytes(golden), Files.readAllBytes(saved));
  }
}
