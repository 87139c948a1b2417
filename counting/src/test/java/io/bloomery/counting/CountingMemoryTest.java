package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jol.info.GraphLayout;

/**
 * Checks what filters take in a heap and in a file: every object that belongs to one is looked at.
 */
class CountingMemoryTest {

  private static final int KEYS = 20_000;

  // The filter itself and all that there is once, whatever its size.
  private static final int FIXED_BYTES = 1_024;

  // Of a spilled block with its planes, about.
  private static final int SPILLED_BYTES = 150;

  private static long heapBytes(Filter filter) {
    return GraphLayout.parseInstance(filter).totalSize();
  }

  private static double heapBitsPerKey(Filter filter) {
    return 8.0 * heapBytes(filter) / KEYS;
  }

  /**
   * How many blocks spill is left to chance: it is as good as Poisson, and filters may differ from
   * the plan by six deviations more than the twentieth, once in 10^9 filters, of which 600 are
   * drawn.
   */
  @Property(seed = "48", tries = 600)
  void heapAndFileAreAsPlannedAtEveryRate(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int keys = (int) (1_000 * Math.exp(random.nextDouble() * Math.log(100)));
    double lowest = variant.sizing().lowestRate;
    double low = lowest * Math.exp(random.nextDouble() * Math.log(0.95 / lowest));
    double rate = random.nextBoolean() ? low : random.nextDouble(0.05, 0.95);
    FilterSpec spec = FilterSpec.of(keys, rate);
    CounterBlockFilter<?> filter =
        variant.create(spec, random.nextBoolean() ? ThreadMode.SHARED : ThreadMode.CONFINED);
    random.longs(keys).forEach(filter::put);

    FilterPlan plan = variant.provider().plan(spec);
    double file = (double) plan.sizeInBits() / Byte.SIZE;
    double spilled = file - variant.layout(filter).bytesOfBlocks();
    double chance = 6 * Math.sqrt(SPILLED_BYTES * (spilled + SPILLED_BYTES));
    assertEquals(file, (double) filter.payloadSize(), 0.02 * file + chance, spec::toString);
    double heap = (double) plan.heapBytes();
    double measured = (double) heapBytes(filter);
    assertTrue(
        measured <= 1.05 * heap + FIXED_BYTES + chance,
        () -> measured + " bytes where " + heap + " are planned for " + spec);
    assertTrue(
        measured >= heap / 1.05 - chance,
        () -> measured + " bytes where " + heap + " are planned for " + spec);
  }

  @ParameterizedTest(name = "{0}, {2} times")
  @CsvSource({
    "SMALL, 22, 1",
    "SMALL, 40, 2",
    "SMALL, 75, 3",
    "SMALL, 95, 5",
    "SMALL, 110, 10",
    "SMALL, 145, 100",
    "SMALL, 300, 1_000_000",
    "FAST, 28, 1",
    "FAST, 81, 3",
    "FAST, 115, 10",
    "FAST, 305, 1_000_000",
  })
  void keysThatArePutSeveralTimesTakeALimitedNumberOfBits(
      CountingVariant variant, double bits, int times) {
    for (ThreadMode mode : ThreadMode.values()) {
      CounterBlockFilter<?> filter = keysPut(variant, times, mode);
      double taken = heapBitsPerKey(filter);
      assertTrue(taken <= bits, () -> taken + " bits for each different key");
      assertTrue(8.0 * filter.payloadSize() / KEYS <= bits);
      for (long hash : hashes(10)) {
        assertTrue(filter.approximateCount(hash) >= times);
      }
    }
  }

  private static long[] hashes(int keys) {
    return new SplittableRandom(23).longs(keys).toArray();
  }

  /** Puts every key as often, or adds up filters that have it as often. */
  private static CounterBlockFilter<?> keysPut(
      CountingVariant variant, int times, ThreadMode mode) {
    FilterSpec spec = FilterSpec.of(KEYS, 0.01);
    CounterBlockFilter<?> once = variant.create(spec, mode);
    once.putAll(hashes(KEYS), 0, KEYS);
    CounterBlockFilter<?> sum = variant.create(spec, mode);
    for (int bit = Integer.highestOneBit(times); bit > 0; bit >>= 1) {
      sum.putAll((Filter) sum.copy());
      if ((times & bit) != 0) {
        sum.putAll(once);
      }
    }
    return sum;
  }

  @ParameterizedTest(name = "{0}, {1} times")
  @CsvSource({"SMALL, 2", "SMALL, 3", "SMALL, 5", "SMALL, 10", "FAST, 2", "FAST, 3", "FAST, 10"})
  void theOrderOfPutsDoesNotMatter(CountingVariant variant, int times) {
    CounterBlockFilter<?> merged = keysPut(variant, times, ThreadMode.CONFINED);
    CounterBlockFilter<?> inTurn = variant.create(merged.spec(), ThreadMode.CONFINED);
    CounterBlockFilter<?> oneByOne = variant.create(merged.spec(), ThreadMode.CONFINED);
    for (int i = 0; i < times; i++) {
      inTurn.putAll(hashes(KEYS), 0, KEYS);
    }
    for (long hash : hashes(KEYS)) {
      for (int i = 0; i < times; i++) {
        oneByOne.put(hash);
      }
    }
    assertArrayEquals(PayloadWords.of(merged), PayloadWords.of(inTurn));
    assertArrayEquals(PayloadWords.of(merged), PayloadWords.of(oneByOne));
    assertEquals(heapBitsPerKey(merged), heapBitsPerKey(inTurn), 0.02 * heapBitsPerKey(merged));
    assertEquals(heapBitsPerKey(merged), heapBitsPerKey(oneByOne), 0.02 * heapBitsPerKey(merged));
  }

  @ParameterizedTest
  @EnumSource
  void whatRemovedCountsTookIsGivenBack(CountingVariant variant) {
    CounterBlockFilter<?> filter = keysPut(variant, 1, ThreadMode.SHARED);
    double before = heapBitsPerKey(filter);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        filter.putAll(hashes(KEYS), 0, KEYS);
      }
      assertTrue(heapBitsPerKey(filter) > 3 * before);
      for (int i = 0; i < 4; i++) {
        assertEquals(KEYS, filter.removeAll(hashes(KEYS), 0, KEYS));
      }
      assertArrayEquals(
          PayloadWords.of(keysPut(variant, 1, ThreadMode.SHARED)), PayloadWords.of(filter));
      // Numbers of blocks that were spilled are kept as long as another of their stripe is.
      double kept = variant == CountingVariant.SMALL ? 0.1 : 0.25;
      assertEquals(before, heapBitsPerKey(filter), kept * before);
    }
    assertEquals(KEYS, filter.removeAll(hashes(KEYS), 0, KEYS));
    CounterBlockFilter<?> empty = variant.create(filter.spec(), ThreadMode.SHARED);
    assertArrayEquals(PayloadWords.of(empty), PayloadWords.of(filter));
    assertEquals(heapBitsPerKey(empty), heapBitsPerKey(filter), 0.05 * before);
  }
}
