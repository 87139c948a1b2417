package io.bloomery.fuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuseLayoutTest {

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1, 0.0079, 128",
    "10, 0.0079, 19.2",
    "100, 0.0079, 10.88",
    "1000, 0.0079, 9.28",
    "1000000, 0.0079, 7.46",
    "10000000, 0.0079, 7.43",
    "10000000000, 0.0079, 7.45",
    "1000000, 1e-6, 21.3",
    "1000000000, 0.6, 1.07",
    "1000000, 2.4e-10, 34.1"
  })
  void aKeyTakesAtMostTheseBits(long keys, double rate, double bits) {
    FilterPlan plan = new FuseProvider().plan(FilterSpec.of(keys, rate));
    assertTrue(plan.bitsPerKey() <= bits, plan.toString());
  }

  @Property(seed = "1", tries = 2_000)
  void theWidthIsTheLeastThatKeepsTheRate(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long keys,
      @ForAll @DoubleRange(min = 0.08, max = 31.5) double log) {
    double rate = StrictMath.pow(2, -log);
    FuseLayout layout = FuseLayout.of(FilterSpec.of(keys, rate), FuseLayout.KEYS_PER_PART);
    assertTrue(layout.rate(keys) <= rate);
    FuseLayout narrower = new FuseLayout(1, 4, 1, layout.width() - 1);
    assertTrue(layout.width() == 1 || narrower.rate(keys) > rate);
  }

  @Property(seed = "2", tries = 200)
  void theRateThatARefusalNamesHoldsForOtherNumbersOfKeys(
      @ForAll @LongRange(min = 1, max = 100_000_000) long keys,
      @ForAll @LongRange(min = 1, max = 100_000_000) long others,
      @ForAll @DoubleRange(min = 32, max = 36) double log) {
    FuseProvider provider = new FuseProvider();
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> provider.plan(FilterSpec.of(keys, StrictMath.pow(2, -log))))
            .getMessage();
    double advised = Double.parseDouble(message.replaceAll(".*at least (\\S+) for.*", "$1"));
    assertEquals(others, provider.plan(FilterSpec.of(others, advised)).spec().expectedKeys());
  }

  @ParameterizedTest(name = "{0} keys")
  @CsvSource({"16777216, 1", "16777217, 3", "25165825, 4", "1000000000, 120"})
  void manyKeysAreInParts(long keys, int parts) {
    FuseLayout layout = FuseLayout.of(FilterSpec.of(keys, 0.01), FuseLayout.KEYS_PER_PART);
    assertEquals(parts, layout.parts());
  }

  private static FuseLayout ofMillion(double rate) {
    return FuseLayout.of(FilterSpec.of(1_000_000, rate), FuseLayout.KEYS_PER_PART);
  }

  @Test
  void aRateOfAPowerOfTwoTakesABitMoreForHashesThatCollide() {
    assertEquals(8, ofMillion(0x1p-7).width());
    assertEquals(7, ofMillion(Math.nextUp(0x1p-7 + 1e-12)).width());
  }

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1000, 2.328e-10, variant 'standard'",
    "10000000000000, 0.01, spread the keys over several filters"
  })
  void whatNoFilterHoldsIsRefused(long keys, double rate, String next) {
    FilterSpec spec = FilterSpec.of(keys, rate);
    String message =
        assertThrows(IllegalArgumentException.class, () -> new FuseProvider().plan(spec))
            .getMessage();
    assertTrue(message.contains(next), message);
  }

  // At least one seed of ten succeeds at each size: 200 fail in a row by chance in 7e-10 of cases.
  @Property(seed = "2", tries = 400)
  void oneOfFewSeedsSuffices(@ForAll @IntRange(min = 1, max = 5_000) int keys, @ForAll long draw)
      throws Exception {
    FilterSpec spec = FilterSpec.of(keys, 0.5);
    LongStream hashes = new SplittableRandom(draw).longs(keys);
    long[] words = Content.of(new FuseProvider().build(spec, hashes, FilterLimits.HEAP)).words;
    assertTrue(FuseTail.of(words[words.length - 1]).seed() < 200);
  }

  // Of small parts too, at least one seed of ten succeeds.
  @Property(seed = "3", tries = 200)
  void oneOfFewSeedsSufficesForEachPart(
      @ForAll @IntRange(min = 1, max = 2_000) int keys,
      @ForAll @IntRange(min = 3, max = 12) int parts,
      @ForAll long draw)
      throws Exception {
    FilterSpec spec = FilterSpec.of((long) keys * parts, 0.5);
    FuseProvider provider = new FuseProvider(keys, FuseLayout.MAX_BYTES);
    LongStream hashes = new SplittableRandom(draw).longs((long) keys * parts);
    long[] words = Content.of(provider.build(spec, hashes, FilterLimits.HEAP)).words;
    for (int part = 1; part <= parts; part++) {
      assertTrue(FuseTail.of(words[words.length / parts * part - 1]).seed() < 200);
    }
  }
}
