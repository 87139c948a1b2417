package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Batches of every installed variant, on filters that are larger than a processor's second-level
 * cache.
 */
class LargeBatchTest {

  private static Filter filter(FilterProvider provider, double rate, ThreadMode mode) {
    Filter filter = provider.create(FilterSpec.of(1_000_000, rate), mode);
    assertTrue(provider.plan(filter.spec()).sizeInBits() / Long.SIZE > Batches.CACHED_WORDS);
    return filter;
  }

  private static final double[] RATES = {0.01, 0.005, 0.001};

  private static final Random DRAW = DayDraw.random();

  /** Each variant at one rate, drawn. */
  private static Stream<Arguments> filters() {
    return filters(provider -> new double[] {RATES[DRAW.nextInt(RATES.length)]});
  }

  private static Stream<Arguments> filtersOfAllRates() {
    return filters(provider -> RATES);
  }

  private static Stream<Arguments> filters(Function<FilterProvider, double[]> rates) {
    List<Arguments> filters = new ArrayList<>();
    for (FilterProvider provider : Bloomery.installed().providers().all()) {
      for (double rate : rates.apply(provider)) {
        for (ThreadMode mode : ThreadMode.values()) {
          filters.add(Arguments.of(provider, rate, mode));
        }
      }
    }
    return filters.stream();
  }

  @ParameterizedTest
  @MethodSource("filtersOfAllRates")
  @Tag("nightly")
  void atEachRateBatchesDoAsSingleCallsDo(FilterProvider provider, double rate, ThreadMode mode)
      throws IOException {
    putAllDoesAsOnePutAtATimeDoes(provider, rate, mode);
    selectAnswersAsOneQueryAtATimeDoes(provider, rate, mode);
    selectFindsTheOnlyKeyInAnyPlaceOfABatch(provider, rate, mode);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void putAllDoesAsOnePutAtATimeDoes(FilterProvider provider, double rate, ThreadMode mode)
      throws IOException {
    long[] hashes = new SplittableRandom(81).longs(200_000).toArray();
    System.arraycopy(hashes, 0, hashes, 150_000, 1_000);
    Filter batch = filter(provider, rate, mode);
    Filter single = filter(provider, rate, mode);
    for (int from = 0; from < hashes.length; ) {
      int to = Math.min(hashes.length, from + 1 + from % 1_999);
      int added = 0;
      for (int i = from; i < to; i++) {
        added += single.put(hashes[i]) ? 1 : 0;
      }
      assertEquals(added, batch.putAll(hashes, from, to));
      from = to;
    }
    assertArrayEquals(bytesOf(single), bytesOf(batch));
  }

  private static byte[] bytesOf(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("filters")
  void selectAnswersAsOneQueryAtATimeDoes(FilterProvider provider, double rate, ThreadMode mode) {
    long[] hashes = new SplittableRandom(82).longs(1_000_000).toArray();
    Filter filter = filter(provider, rate, mode);
    filter.putAll(hashes, 0, 500_000);
    for (int length : new int[] {0, 1, 2, 63, 64, 65, 127, 129, 1_000, 300_000}) {
      int from = 499_970 - length / 2;
      int[] hits = new int[length];
      int found = filter.select(hashes, from, from + length, hits);
      int[] expected = new int[length];
      int count = 0;
      for (int i = from; i < from + length; i++) {
        expected[count] = i;
        boolean contained = filter.mightContain(hashes[i]);
        assertTrue(contained || i >= 500_000);
        count += contained ? 1 : 0;
      }
      assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
    }
  }

  private static Collection<FilterProvider> providers() {
    return Bloomery.installed().providers().all();
  }

  @ParameterizedTest
  @MethodSource("providers")
  void tablesBeyondAllCachesAnswerSoToo(FilterProvider provider, @TempDir Path folder)
      throws IOException {
    Filter filter = provider.create(FilterSpec.of(20_000_000, 0.1), ThreadMode.SHARED);
    long[] hashes = new SplittableRandom(84).longs(20_000).toArray();
    filter.putAll(hashes, 5_000, 15_000);
    Path file = folder.resolve("filter.bloom");
    FilterFiles.save(filter, file);
    try (MappedFilter mapped = Bloomery.installed().files().map(file)) {
      for (FilterView view : List.of(filter, mapped)) {
        for (int[] range : new int[][] {{0, 20_000}, {4_990, 5_010}, {5_000, 15_000}, {7, 900}}) {
          int[] hits = new int[range[1] - range[0]];
          int[] expected =
              IntStream.range(range[0], range[1])
                  .filter(i -> filter.mightContain(hashes[i]))
                  .toArray();
          int found = view.select(hashes, range[0], range[1], hits);
          assertArrayEquals(expected, Arrays.copyOf(hits, found));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void selectFindsTheOnlyKeyInAnyPlaceOfABatch(
      FilterProvider provider, double rate, ThreadMode mode) {
    long[] hashes = new SplittableRandom(83).longs(300).toArray();
    int[] hits = new int[hashes.length];
    for (int only : new int[] {0, 1, 63, 64, 127, 128, 298, 299}) {
      Filter filter = filter(provider, rate, mode);
      assertEquals(0, filter.select(hashes, 0, hashes.length, hits));
      filter.put(hashes[only]);
      assertEquals(1, filter.select(hashes, 0, hashes.length, hits));
      assertEquals(only, hits[0]);
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void putAllOutOfRangeChangesNothing(FilterProvider provider, double rate, ThreadMode mode) {
    Filter filter = filter(provider, rate, mode);
    assertThrows(IndexOutOfBoundsException.class, () -> filter.putAll(new long[100], 50, 101));
    assertEquals(OptionalLong.of(0), filter.stats().approximateKeys());
  }
}
