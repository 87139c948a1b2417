package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which layout is chosen, and what it is said to take against filters thrown by chance. */
class CountingSizingTest {

  private static final long MAX_KEYS = 1_000_000_000;

  private static CountingLayout smallest(long keys, double rate) {
    return smallest(CountingVariant.SMALL, keys, rate);
  }

  private static CountingLayout smallest(CountingVariant variant, long keys, double rate) {
    return variant.sizing().smallest(FilterSpec.of(keys, rate));
  }

  private static double fileBits(CountingVariant variant, long keys, double rate) {
    return 8.0 * CountingSizing.payloadBytes(smallest(variant, keys, rate), keys) / keys;
  }

  private static double heapBits(CountingVariant variant, long keys, double rate) {
    return 8.0 * CountingSizing.heapBytes(smallest(variant, keys, rate), keys) / keys;
  }

  /** Returns what four bits for each position of a Bloom filter take for each key. */
  private static double fourBitCounters(double rate) {
    return -4 * Math.log(rate) / (Math.log(2) * Math.log(2));
  }

  /**
   * Draws from the lowest rate to 0.99, half of them by the logarithm of the rate, half by that of
   * yeses.
   */
  private static double rate(CountingVariant variant, SplittableRandom random) {
    double lowest = variant.sizing().lowestRate;
    double drawn =
        random.nextBoolean() ? between(random, lowest, 0.99) : 1 - between(random, 0.01, 0.5);
    return Math.max(lowest, Math.min(0.99, drawn));
  }

  private static long keys(SplittableRandom random, long min) {
    return (long) between(random, (double) min, MAX_KEYS);
  }

  private static double between(SplittableRandom random, double min, double max) {
    return min * Math.exp(random.nextDouble() * Math.log(max / min));
  }

  @ParameterizedTest(name = "{0}, rate {1}")
  @CsvSource({
    "SMALL, 0.95, 1, 64, 5.28, 5.36",
    "SMALL, 0.5, 1, 64, 5.28, 5.36",
    "SMALL, 0.3, 1, 64, 5.28, 5.36",
    "SMALL, 0.1, 1, 32, 8.85, 9.01",
    "SMALL, 0.05, 1, 32, 12.18, 12.19",
    "SMALL, 0.02, 2, 48, 15.95, 16.03",
    "SMALL, 0.01, 2, 48, 20.05, 20.05",
    "SMALL, 0.001, 3, 48, 34.84, 34.85",
    "SMALL, 1e-4, 4, 32, 54.38, 54.98",
    "SMALL, 1e-5, 4, 32, 81.32, 81.38",
    "FAST, 0.5, 1, 80, 11.62, 11.80",
    "FAST, 0.05, 1, 80, 18.28, 18.29",
    "FAST, 0.01, 2, 80, 26.16, 26.43",
    "FAST, 0.001, 3, 80, 45.13, 45.39",
    "FAST, 2e-4, 4, 80, 61.96, 62.36"
  })
  void theChosenLayoutIsThatOfTheModel(
      CountingVariant variant,
      double rate,
      int probesPerWord,
      int countBits,
      double fileBits,
      double heapBits) {
    long keys = 10_000_000;
    CountingLayout layout = smallest(variant, keys, rate);
    assertEquals(probesPerWord, layout.probesPerWord());
    assertEquals(countBits, layout.countBits());
    assertEquals(fileBits, fileBits(variant, keys, rate), 0.0051);
    assertEquals(heapBits, heapBits(variant, keys, rate), 0.0051);
  }

  @ParameterizedTest(name = "{0}, {1} bits at {2}")
  @CsvSource({
    "SMALL, 14, 0.05",
    "SMALL, 21, 0.01",
    "SMALL, 36, 0.001",
    "SMALL, 57, 1e-4",
    "FAST, 27, 0.01"
  })
  void sizesStayWithinTheirLimits(CountingVariant variant, double bits, double rate) {
    for (long keys : new long[] {1_000, 100_000, 10_000_000, MAX_KEYS}) {
      assertTrue(fileBits(variant, keys, rate) <= bits, keys + " keys in a file");
      assertTrue(heapBits(variant, keys, rate) <= bits, keys + " keys in the heap");
    }
  }

