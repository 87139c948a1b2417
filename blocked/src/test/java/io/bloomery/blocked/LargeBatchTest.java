package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches on filters that are larger than a processor's second-level cache. */
class LargeBatchTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);

  private static Filter filter(Kind kind, ThreadMode mode) {
    Filter filter = kind.provider().create(FilterSpec.of(1_000_000, kind.rate()), mode);
    assertTrue(filter.layout().get("bits") / Long.SIZE > Batches.CACHED_WORDS);
    assertTrue(filter.layout().get("bits") / Long.SIZE > Batches.CACHED_WORDS);
    return filter;
  }

  /** What is tested: partitioned filters with as many slices as have loops of their own. */
  private static Stream<Kind> kinds() {
    return Stream.of(new Kind(new BlockedProvider(), 0.01), new Kind(new BlockedProvider(), 0.005));
  }

  private static Stream<Arguments> filters() {
    return kinds()
        .flatMap(kind -> Stream.of(ThreadMode.values()).map(mode -> Arguments.of(kind, mode)));
  }

  private record Kind(FilterProvider provider, double rate) {}

  @ParameterizedTest
  @MethodSource("filters")
  void putAllDoesAsOnePutAtATimeDoes(Kind kind, ThreadMode mode) throws IOException {
    long[] hashes = new SplittableRandom(81).longs(200_000).toArray();
    System.arraycopy(hashes, 0, hashes, 150_000, 1_000);
    Filter batch = filter(kind, mode);
    Filter single = filter(kind, mode);
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
  void selectAnswersAsOneQueryAtATimeDoes(Kind kind, ThreadMode mode) {
    long[] hashes = new SplittableRandom(82).longs(1_000_000).toArray();
    Filter filter = filter(kind, mode);
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

  @ParameterizedTest
  @CsvSource({TwoWordFilter.PROBES + ", 1", FourWordFilter.PROBES + ", 4"})
  void blocksBeyondTheCacheAreAskedAsTheDefinitionSays(int probes, int more) {
    BlockedProvider provider = new BlockedProvider();
    int words = Batches.CACHED_WORDS + more;
    assertAsksAsDefined(
        words,
        table ->
            provider.wrap(SPEC, TableLayout.ofBits(table.sizeInBits()).withProbes(probes), table),
        provider,
        probes);
  }

  /** Asks tables of every density, in which queries leave after any probe, or none. */
  private static void assertAsksAsDefined(
      int words, Function<BitTable, Filter> wrap, FilterProvider places, int probes) {
    for (int density = 1; density <= 6; density++) {
      BitTable table = new BitTable(words * 64L, ThreadMode.CONFINED);
      SplittableRandom random = new SplittableRandom(84 + density);
      for (int i = 0; i < words; i++) {
        for (int j = 0; j < density; j++) {
          table.sharedWords()[i] |= random.nextLong();
        }
      }
      Filter filter = wrap.apply(table);
      long[] hashes = random.longs(1_000).toArray();
      int[] expected = new int[hashes.length];
      int count = 0;
      for (int i = 0; i < hashes.length; i++) {
        long[] positions = places.positions(hashes[i], table.sizeInBits(), probes).orElseThrow();
        boolean all = Arrays.stream(positions).allMatch(table::get);
        assertEquals(all, filter.mightContain(hashes[i]));
        expected[count] = i;
        count += all ? 1 : 0;
      }
      int[] hits = new int[hashes.length];
      int found = filter.select(hashes, 0, hashes.length, hits);
      assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void selectFindsTheOnlyKeyInAnyPlaceOfABatch(Kind kind) {
    long[] hashes = new SplittableRandom(83).longs(300).toArray();
    int[] hits = new int[hashes.length];
    for (int only : new int[] {0, 1, 63, 64, 127, 128, 298, 299}) {
      Filter filter = filter(kind, ThreadMode.SHARED);
      assertEquals(0, filter.select(hashes, 0, hashes.length, hits));
      filter.put(hashes[only]);
      assertEquals(1, filter.select(hashes, 0, hashes.length, hits));
      assertEquals(only, hits[0]);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void putAllOutOfRangeChangesNothing(Kind kind) {
    Filter filter = filter(kind, ThreadMode.SHARED);
    assertThrows(IndexOutOfBoundsException.class, () -> filter.putAll(new long[100], 50, 101));
    assertEquals(0, filter.stats().setBits());
  }
}
