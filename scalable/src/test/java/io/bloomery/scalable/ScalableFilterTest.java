package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks one thread's view of a filter that grows. */
class ScalableFilterTest {

  private static final ScalableProvider PROVIDER = new ScalableProvider();

  private static Filter filter(long keys, double rate) {
    return PROVIDER.create(FilterSpec.of(keys, rate), ThreadMode.SHARED);
  }

  private static long[] hashes(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void whatWasPutIsFoundAfterAnyNumberOfGrowths(ThreadMode mode) {
    Filter filter = PROVIDER.create(FilterSpec.of(10, 0.01), mode);
    long[] hashes = hashes(1, 100_000);
    for (long hash : hashes) {
      boolean contained = filter.mightContain(hash);
      assertNotEquals(contained, filter.put(hash));
      assertTrue(filter.mightContain(hash));
    }
    for (long hash : hashes) {
      assertTrue(filter.mightContain(hash));
    }
    assertEquals(14, PayloadBuffer.keys(filter).length);
  }

  /** It cannot be merged, so that only one thread may put into one that is confined. */
  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aParallelStreamIsCollected(ThreadMode mode) {
    FilterBuilder<Long> asked =
        Bloomery.with(PROVIDER).<Long>keys(KeyHasher.longs()).expect(100).variant(PROVIDER);
    FilterBuilder<Long> builder = mode == ThreadMode.CONFINED ? asked.confined() : asked;
    BloomFilter<Long> filter =
        LongStream.range(0, 20_000).parallel().boxed().collect(builder.toFilter());
    for (long key = 0; key < 20_000; key++) {
      assertTrue(filter.mightContain(key));
    }
    assertTrue(PayloadBuffer.keys(filter.filter()).length > 5);
  }

  @Property(tries = 100, seed = "3", shrinking = ShrinkingMode.BOUNDED)
  void bothModesBuildTheSameFilter(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 30) int first,
      @ForAll @IntRange(min = 0, max = 500) int keys) {
    FilterSpec spec = FilterSpec.of(first, 0.2);
    Filter shared = PROVIDER.create(spec, ThreadMode.SHARED);
    Filter confined = PROVIDER.create(spec, ThreadMode.CONFINED);
    int changed = 0;
    for (long hash : hashes(seed, keys)) {
      boolean added = shared.put(hash);
      assertEquals(added, confined.put(hash));
      changed += added ? 1 : 0;
    }
    assertArrayEquals(PayloadBuffer.of(shared), PayloadBuffer.of(confined));
    assertEquals(changed, Arrays.stream(PayloadBuffer.keys(shared)).sum());
  }

  @Test
  void aLayerTakesExactlyTheKeysPlannedAndTheNextOneGrows() {
    Filter filter = filter(100, 1e-9);
    long[] hashes = hashes(2, 301);
    assertEquals(100, filter.putAll(hashes, 0, 100));
    assertArrayEquals(new long[] {100}, PayloadBuffer.keys(filter));
    assertTrue(filter.put(hashes[100]));
    assertArrayEquals(new long[] {100, 1}, PayloadBuffer.keys(filter));
    assertEquals(199, filter.putAll(hashes, 101, 300));
    assertArrayEquals(new long[] {100, 200}, PayloadBuffer.keys(filter));
    assertTrue(filter.put(hashes[300]));
    assertArrayEquals(new long[] {100, 200, 1}, PayloadBuffer.keys(filter));
  }

  @Test
  void asManyKeysAsExpectedNeverGrowIt() {
    for (double rate : new double[] {0.9, 0.1, 0.001}) {
      Filter filter = filter(5_000, rate);
      filter.putAll(hashes(3, 5_000), 0, 5_000);
      assertEquals(1, PayloadBuffer.keys(filter).length, "rate " + rate);
    }
  }