  @Property(seed = "41", tries = 500)
  void lowRatesTakeLessThanFourBitsForEachPosition(
      @ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double rate = between(random, variant.sizing().lowestRate, 0.001);
    double share = variant == CountingVariant.SMALL ? 0.86 : 1;
    assertTrue(heapBits(variant, keys(random, 1_000), rate) < share * fourBitCounters(rate));
  }

  @Property(seed = "42", tries = 3_000)
  void aLowerRateNeverTakesFewerBytes(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long keys = keys(random, 1);
    double high = rate(variant, random);
    double low =
        random.nextBoolean()
            ? rate(variant, random)
            : Math.max(variant.sizing().lowestRate, high - between(random, 1e-6, 0.1));
    CountingLayout small = smallest(variant, keys, Math.max(low, high));
    CountingLayout large = smallest(variant, keys, Math.min(low, high));
    assertTrue(
        CountingSizing.payloadBytes(large, keys) >= CountingSizing.payloadBytes(small, keys));
    assertTrue(CountingSizing.heapBytes(large, keys) >= CountingSizing.heapBytes(small, keys));
  }

  /**
   * Where two kinds of layout take the same, a key more may change to one with fewer spilled
   * blocks. These take other bytes in a heap than in a file, so that only files never shrink.
   */
  @Property(seed = "43", tries = 3_000)
  void moreKeysNeverTakeFewerBytes(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long keys = keys(random, 1);
    long more = keys + 1 + (random.nextBoolean() ? 0 : (long) (keys * between(random, 1e-6, 0.5)));
    double rate = rate(variant, random);
    CountingLayout small = smallest(variant, keys, rate);
    CountingLayout large = smallest(variant, more, rate);
    long bytes = CountingSizing.payloadBytes(small, keys);
    assertTrue(CountingSizing.payloadBytes(large, more) >= bytes);
    boolean sameKind =
        small.probesPerWord() == large.probesPerWord() && small.countBits() == large.countBits();
    long heapBytes = sameKind ? CountingSizing.heapBytes(small, keys) : bytes;
    assertTrue(CountingSizing.heapBytes(large, more) >= heapBytes);
  }

  @Property(seed = "44", tries = 2_000)
  void theRateIsKept(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long keys = keys(random, 1);
    double rate = rate(variant, random);
    assertTrue(CountingSizing.rate(smallest(variant, keys, rate), keys) <= rate);
  }

  @Property(seed = "47", tries = 2_000)
  void moreBlocksThanNeededTakeMoreBytes(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long keys = keys(random, 1);
    CountingLayout layout = smallest(variant, keys, rate(variant, random));
    CountingLayout more =
        new CountingLayout(layout.blocks() + 2, layout.probesPerWord(), layout.countBits());
    assertTrue(CountingSizing.payloadBytes(more, keys) > CountingSizing.payloadBytes(layout, keys));
    assertTrue(CountingSizing.heapBytes(more, keys) > CountingSizing.heapBytes(layout, keys));
  }

  @Property(seed = "45", tries = 2_000)
  void theHeapTakesHardlyMoreThanTheFile(@ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long keys = keys(random, 1_000);
    CountingLayout layout = smallest(variant, keys, rate(variant, random));
    double file = CountingSizing.payloadBytes(layout, keys);
    assertTrue(CountingSizing.heapBytes(layout, keys) <= 1.05 * file);
  }

  @Property(seed = "46", tries = 1_000)
  void oneLayoutTakesMoreWithEveryKeyFarBeyondThoseExpected(
      @ForAll CountingVariant variant, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long expected = keys(random, 1);
    CountingLayout layout = smallest(variant, expected, rate(variant, random));
    long before = layout.bytesOfBlocks();
    for (double times = 0.1; times < 300; times *= 1.5) {
      long keys = (long) (expected * times);
      long bytes = CountingSizing.payloadBytes(layout, keys);
      assertTrue(bytes >= before);
      assertEquals(0, bytes % Long.BYTES);
      assertEquals(0, CountingSizing.heapBytes(layout, keys) % Long.BYTES);
      before = bytes;
    }
  }

  @Test
  void allBlocksAreSpilledInTheEnd() {
    CountingLayout layout = smallest(100_000, 0.01);
    double planes = 7; // more than 64 counts of a position, up to 128
    for (long keys : new long[] {1L << 40, Long.MAX_VALUE}) {
      long spilled = CountingSizing.payloadBytes(layout, keys) - layout.bytesOfBlocks();
      assertEquals(planes, spilled / 16.0 / layout.blocks(), 0.2);
      double heap = CountingSizing.heapBytes(layout, keys);
      assertEquals(
          24.0 * layout.blocks(), heap - CountingSizing.payloadBytes(layout, keys), Long.BYTES);
      assertEquals(1, CountingSizing.rate(layout, keys));
    }
  }

