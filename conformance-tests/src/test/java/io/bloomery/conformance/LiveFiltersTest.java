package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.LiveContent;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.run.Capability;
import io.bloomery.file.LiveFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Filters of every variant that lives in its file. */
class LiveFiltersTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @Provide
  Arbitrary<FilterProvider> variants() {
    return Arbitraries.of(living());
  }

  private static List<FilterProvider> living() {
    return BLOOMERY.providers().all().stream().filter(Capability.LIVING::isOfferedBy).toList();
  }

  @Example
  void theVariantsThatLiveInTheirFilesAreThoseOfOneTableOfBits() {
    List<FilterProvider> living = living();
    List<FilterProvider> others = new ArrayList<>(BLOOMERY.providers().all());
    others.removeAll(living);
    assertTrue(living.stream().allMatch(TableProvider.class::isInstance), living::toString);
    assertTrue(others.stream().noneMatch(TableProvider.class::isInstance), others::toString);
    assertFalse(living.isEmpty() || others.isEmpty());
    for (FilterProvider other : others) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  BLOOMERY
                      .files()
                      .openOrCreateLive(
                          Path.of("none.bloom"),
                          Duration.ZERO,
                          other,
                          FilterSpec.of(10, 0.01),
                          OpenOptions.shared()));
      assertTrue(refused.getMessage().contains("such as 'standard'"), refused.getMessage());
      assertTrue(Files.notExists(Path.of("none.bloom")));
    }
  }

  /** Of a table of some MiB, those are noted in which a word has changed. */
  @Property(tries = 15)
  void theMibThatPutsChangeAreTouched(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 3) int rate,
      @ForAll @IntRange(min = 0, max = 6) int puts,
      @ForAll ThreadMode mode,
      @ForAll long seed) {
    FilterSpec spec = FilterSpec.of(4_000_000, StrictMath.pow(10, -rate));
    long bytes = provider.plan(spec).sizeInBits() / Byte.SIZE;
    LiveContent content = new LiveContent(bytes, 1 << 30, mode);
    LivePayload payload = content.payload();
    LivePuts live = provider.livePuts(spec, provider.liveLayout(spec).orElseThrow(), payload);
    live.putAll(new SplittableRandom(seed).longs(puts).toArray(), 0, puts);
    long[] words = content.words();
    int mib = 1 << 17;
    for (int i = 0; i * (long) mib < words.length; i++) {
      boolean isSet = false;
      for (int j = i * mib; j < Math.min((i + 1) * mib, words.length); j++) {
        isSet |= words[j] != 0;
      }
      assertEquals(isSet, payload.isTouched(i), "MiB " + i);
    }
  }

  @Property(tries = 20)
  void aLiveFileIsQueriedAsAFilterOnTheHeap(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 20_000) int keys,
      @ForAll @IntRange(min = 1, max = 5) int rate,
      @ForAll long seed)
      throws IOException {
    Path folder = Files.createTempDirectory("live");
    Path path = folder.resolve("live.bloom");
    FilterSpec spec = FilterSpec.of(keys, StrictMath.pow(10, -rate));
    Filter heap = provider.create(spec, ThreadMode.SHARED);
    long[] hashes = new SplittableRandom(seed).longs(2L * keys).toArray();
    int[] expected = new int[hashes.length];
    int[] found = new int[hashes.length];
    try (LiveFilter live =
        BLOOMERY
            .files()
            .openOrCreateLive(path, Duration.ZERO, provider, spec, OpenOptions.shared())) {
      assertEquals(heap.putAll(hashes, 0, keys), live.putAll(hashes, 0, keys));
      int hits = heap.select(hashes, 0, hashes.length, expected);
      assertEquals(hits, live.select(hashes, 0, hashes.length, found));
      for (int i = 0; i < hits; i++) {
        assertEquals(expected[i], found[i]);
      }
      assertEquals(heap.stats(), live.stats());
      assertEquals(heap.layout(), live.layout());
    }
    assertArrayEquals(Payload.of(heap).words(), Payload.of(BLOOMERY.files().open(path)).words());
    Files.delete(path);
    Files.delete(folder);
  }
}
