package io.bloomery.fuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuseFilterTest {

  private static final FuseProvider PROVIDER = new FuseProvider();
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  private static StoredFilter built(FilterSpec spec, LongStream hashes) {
    return PROVIDER.build(spec, hashes, FilterLimits.HEAP);
  }

  private static FilterSpec spec(long keys, int width) {
    return FilterSpec.of(keys, 1.1 * StrictMath.pow(2, -width));
  }

  /** Returns a provider whose filters of a number of keys have several parts, or one. */
  private static FuseProvider ofParts(int keys, int parts, int bytesPerArray) {
    return new FuseProvider(Math.max(1, (keys - 1) / parts + 1), bytesPerArray); // one, not two
  }

  private static StoredFilter read(FuseProvider provider, StoredFilter filter, Content content)
      throws IOException {
    return provider.read(
        filter.spec(), filter.layout(), content, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  @Property(seed = "1", tries = 300)
  void equalSetsGiveEqualBytesAndEachHashIsFound(
      @ForAll @IntRange(min = 0, max = 3_000) int count,
      @ForAll @IntRange(min = 0, max = 500) int spare,
      @ForAll @IntRange(min = 1, max = 32) int width,
      @ForAll @IntRange(min = 1, max = 4) int times,
      @ForAll @IntRange(min = 1, max = 12) int parts,
      @ForAll @IntRange(min = 1, max = 20_000) int bytesPerArray,
      @ForAll long draw)
      throws IOException {
    FilterSpec spec = spec(Math.max(1, count + spare), width);
    long[] hashes = new SplittableRandom(draw).longs(count).toArray();
    FuseProvider provider = ofParts(count + spare, parts, bytesPerArray);
    StoredFilter filter = provider.build(spec, LongStream.of(hashes), FilterLimits.HEAP);
    assertEquals(provider.plan(spec).sizeInBits(), 8 * filter.payloadSize());
    long[] words = Content.of(filter).words;
    LongStream others =
        LongStream.range(0, (long) count * times).map(i -> hashes[(int) (count - 1 - i % count)]);
    StoredFilter again = provider.build(spec, others.parallel(), FilterLimits.HEAP);
    assertArrayEquals(words, Content.of(again).words);
    StoredFilter read = read(provider, filter, Content.of(filter));
    FilterView mapped = PROVIDER.map(spec, filter.layout(), Content.of(filter));
    PROVIDER.check(spec, filter.layout(), Content.of(filter));
    for (FilterView view : List.of(filter, read, mapped)) {
      assertEquals(count, view.select(hashes, 0, count, new int[count]));
      assertEquals(filter.stats(), view.stats());
      assertEquals(count, view.stats().approximateKeys().orElseThrow());
    }
    long[] asked = new SplittableRandom(~draw).longs(500).toArray();
    System.arraycopy(hashes, 0, asked, 0, Math.min(count, 200));
    int[] hits = new int[500];
    int[] alike = new int[500];
    int from = parts;
    int found = filter.select(asked, from, 500, hits);
    assertEquals(found, ((FuseFilter) filter).selectInPasses(asked, from, 500, alike));
    assertArrayEquals(Arrays.copyOf(hits, found), Arrays.copyOf(alike, found));
    for (long hash : asked) {
      boolean answer = asFormatted(hash, words, filter.layout().toMap());
      assertEquals(answer, filter.mightContain(hash));
      assertEquals(answer, read.mightContain(hash));
      assertEquals(answer, mapped.mightContain(hash));
    }
  }

  /** The answer that the specification of the format gives, in whole numbers. */
  private static boolean asFormatted(long hash, long[] words, Map<String, Long> layout) {
    int segment = layout.get("segment").intValue();
    int width = layout.get("width").intValue();
    long firsts = segment * (layout.get("segments") - 3);
    long parts = layout.getOrDefault("parts", 1L);
    int partWords = words.length / (int) parts;
    boolean any = false;
    for (int end = partWords; end <= words.length; end += partWords) {
      any |= words[end - 1] << 16 != 0;
    }
    int part = (int) position(mixed(hash), parts);
    long key = (words[(part + 1) * partWords - 1] >>> 48) * 0x9e3779b97f4a7c15L;
    long mixed = mixed(parts == 1 ? hash ^ key : hash);
    BigInteger spread = product(parts == 1 ? mixed : mixed ^ key, 0x9e3779b97f4a7c15L);
    long first = position(mixed, firsts * parts) - part * firsts;
    long all = mixed;
    for (int i = 0; i < 4; i++) {
      long within = i == 0 ? 0 : spread.shiftRight(64 - 18 * i).longValue() % segment;
      long cell = (first / segment + i) * segment + (first % segment ^ within);
      for (int bit = 0; bit < width; bit++) {
        int at = (int) cell * width + bit;
        all ^= (words[part * partWords + at / 64] >>> (at % 64) & 1) << bit;
      }
    }
    return any && all << (64 - width) == 0;
  }

  private static long mixed(long hash) {
    BigInteger product = product(hash, 0xbf58476d1ce4e5b9L);
    return product.xor(product.shiftRight(32)).longValue();
  }

  private static long position(long mixed, long numbers) {
    return unsigned(mixed)
        .shiftRight(1)
        .multiply(BigInteger.valueOf(2 * numbers))
        .shiftRight(64)
        .longValue();
  }

  private static BigInteger product(long a, long b) {
    return unsigned(a).multiply(unsigned(b)).mod(TWO_TO_64);
  }

  private static BigInteger unsigned(long word) {
    return BigInteger.valueOf(word).mod(TWO_TO_64);
  }

  @Test
  void aSetThatFailsWithEverySeedEndsWithAnException() {
    FilterSpec spec = spec(2 * FuseTail.SEEDS, 7);
    FuseLayout layout = FuseLayout.of(spec, FuseLayout.KEYS_PER_PART);
    Map<List<Long>, Long> byCells = new HashMap<>();
    SplittableRandom random = new SplittableRandom(3);
    long one;
    Long other;
    do {
      one = random.nextLong();
      long spread = FuseHash.spread(one);
      int mask = layout.segment() - 1;
      other =
          byCells.put(
              List.of(
                  FuseHash.first(one, layout.twiceFirsts()),
                  spread >>> FuseHash.SECOND & mask,
                  spread >>> FuseHash.THIRD & mask,
                  spread >>> FuseHash.FOURTH & mask),
              one);
    } while (other == null);
    long[] pair = {one, other};
    LongStream chosen =
        LongStream.range(0, 2 * FuseTail.SEEDS)
            .map(i -> FuseHash.unmix(pair[(int) i % 2], FuseHash.key(i / 2)));
    String message =
        assertThrows(IllegalArgumentException.class, () -> built(spec, chosen)).getMessage();
    assertTrue(message.contains("hash them with a secret"), message);
  }

  /** Of one first cell, and so many that their other cells are fewer, whatever the seed. */
  @Test
  void aLargeSetThatWasChosenEndsAfterFewSeeds() {
    int keys = 1 << 21;
    FuseProvider provider = new FuseProvider(keys, FuseLayout.MAX_BYTES);
    FilterSpec spec = spec(3L * keys, 7);
    FuseLayout layout = FuseLayout.of(spec, keys);
    LongStream chosen =
        LongStream.range(0, 4L * layout.segment()).map(i -> FuseHash.unmix(i, FuseHash.key(0)));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> provider.build(spec, chosen, FilterLimits.HEAP))
            .getMessage();
    assertTrue(message.contains("none of 12 seeds separates"), message);
  }

  @Test
  void morePerPartThanItHasCellsEndWithAnException() {
    FuseProvider provider = new FuseProvider(10, 200);
    LongStream ofOnePart = LongStream.range(0, 500).map(i -> FuseHash.unmix(i, FuseHash.key(0)));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> provider.build(spec(1_000, 7), ofOnePart, FilterLimits.HEAP))
            .getMessage();
    assertTrue(message.contains("hash them with a secret"), message);
  }

  // A count of eight bits would be 1 for 257 hashes.
  @Test
  void noCountOfHashesInACellIsTakenForAnother() {
    FilterSpec spec = spec(1 << 20, 7);
    FuseLayout layout = FuseLayout.of(spec, FuseLayout.KEYS_PER_PART);
    LongStream inOneCell =
        LongStream.rangeClosed(1, 257)
            .map(i -> FuseHash.unmix(i, FuseHash.key(0)))
            .filter(hash -> FuseHash.first(FuseHash.mix(hash, 0), layout.twiceFirsts()) == 0);
    StoredFilter filter = built(spec, inOneCell);
    for (long i = 1; i <= 257; i++) {
      assertTrue(filter.mightContain(FuseHash.unmix(i, FuseHash.key(0))));
    }
  }

  @Test
  void mostDuplicatesTakeNoRoom() {
    FilterSpec spec = spec(100, 7);
    StoredFilter filter = built(spec, LongStream.range(0, 10_000_000).map(i -> i % 100 * 77));
    assertEquals(100, filter.stats().approximateKeys().orElseThrow());
    assertThrows(
        IllegalArgumentException.class,
        () -> built(spec, LongStream.range(0, 10_000_000).map(i -> i % 101 * 77)));
  }

  @ParameterizedTest(name = "segment {0}, segments {1}, width {2}")
  @CsvSource({
    "3, 8, 7, segment must be a power of two",
    "0, 8, 7, segment must be a power of two",
    "524288, 8, 7, segment must be a power of two",
    "8, 3, 7, segments must be from 4",
    "8, 268435455, 7, segments must be from 4",
    "8, 8, 0, width must be from 1 to 32",
    "8, 8, 33, width must be from 1 to 32",
    "8, 9, 7, payload must have 72 bytes"
  })
  void layoutsThatNoFilterHasAreRefused(long segment, long segments, long width, String reason)
      throws IOException {
    Content content = Content.of(built(spec(1, 7), LongStream.empty()));
    FilterLayout layout =
        FilterLayout.of("segment", segment).with("segments", segments).with("width", width);
    for (Executable reading :
        List.<Executable>of(
            () -> PROVIDER.map(spec(1, 7), layout, content),
            () -> PROVIDER.check(spec(1, 7), layout, content),
            () ->
                PROVIDER.read(spec(1, 7), layout, content, ThreadMode.SHARED, FilterLimits.HEAP))) {
      String message = assertThrows(FilterFormatException.class, reading).getMessage();
      assertTrue(message.contains(reason), message);
    }
  }

  @ParameterizedTest(name = "{0} parts")
  @CsvSource({"1, parts must be from 2", "1048577, parts must be from 2", "3, payload must have"})
  void partsThatNoFilterHasAreRefused(long parts, String reason) throws IOException {
    FuseProvider provider = new FuseProvider(10, 200);
    StoredFilter filter = provider.build(spec(40, 7), LongStream.range(0, 20), FilterLimits.HEAP);
    assertEquals(4, filter.layout().get("parts"));
    FilterLayout layout =
        FilterLayout.of("segment", filter.layout().get("segment"))
            .with("segments", filter.layout().get("segments"))
            .with("width", filter.layout().get("width"))
            .with("parts", parts);
    Content content = Content.of(filter);
    String message =
        assertThrows(
                FilterFormatException.class, () -> PROVIDER.check(filter.spec(), layout, content))
            .getMessage();
    assertTrue(message.contains(reason), message);
  }

  @Test
  void contentThatNoBuildGivesIsRefused() throws IOException {
    StoredFilter full = built(spec(10, 7), LongStream.range(0, 10));
    StoredFilter empty = built(spec(10, 7), LongStream.empty());
    int tail = (int) full.payloadSize() / Long.BYTES - 1;
    assertFalse(empty.mightContain(0));
    assertRefused(full, tail, 1L << 58, "seed must be below 1024");
    assertRefused(full, tail, 1L << 40, "as many hashes as cells");
    assertRefused(full, tail - 1, Long.MIN_VALUE, "bits behind the last cell");
    assertRefused(empty, 0, 1, "of no hashes must be zero");
    assertRefused(empty, tail, 1L << 48, "of no hashes must be zero");
    FuseProvider ofParts = new FuseProvider(10, 200);
    StoredFilter parts = ofParts.build(spec(40, 7), LongStream.range(0, 30), FilterLimits.HEAP);
    int size = (int) parts.payloadSize() / Long.BYTES / 4;
    for (int end = size; end <= 4 * size; end += size) {
      assertRefused(parts, end - 1, 1L << 58, "seed must be below 1024");
      assertRefused(parts, end - 1, 1L << 40, "as many hashes as cells");
      assertRefused(parts, end - 2, Long.MIN_VALUE, "bits behind the last cell");
    }
  }

  private static void assertRefused(StoredFilter filter, int word, long bit, String reason)
      throws IOException {
    for (int i = 0; i < 2; i++) {
      Content content = Content.of(filter);
      content.words[word] ^= bit;
      Executable reading =
          i == 0
              ? () -> read(PROVIDER, filter, content)
              : () -> PROVIDER.check(filter.spec(), filter.layout(), content);
      String message = assertThrows(FilterFormatException.class, reading).getMessage();
      assertTrue(message.contains(reason), message);
    }
  }
}