  @Test
  void filtersWithoutKeysTakeTheirBlocks() {
    CountingLayout layout = smallest(100_000, 0.5);
    assertEquals(layout.bytesOfBlocks(), CountingSizing.payloadBytes(layout, 0));
    assertEquals(layout.bytesOfBlocks(), CountingSizing.heapBytes(layout, 0));
    assertEquals(0, CountingSizing.rate(layout, 0));
  }

  @Test
  void hashesThatCollideAreCountedIn() {
    CountingLayout layout = smallest(MAX_KEYS, 0.01);
    double inBlocks =
        Pairs.rotated().sizing(0).pickedByWordProbes(1).rate(1, (double) layout.blocks());
    assertEquals(0x1p-64, CountingSizing.rate(layout, 1) - inBlocks, 1e-6 * 0x1p-64);
  }

  /**
   * Throws keys into counters. Some hundred thousand keys in all, so that the mean of what filters
   * take scatters by a quarter of a percent.
   */
  @ParameterizedTest(name = "{0}, {1} keys at {2}")
  @CsvSource({
    "SMALL, 20000, 0.95",
    "SMALL, 50000, 0.5",
    "SMALL, 20000, 0.2",
    "SMALL, 20000, 0.1",
    "SMALL, 30000, 0.02",
    "SMALL, 20000, 0.008",
    "SMALL, 40000, 0.005",
    "SMALL, 20000, 0.002",
    "SMALL, 20000, 0.0007",
    "SMALL, 20000, 0.0003",
    "SMALL, 30000, 1e-4",
    "SMALL, 20000, 1e-5",
    "FAST, 20000, 0.95",
    "FAST, 50000, 0.5",
    "FAST, 20000, 0.2",
    "FAST, 20000, 0.1",
    "FAST, 30000, 0.02",
    "FAST, 20000, 0.008",
    "FAST, 40000, 0.005",
    "FAST, 20000, 0.002",
    "FAST, 20000, 0.0007",
    "FAST, 20000, 0.0003"
  })
  void filtersTakeWhatIsPlannedOnAverage(CountingVariant variant, int keys, double rate) {
    CountingLayout layout = smallest(variant, keys, rate);
    SplittableRandom random = new SplittableRandom(keys + layout.blocks());
    for (int put : new int[] {keys, keys * 3}) {
      int filters = 400_000 / put;
      double file = 0;
      double heap = 0;
      double puts = 0;
      for (int i = 0; i < filters; i++) {
        Thrown thrown = new Thrown(layout);
        thrown.put(put, random);
        file += (double) thrown.fileBytes() / filters;
        heap += (double) thrown.heapBytes() / filters;
        puts += thrown.shareOfPutsInSpilled() / filters;
      }
      // Counts of a block are taken to be independent, which matters most where half of all blocks
      // are spilled.
      double off = variant == CountingVariant.FAST && put > keys ? 0.03 : 0.02;
      assertEquals(file, (double) CountingSizing.payloadBytes(layout, put), off * file);
      assertEquals(heap, (double) CountingSizing.heapBytes(layout, put), off * heap);
      assertTrue(put > keys || puts < 0.035, puts + " of all puts meet a spilled block");
    }
  }

  /** A filter as plain counters of all positions. */
  private static final class Thrown {

    private final CountingLayout layout;
    private final int[][] counters;
    private final int[] keys;

    Thrown(CountingLayout layout) {
      this.layout = layout;
      this.counters = new int[layout.blocks()][CountingLayout.BLOCK_BITS];
      this.keys = new int[layout.blocks()];
    }

    void put(int count, SplittableRandom random) {
      long[] pairs = Pairs.all();
      for (int i = 0; i < count; i++) {
        int block = random.nextInt(layout.blocks());
        keys[block]++;
        long pair = pairs[random.nextInt(pairs.length)];
        for (int word = 0; word < CountingLayout.BLOCK_WORDS; word++) {
          long positions = layout.probesPerWord() == BlockProbes.PAIR ? pair : single(random);
          positions = Long.rotateLeft(positions, random.nextInt(Long.SIZE));
          for (; positions != 0; positions &= positions - 1) {
            counters[block][word * Long.SIZE + Long.numberOfTrailingZeros(positions)]++;
          }
        }
      }
    }

