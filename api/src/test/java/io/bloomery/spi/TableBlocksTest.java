package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Sizing;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableBlocksTest {

  private static final TableBlocks LINES = TableBlocks.ofBits(512);

  private static TableLayout layout(long blocks, int probes) {
    return TableLayout.ofBits(512 * blocks).withProbes(probes).with(TableBlocks.BLOCK_BITS, 512);
  }

  // With one probe it does not matter where blocks begin: a bit is as likely as any other.
  @ParameterizedTest
  @CsvSource({"1, 1", "100, 1", "1, 7", "1000, 20", "1000000, 20000"})
  void oneProbeHasTheRateOfOneTable(long keys, long blocks) {
    double fill = -Math.expm1(keys * Math.log1p(-1.0 / (512 * blocks)));
    assertEquals(fill, LINES.falsePositiveRate(keys, layout(blocks, 1)), fill * 1e-11);
  }

  @Test
  void theBitsOfOneKeyMayCoincide() {
    double b = 512;
    double rate = (1 / b * Math.pow(1 / b, 2)) + ((1 - 1 / b) * Math.pow(2 / b, 2));
    assertEquals(rate, LINES.falsePositiveRate(1, layout(1, 2)), rate * 1e-12);
  }

  // Of few blocks, many numbers of probes may need the same before a further one needs fewer.
  @ParameterizedTest
  @CsvSource({
    "1, 0.5",
    "1, 0.001",
    "1000, 0.01",
    "100000, 0.01",
    "1000000, 0.0001",
    "50000, 1e-7",
    "27, 4.31e-7",
    "39, 5.85e-7",
    "135, 3.59e-9",
    "3000, 0.99"
  })
  void theSmallestTableKeepsTheRateAndNoNumberOfProbesNeedsABlockLess(long keys, double rate) {
    TableLayout layout = LINES.smallest(FilterSpec.of(keys, rate));
    assertEquals(512, layout.get(TableBlocks.BLOCK_BITS));
    double max = rate - Sizing.collisionRate(keys);
    assertTrue(LINES.falsePositiveRate(keys, layout) <= max);
    long fewer = layout.bits() / 512 - 1;
    for (int k = 1; k <= TableLayout.MAX_PROBES && fewer > 0; k++) {
      assertTrue(LINES.falsePositiveRate(keys, layout(fewer, k)) > max, "probes: " + k);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.01, 1.04", "0.001, 1.08", "1e-5, 1.24"})
  void aCacheLineCostsAsManyBitsAsIsSaid(double rate, double times) {
    FilterSpec spec = FilterSpec.of(1_000_000, rate);
    double bits = LINES.smallest(spec).bits();
    assertEquals(times, bits / TableLayout.smallest(spec).bits(), 0.01 * times);
  }

  @Test
  void moreThanOneTableIsRefused() {
    FilterSpec spec = FilterSpec.of(1_000_000_000_000L, 0.01);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> LINES.smallest(spec));
    assertTrue(refused.getMessage().contains("spread the keys over several filters"));
  }

  // The standard error of 100,000 keys is below 0.2 %; seed 38, five of them: chance 6e-7.
  @Test
  void statisticsTellTheRateAndTheKeys() {
    FilterSpec spec = FilterSpec.of(100_000, 0.01);
    TableLayout layout = LINES.smallest(spec);
    BitTable table = new BitTable(layout.bits(), ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(38);
    for (int i = 0; i < 100_000; i++) {
      long block = random.nextLong(layout.bits() / 512) * 512;
      for (int k = 0; k < layout.probes(); k++) {
        table.set(block + random.nextInt(512));
      }
    }
    FilterStats stats = LINES.stats(spec, layout, table);
    assertEquals(table.countSetBits(), stats.setBits());
    assertEquals(layout.bits(), stats.sizeInBits());
    assertEquals(1e5, (double) stats.approximateKeys().orElseThrow(), 1e3);
    double expected = LINES.falsePositiveRate(100_000, layout);
    assertEquals(expected, stats.falsePositiveRate(), 0.02 * expected);
  }

  // The standard error is 130 keys, over 20 seeds; seed 0, five of them: chance 6e-7. With the
  // logarithm alone, which is curved, the estimate would be 1,050 too high.
  @Test
  void theErrorsOfManySmallBlocksDoNotAddUp() {
    TableBlocks words = TableBlocks.ofBits(64);
    FilterSpec spec = FilterSpec.of(100_000, 0.01);
    TableLayout layout = words.smallest(spec);
    BitTable table = new BitTable(layout.bits(), ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(0);
    for (int i = 0; i < 200_000; i++) {
      long block = random.nextLong(layout.bits() / 64) * 64;
      for (int k = 0; k < layout.probes(); k++) {
        table.set(block + random.nextInt(64));
      }
    }
    double keys = words.stats(spec, layout, table).approximateKeys().orElseThrow();
    assertEquals(200_000, keys, 650);
  }

  @Test
  void anEmptyTableHasNoKeysAndAFullOneTellsNone() {
    FilterSpec spec = FilterSpec.of(1, 0.5);
    TableLayout layout = layout(2, 3);
    BitTable table = new BitTable(layout.bits(), ThreadMode.CONFINED);
    FilterStats empty = LINES.stats(spec, layout, table);
    assertEquals(OptionalLong.of(0), empty.approximateKeys());
    assertEquals(0, empty.falsePositiveRate());
    for (long bit = 0; bit < layout.bits(); bit++) {
      table.set(bit);
    }
    FilterStats full = LINES.stats(spec, layout, table);
    assertEquals(OptionalLong.empty(), full.approximateKeys());
    assertEquals(1, full.falsePositiveRate());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, 0, 63, 100, 1_088})
  void blocksOfOtherSizesAreRefused(int bits) {
    assertThrows(IllegalArgumentException.class, () -> TableBlocks.ofBits(bits));
  }

  @Test
  void layoutsOfOtherBlocksAreRefused() {
    TableLayout whole = layout(1, 1);
    LINES.check(whole);
    assertThrows(IllegalArgumentException.class, () -> LINES.check(whole.with("bits", 576)));
    assertThrows(
        IllegalArgumentException.class, () -> LINES.check(whole.with(TableBlocks.BLOCK_BITS, 256)));
    assertThrows(IllegalArgumentException.class, () -> LINES.check(TableLayout.ofBits(512)));
  }

  /** With 0.9 and 0.45 bits a key most blocks have every bit set. */
  @ParameterizedTest
  @CsvSource({"1, 100000, 90000", "6, 100000, 90000", "8, 50000, 45000"})
  void keysOfOverfullBlocksAreEstimated(int probes, int keys, long bits) {
    TableLayout layout = layout(bits / 512, probes);
    BitTable table = new BitTable(layout.bits(), ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(7);
    for (int key = 0; key < keys; key++) {
      long block = random.nextLong(bits / 512);
      for (int probe = 0; probe < probes; probe++) {
        table.set(block * 512 + random.nextInt(512));
      }
    }
    FilterStats stats = LINES.stats(FilterSpec.of(keys, 0.5), layout, table);
    assertEquals(keys, (double) stats.approximateKeys().orElseThrow(), 0.1 * keys);
  }
}