  @Test
  void keysPutAgainChangeNoByte() {
    Filter filter = filter(100, 0.01);
    long[] hashes = hashes(4, 1_000);
    filter.putAll(hashes, 0, hashes.length);
    long[] before = PayloadBuffer.of(filter);
    for (int i = 0; i < 300; i++) {
      assertEquals(0, filter.putAll(hashes, 0, hashes.length));
    }
    assertArrayEquals(before, PayloadBuffer.of(filter));
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aPutBeyondTheMaxLayersThrowsAndChangesNothing(ThreadMode mode) {
    Filter filter = PROVIDER.withMaxLayers(2).create(FilterSpec.of(10, 1e-6), mode);
    long[] hashes = hashes(5, 40);
    filter.putAll(hashes, 0, 30);
    long[] before = PayloadBuffer.of(filter);
    FilterFullException full =
        assertThrows(FilterFullException.class, () -> filter.put(hashes[30]));
    assertTrue(full.getMessage().contains("30 keys in 2 layers"), full::getMessage);
    assertFalse(filter.mightContain(hashes[30]));
    assertFalse(filter.put(hashes[0]));
    assertArrayEquals(before, PayloadBuffer.of(filter));
    FilterFullException batch =
        assertThrows(FilterFullException.class, () -> filter.putAll(hashes, 28, 40));
    assertTrue(batch.getMessage().startsWith("the first 2 of 12 are in"), batch::getMessage);
  }

  @Test
  void aPutBeyondTheMaxBytesThrowsAndChangesNothing() {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    long first = PROVIDER.plan(spec).sizeInBits() / 8;
    Filter exact = PROVIDER.withMaxBytes(first).create(spec, ThreadMode.SHARED);
    long[] hashes = hashes(6, 3_000);
    FilterFullException full =
        assertThrows(FilterFullException.class, () -> exact.putAll(hashes, 0, 3_000));
    assertTrue(full.getMessage().contains("bytes, but may take " + first), full::getMessage);
    assertArrayEquals(new long[] {1_000}, PayloadBuffer.keys(exact));
    Filter free = PROVIDER.create(spec, ThreadMode.SHARED);
    free.putAll(hashes, 0, 2_000);
    long both = free.stats().sizeInBits() / 8;
    Filter less = PROVIDER.withMaxBytes(both - 1).create(spec, ThreadMode.SHARED);
    assertThrows(FilterFullException.class, () -> less.putAll(hashes, 0, 2_000));
    Filter twice = PROVIDER.withMaxBytes(both).create(spec, ThreadMode.SHARED);
    assertThrows(FilterFullException.class, () -> twice.putAll(hashes(7, 10_000), 0, 10_000));
    assertArrayEquals(new long[] {1_000, 2_000}, PayloadBuffer.keys(twice));
  }

  @Test
  void aPutForWhichHashesAreTooShortThrowsAndChangesNothing() {
    // Of the rate asked, the first layer may have 2.4e-18, and must have 2/2^64 for each key.
    FilterSpec spec = FilterSpec.of(10, 1.6e-17);
    Filter filter = PROVIDER.withGrowth(16).create(spec, ThreadMode.SHARED);
    long[] hashes = hashes(8, 11);
    filter.putAll(hashes, 0, 10);
    FilterFullException full =
        assertThrows(FilterFullException.class, () -> filter.put(hashes[10]));
    assertTrue(full.getMessage().contains("64-bit hashes"), full::getMessage);
    assertArrayEquals(new long[] {10}, PayloadBuffer.keys(filter));
    assertTrue(filter.mightContain(hashes[9]));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 10, 11, 300})
  void copiesShareNothing(int keys) {
    Filter original = filter(10, 0.01);
    long[] hashes = hashes(9, 700);
    original.putAll(hashes, 0, keys);
    long[] before = PayloadBuffer.of(original);
    Filter copy = original.copy();
    assertArrayEquals(before, PayloadBuffer.of(copy));
    copy.putAll(hashes, 300, 700);
    assertArrayEquals(before, PayloadBuffer.of(original));
    original.putAll(hashes, 300, 700);
    assertArrayEquals(PayloadBuffer.of(copy), PayloadBuffer.of(original));
    assertEquals(original.layout(), copy.layout());
    assertEquals(original.spec(), copy.spec());
  }

  @Test
  void clearingLeavesWhatWasCreated() {
    Filter filter = filter(10, 0.01);
    long[] empty = PayloadBuffer.of(filter);
    long[] hashes = hashes(10, 500);
    filter.putAll(hashes, 0, 500);
    long[] full = PayloadBuffer.of(filter);
    filter.clear();
    assertArrayEquals(empty, PayloadBuffer.of(filter));
    assertFalse(filter.mightContain(hashes[0]));
    filter.putAll(hashes, 0, 500);
    assertArrayEquals(full, PayloadBuffer.of(filter));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 5_000})
  void aBatchSelectsWhatSingleQueriesFind(int keys) {
    Filter filter = filter(20, 0.3);
    long[] hashes = hashes(11, 10_000);
    filter.putAll(hashes, 0, keys);
    SplittableRandom random = new SplittableRandom(12);
    long[] mixed = random.longs(3_000).toArray();
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = random.nextBoolean() ? hashes[random.nextInt(Math.max(1, keys))] : mixed[i];
    }
    for (int[] range : new int[][] {{0, 3_000}, {5, 5}, {17, 18}, {100, 612}, {1, 2_999}}) {
      int[] expected =
          IntStream.range(range[0], range[1]).filter(i -> filter.mightContain(mixed[i])).toArray();
      int[] hits = new int[range[1] - range[0]];
      int found = filter.select(mixed, range[0], range[1], hits);
      assertArrayEquals(expected, Arrays.copyOf(hits, found));
    }
  }

  @Test
  void aBatchChecksItsArgumentsFirst() {
    Filter filter = filter(10, 0.01);
    filter.putAll(hashes(13, 100), 0, 100);
    int[] hits = new int[4];
    assertThrows(IllegalArgumentException.class, () -> filter.select(new long[10], 0, 5, hits));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.select(new long[3], 0, 4, hits));
  }

  @Test
  void anEmptyFilterTakesTheFirstLayerOnly() {
    FilterSpec spec = FilterSpec.of(100, 0.01);
    Filter filter = PROVIDER.create(spec, ThreadMode.SHARED);
    assertEquals(PROVIDER.plan(spec).sizeInBits(), filter.stats().sizeInBits());
    assertEquals(filter.stats().sizeInBits() / 8 + 5 * 8, filter.payloadSize());
  }

  @Test
  void itGrowsFromAHundredKeysToAMillion() {
    Filter filter = PROVIDER.create(FilterSpec.of(100, 0.01), ThreadMode.CONFINED);
    long[] hashes = hashes(14, 1_000_000);
    filter.putAll(hashes, 0, hashes.length);
    int[] hits = new int[hashes.length];
    assertEquals(hashes.length, filter.select(hashes, 0, hashes.length, hits));
    assertEquals(14, PayloadBuffer.keys(filter).length);
    assertTrue(filter.stats().sizeInBits() < 34L * hashes.length);
    assertTrue(filter.stats().falsePositiveRate() < 0.01);
  }

  @Test
  void itDoesNotMerge() {
    assertFalse(filter(10, 0.01) instanceof MergeableFilter);
  }

  @Test
  void itsNameTellsWhatItIsAndShowsNoKeys() {
    String name = filter(10, 0.01).toString();
    assertTrue(name.startsWith("scalable") && name.contains("growth=2"), name);
  }
}
