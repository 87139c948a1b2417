package io.bloomery.standard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.internal.Sizing;
import io.bloomery.internal.WordProbes;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardFilterTest {

  private static final double FALSE_ALARM = 1e-12;

  private static final StandardProvider PROVIDER = new StandardProvider();

  private static Filter wrap(int words, int probes, ThreadMode mode) {
    BitTable table = new BitTable(words * 64L, mode);
    return PROVIDER.wrap(
        FilterSpec.of(1, 0.1), TableLayout.ofBits(table.sizeInBits()).withProbes(probes), table);
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  /** The filter as its definition has it: one probe after the other, no shortcut. */
  private record Model(BitSet set, long bits, int probes) {
    boolean put(long hash) {
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        int bit = (int) WordProbes.position(hash, i, bits / 64);
        changed |= !set.get(bit);
        set.set(bit);
      }
      return changed;
    }

    boolean mightContain(long hash) {
      return !new Model((BitSet) set.clone(), bits, probes).put(hash);
    }
  }

  @Property(tries = 500)
  void theLoopsDoWhatTheDefinitionSays(
      @ForAll @IntRange(min = 1, max = 64) int probes,
      @ForAll @IntRange(min = 1, max = 40) int words,
      @ForAll ThreadMode mode,
      @ForAll long seed) {
    Filter filter = wrap(words, probes, mode);
    Model model = new Model(new BitSet(), words * 64L, probes);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      // From a few hashes, so that equal ones meet.
      long hash = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : random.nextLong();
      assertEquals(model.mightContain(hash), filter.mightContain(hash));
      assertEquals(model.put(hash), filter.put(hash));
      assertTrue(filter.mightContain(hash));
    }
    assertEquals(model.set().cardinality(), filter.stats().setBits());
  }

  @Property(tries = 300)
  void aBatchFindsWhatSingleQueriesFind(
      @ForAll @IntRange(min = 1, max = 64) int probes,
      @ForAll @IntRange(min = 0, max = 300) int length,
      @ForAll @IntRange(min = 0, max = 5) int from,
      @ForAll long seed) {
    Filter filter = wrap(3 + probes / 4, probes, ThreadMode.SHARED);
    SplittableRandom random = new SplittableRandom(seed);
    long[] hashes = random.longs(from + length + 3).toArray();
    for (int i = 0; i < hashes.length; i += 1 + random.nextInt(4)) {
      filter.put(hashes[i]);
    }
    int[] hits = new int[length];
    int found = filter.select(hashes, from, from + length, hits);
    int[] expected = new int[length];
    int count = 0;
    for (int i = from; i < from + length; i++) {
      if (filter.mightContain(hashes[i])) {
        expected[count++] = i;
      }
    }
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
  }

  @Test
  void aBatchWithoutRoomForItsResultIsRefused() {
    Filter filter = wrap(1, 3, ThreadMode.SHARED);
    assertThrows(
        IllegalArgumentException.class, () -> filter.select(new long[10], 0, 10, new int[9]));
    assertThrows(
        IndexOutOfBoundsException.class, () -> filter.select(new long[10], 5, 11, new int[99]));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.putAll(new long[10], -1, 3));
    assertEquals(0, filter.stats().setBits());
  }

  @Property(tries = 100)
  void sharedAndConfinedFiltersAreWrittenAlike(
      @ForAll @IntRange(min = 1, max = 64) int probes, @ForAll long seed) throws IOException {
    Filter shared = wrap(30, probes, ThreadMode.SHARED);
    Filter confined = wrap(30, probes, ThreadMode.CONFINED);
    for (long hash : new SplittableRandom(seed).longs(50).toArray()) {
      assertEquals(shared.put(hash), confined.put(hash));
    }
    assertArrayEquals(bytes(shared), bytes(confined));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 4000",
    "1, 0.01, 4000",
    "2, 0.1, 4000",
    "10, 0.01, 2000",
    "10, 1e-4, 2000",
    "100, 0.03, 400",
    "1000, 0.01, 50",
    "100000, 0.01, 1",
    "100000, 0.001, 1"
  })
  void theRateIsKept(int keys, double rate, int filters) {
    SplittableRandom random = new SplittableRandom(4);
    int queries = 4_000_000 / filters;
    int hits = 0;
    double fill = 0;
    FilterSpec spec = FilterSpec.of(keys, rate);
    for (int i = 0; i < filters; i++) {
      Filter filter = PROVIDER.create(spec, ThreadMode.CONFINED);
      for (int key = 0; key < keys; key++) {
        filter.put(random.nextLong());
      }
      for (int query = 0; query < queries; query++) {
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
      fill += filter.stats().falsePositiveRate() / filters;
    }
    int asked = filters * queries;
    BinomialTest test = new BinomialTest();
    // Given the fills, hits are binomial; the fills themselves vary by 7.1 standard deviations less
    // than once in 1e12.
    double m = PROVIDER.plan(spec).sizeInBits();
    double k = PROVIDER.plan(spec).probes();
    double c = k * keys / m;
    double variance = Math.exp(-c) - (1 + c) * Math.exp(-2 * c);
    double spread = k * Math.sqrt(variance / m) / (1 - Math.exp(-c));
    double bound = Math.min(1, rate * (1 + 7.1 * spread / Math.sqrt(filters)));
    double tail = test.binomialTest(asked, hits, bound, AlternativeHypothesis.GREATER_THAN);
    assertTrue(tail >= FALSE_ALARM, hits + " of " + asked + ", from the fills " + fill);
    double tailOfFill = test.binomialTest(asked, hits, fill, AlternativeHypothesis.GREATER_THAN);
    assertTrue(tailOfFill >= FALSE_ALARM, hits + " of " + asked + ", but stats say " + fill);
  }

  @Test
  void theEstimateOfKeysIsWithinSixStandardErrors() {
    for (int keys : new int[] {100, 1_000, 10_000, 100_000}) {
      FilterSpec spec = FilterSpec.of(keys, 0.01);
      TableLayout layout = PROVIDER.layoutFor(spec);
      for (int put : new int[] {keys / 4, keys / 2, keys, 2 * keys}) {
        Filter filter = PROVIDER.create(spec, ThreadMode.CONFINED);
        new SplittableRandom(5).longs(put).forEach(filter::put);
        double c = (double) layout.probes() * put / layout.bits();
        double error = Math.sqrt(layout.bits() * (Math.exp(c) - c - 1)) / layout.probes();
        assertEquals(put, (double) filter.stats().approximateKeys().getAsLong(), 6 * error + 1);
      }
    }
  }

  @Test
  void aSaturatedFilterAnswersAndCannotTellItsKeys() {
    Filter filter = wrap(1, 2, ThreadMode.SHARED);
    new SplittableRandom(6).longs(5_000).forEach(filter::put);
    assertTrue(filter.mightContain(123));
    assertFalse(filter.put(123));
    assertEquals(1, filter.stats().falsePositiveRate());
    assertTrue(filter.stats().approximateKeys().isEmpty());
  }

  @Test
  void sizesAreThoseThatWereAlwaysWritten() {
    assertEquals("{bits=64, probes=1}", layout(1, 0.5));
    assertEquals("{bits=64, probes=2}", layout(1, 0.01));
    assertEquals("{bits=9600, probes=7}", layout(1_000, 0.01));
    assertEquals("{bits=9592960, probes=7}", layout(1_000_000, 0.01));
    assertEquals("{bits=28755328, probes=20}", layout(1_000_000, 1e-6));
  }

  private static String layout(long keys, double rate) {
    return PROVIDER.layoutFor(FilterSpec.of(keys, rate)).toString();
  }

  /** Beyond a core's own cache there are loops of their own, and others after batches of hits. */
  @Property(tries = 80, seed = "31")
  void largeTablesAreAskedAsTheDefinitionSays(
      @ForAll @IntRange(min = 1, max = 24) int probes,
      @ForAll @IntRange(min = 1, max = 6) int density,
      @ForAll long seed) {
    long words = Batches.CACHED_WORDS + 5;
    BitTable table = new BitTable(words * 64, ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < words; i++) {
      for (int j = 0; j < density; j++) {
        table.sharedWords()[i] |= random.nextLong();
      }
    }
    Filter filter =
        PROVIDER.wrap(
            FilterSpec.of(1, 0.1),
            TableLayout.ofBits(table.sizeInBits()).withProbes(probes),
            table);
    long[] hashes = random.longs(1_000).toArray();
    int[] expected = new int[hashes.length];
    int count = 0;
    for (int i = 0; i < hashes.length; i++) {
      boolean all = true;
      for (int j = 0; j < probes; j++) {
        all &= table.get(WordProbes.position(hashes[i], j, words));
      }
      assertEquals(all, filter.mightContain(hashes[i]));
      expected[count] = i;
      count += all ? 1 : 0;
    }
    int[] hits = new int[hashes.length];
    int found = filter.select(hashes, 0, hashes.length, hits);
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
  }

  /** Beyond a core's own cache, mapped tables leave early too. */
  @ParameterizedTest
  @ValueSource(doubles = {0.4, 0.1, 0.05, 0.01, 0.0001})
  void aLargeMappedTableAnswersAsTheFilterDoes(double rate, @TempDir Path folder)
      throws IOException {
    SplittableRandom random = new SplittableRandom(37);
    Filter filter = PROVIDER.create(FilterSpec.of(5_000_000, rate), ThreadMode.CONFINED);
    assertTrue(filter.stats().sizeInBits() > 64L * Batches.CACHED_WORDS);
    long[] hashes = random.longs(2_000).toArray();
    for (int i = 0; i < 1_000; i++) {
      filter.put(hashes[i]);
    }
    Path path = folder.resolve("filter");
    FilterFiles.save(filter, path);
    int[] expected = new int[hashes.length];
    int[] hits = new int[hashes.length];
    try (MappedFilter mapped = FilterFiles.installed().map(path)) {
      for (long hash : hashes) {
        assertEquals(filter.mightContain(hash), mapped.mightContain(hash));
      }
      int found = filter.select(hashes, 0, hashes.length, expected);
      assertEquals(found, mapped.select(hashes, 0, hashes.length, hits));
      assertArrayEquals(expected, hits);
    }
  }

  /** Words of large tables come unequally often, by one of the 2^32 values that pick them. */
  @ParameterizedTest
  @CsvSource({"100000000, 1.00001", "1000000000, 1.0003", "10000000000, 1.02"})
  void largeTablesAreMadeForWordsThatComeUnequallyOften(long keys, double larger) {
    FilterSpec spec = FilterSpec.of(keys, 0.01);
    TableLayout even = TableLayout.smallest(spec);
    TableLayout layout = PROVIDER.layoutFor(spec);
    double rate = 0.01 - Sizing.collisionRate(spec.expectedKeys());
    assertTrue(PROVIDER.rate(spec.expectedKeys(), even) > rate);
    assertTrue(PROVIDER.rate(spec.expectedKeys(), layout) <= rate);
    assertTrue(layout.bits() < even.bits() * larger, layout::toString);
    FilterSpec small = FilterSpec.of(1_000_000, 0.01);
    assertEquals(TableLayout.smallest(small), PROVIDER.layoutFor(small));
  }

  @Property(tries = 100)
  void shrinkingTakesTheLargestFactorThatKeepsTheRate(
      @ForAll @IntRange(min = 1, max = 3_000) int words,
      @ForAll @IntRange(min = 0, max = 2_000) int keys,
      @ForAll @IntRange(min = 1, max = 99) int percent,
      @ForAll long seed) {
    double rate = percent / 100.0;
    BitTable table = new BitTable(words * 64L, ThreadMode.CONFINED);
    MergeableFilter filter =
        PROVIDER.wrap(
            FilterSpec.of(5_000, 1e-3), TableLayout.ofBits(words * 64L).withProbes(7), table);
    new SplittableRandom(seed).longs(keys).forEach(filter::put);
    int largest = 1;
    for (int factor : filter.folding().factors()) {
      if (filter.folded(factor).stats().falsePositiveRate() <= rate) {
        largest = factor;
      }
    }
    MergeableFilter shrunk = filter.shrunk(rate);
    assertEquals(words / largest * 64L, shrunk.layout().get("bits"));
    assertEquals(largest == 1, shrunk == filter);
    assertEquals(5_000, shrunk.spec().expectedKeys());
  }

  @Test
  void aShrunkFilterOfKeysHasAllOfThemAndMergesWithOneMadeAsSmall() {
    BloomFilter<Long> large = Bloomery.longs().expect(100_000).fpp(0.001).create();
    for (long key = 0; key < 1_000; key++) {
      large.put(key);
    }
    BloomFilter<Long> small = large.shrunk(0.01);
    assertTrue(small.serializedSize() < large.serializedSize());
    assertTrue(small.stats().falsePositiveRate() <= 0.01);
    for (long key = 0; key < 1_000; key++) {
      assertTrue(small.mightContain(key));
    }
    assertEquals(100_000, small.spec().expectedKeys());
    int factor = (int) (large.stats().sizeInBits() / small.stats().sizeInBits());
    String hint = "; the larger one fits after folded(" + factor + ")";
    assertTrue(small.incompatibility(large).orElseThrow().endsWith(hint));
    assertTrue(large.incompatibility(small).orElseThrow().endsWith(hint));
    small.putAll(large.folded(factor));
    assertSame(small, small.shrunk(1e-9));
    assertThrows(IllegalArgumentException.class, () -> small.shrunk(0));
    assertThrows(IllegalArgumentException.class, () -> small.folded(0));
  }

  @Property
  void aFoldableTableIsHardlyLargerAndFoldsByALargePowerOfTwo(
      @ForAll @LongRange(min = 1, max = 5_000_000_000L) long keys,
      @ForAll @IntRange(min = 1, max = 90) int percent) {
    FilterSpec spec = FilterSpec.of(keys, percent / 100.0);
    FilterSpec foldable = spec.withAttributes(Map.of(FilterSpec.FOLDABLE, "true"));
    FilterPlan plan = PROVIDER.plan(foldable);
    long least = PROVIDER.plan(spec).sizeInBits() / 64;
    long words = plan.sizeInBits() / 64;
    assertTrue(least <= words && words - least <= least / 200, () -> least + ", " + words);
    assertTrue(
        Long.lowestOneBit(words) >= least / 400, () -> Long.lowestOneBit(words) + " of " + words);
    assertTrue(plan.falsePositiveRate(keys) <= spec.falsePositiveRate());
  }

  @Test
  void onlyWhatFoldsIsFoldable() {
    FilterBuilder<Long> foldable = Bloomery.longs().expect(20_000).foldable();
    BloomFilter<Long> filter = foldable.create();
    assertTrue(filter.spec().isFoldable());
    assertTrue(IntStream.of(foldable.plan().folding().factors()).anyMatch(i -> i == 8));
    assertEquals(foldable.plan().sizeInBits(), filter.stats().sizeInBits());
    FilterBuilder<Long> fixed = foldable.variant(new FixedProvider());
    assertThrows(IllegalArgumentException.class, fixed::create);
    assertThrows(IllegalArgumentException.class, fixed::plan);
    assertThrows(IllegalArgumentException.class, () -> foldable.shards(2, Path.of("unused")));
    FilterSpec shard = Sharding.of(FilterSpec.of(20_000, 0.01), 2).spec(1);
    MergeableFilter filterOfShard = (MergeableFilter) PROVIDER.create(shard, ThreadMode.CONFINED);
    assertTrue(filterOfShard.folding().refusal(1).orElseThrow().startsWith("a shard"));
  }

  /** A provider of filters that are not said to fold. */
  private static final class FixedProvider extends TableProvider {
    @Override
    public String variant() {
      return "fixed";
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      return PROVIDER.layoutFor(spec);
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      return PROVIDER.rate(keys, layout);
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      return new StandardFilter(this, spec, layout, table);
    }
  }
}