    private long single(SplittableRandom random) {
      long positions = 0;
      for (int i = 0; i < layout.probesPerWord(); i++) {
        positions |= 1L << random.nextInt(Long.SIZE);
      }
      return positions;
    }

    private boolean spilled(int block) {
      if (layout.countBits() == CountingLayout.FAST_COUNT_BITS) {
        return Arrays.stream(counters[block]).map(count -> Math.max(0, count - 2)).sum() > 4;
      }
      int first = Arrays.stream(counters[block], 0, Long.SIZE).sum();
      int second = Arrays.stream(counters[block], Long.SIZE, CountingLayout.BLOCK_BITS).sum();
      return Math.max(first, second) > layout.countBits();
    }

    private int planes(int block) {
      int largest = Arrays.stream(counters[block]).max().orElseThrow();
      return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(largest - 1));
    }

    long fileBytes() {
      long bytes = 16L * layout.blocks() + (layout.countBits() / 4L * layout.blocks() + 7) / 8 * 8;
      for (int block = 0; block < counters.length; block++) {
        bytes += spilled(block) ? 16L * planes(block) : 0;
      }
      return bytes;
    }

    long heapBytes() {
      long bytes = (16 + layout.countBits() / 4L) * layout.blocks();
      for (int block = 0; block < counters.length; block++) {
        bytes += spilled(block) ? 16L * planes(block) + 16 + 8 : 0;
      }
      return bytes;
    }

    double shareOfPutsInSpilled() {
      double inSpilled = 0;
      for (int block = 0; block < keys.length; block++) {
        inSpilled += spilled(block) ? keys[block] : 0;
      }
      return inSpilled / Arrays.stream(keys).sum();
    }
  }

  @ParameterizedTest
  @CsvSource({"9.99e-6, 24", "1e-6, 29", "1e-9, 44"})
  void lowerRatesAreRefusedAndStandardIsNamed(double rate, int bits) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> smallest(1_000, rate));
    assertEquals(
        "rate of a counting filter must be at least 1.0E-5, but was "
            + rate
            + "; ask for 1.0E-5, or take variant 'standard', which keeps lower rates in about "
            + bits
            + " bits a key but cannot remove",
        refused.getMessage());
  }

  @Test
  void lowerRatesOfTheFastVariantAreRefusedAndTheSmallOneIsNamedWhereItKeepsThem() {
    assertEquals(
        "rate of a counting filter must be at least 2.0E-4, but was 1.0E-4; ask for 2.0E-4,"
            + " or take variant 'counting', which keeps this rate in about 55 bits a key,"
            + " or take variant 'standard', which keeps lower rates in about 20 bits a key"
            + " but cannot remove",
        assertThrows(
                IllegalArgumentException.class,
                () -> smallest(CountingVariant.FAST, 1_000_000, 1e-4))
            .getMessage());
    assertFalse(
        assertThrows(
                IllegalArgumentException.class, () -> smallest(CountingVariant.FAST, 1_000, 1e-6))
            .getMessage()
            .contains("'counting'"));
  }

  @Test
  void moreKeysThanBlocksHoldAreRefusedWithTheRateTheyCouldHave() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> smallest(15_000_000_000L, 0.01));
    assertEquals(
        "15000000000 keys at a rate of 0.01 must fit into blocks of 137438952832 bits,"
            + " which keep a rate of 0.0421; ask for that, or for fewer keys,"
            + " or spread the keys over several filters",
        refused.getMessage());
    assertTrue(CountingSizing.rate(smallest(15_000_000_000L, 0.0422), 15_000_000_000L) > 0.042);
  }

  @ParameterizedTest
  @ValueSource(longs = {30_000_000_000L, 1L << 55})
  void moreKeysThanBlocksHoldAtAnyRateAreRefusedWithHowManyTheyCouldBe(long keys) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> smallest(keys, 0.9));
    assertEquals(
        keys
            + " keys must be at most 26747501766, which fit into the most blocks that a filter can"
            + " have; ask for fewer keys, or spread the keys over several filters",
        refused.getMessage());
    assertEquals(1, smallest(26_747_501_766L, 0.9).probesPerWord());
  }
}
