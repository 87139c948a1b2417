package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);

  @ParameterizedTest(name = "{0} bits, {1} probes")
  @CsvSource({"256, 6", "320, 6", "256, 8", "768, 6", "768, 8"})
  void layoutsThatAVariantMakesAreRead(long bits, long probes) throws IOException {
    Filter filter = read(bits, probes, new long[(int) (bits / 64)]);
    assertEquals(Map.of("bits", bits, "probes", probes), filter.layout().toMap());
    assertTrue(filter.put(1));
  }

  @ParameterizedTest(name = "{0} bits, {1} probes")
  @CsvSource({
    "64, 8, bits must be whole blocks of 256",
    "320, 8, bits must be whole blocks of 256",
    "192, 6, bits must be at least 256",
    "256, 5, probes must be 6 or 8",
    "256, 7, probes must be 6 or 8",
    "256, 9, probes must be 6 or 8"
  })
  void layoutsThatAVariantNeverMakesAreRefused(long bits, long probes, String reason) {
    long[] words = new long[(int) (bits / 64)];
    String message =
        assertThrows(FilterFormatException.class, () -> read(bits, probes, words)).getMessage();
    assertTrue(message.contains(reason), message);
  }

  @Test
  void payloadOfAnotherLengthThanTheLayoutSaysIsRefused() {
    assertThrows(FilterFormatException.class, () -> read(256, 8, new long[5]));
  }

  private static Filter read(long bits, long probes, long[] words) throws IOException {
    return new BlockedProvider()
        .read(
            SPEC,
            FilterLayout.of("bits", bits).with("probes", probes),
            new Words(words),
            ThreadMode.SHARED,
            FilterLimits.HEAP);
  }

  // In a table of 13 GiB a word is picked by two values of 32 bits, or by three: hence 3.9 % more
  // than in smaller ones for bits in two words.
  @ParameterizedTest(name = "{0}")
  @CsvSource({"10.853, 0.01", "10.478, 0.0099999"})
  void plansOfTenBillionKeysNeedNoMemory(double bitsPerKey, double rate) {
    FilterPlan plan = new BlockedProvider().plan(FilterSpec.of(10_000_000_000L, rate));

    assertEquals(bitsPerKey, plan.bitsPerKey(), 0.001);
    assertEquals(rate, plan.falsePositiveRate(10_000_000_000L), 1e-6 * rate);
    assertTrue(plan.falsePositiveRate(10_000_000_000L) <= rate);
    assertTrue(plan.falsePositiveRate(100_000_000_000L) > 0.9);
  }

  @Test
  void planWithinASizeTakesTheLowestRateThatBlocksKeep() {
    FilterPlan roomy = Bloomery.longs().within(125_000).variant("blocked").lowestFpp(1_000);
    assertEquals(1e-6, roomy.spec().falsePositiveRate(), 1e-12);
    FilterPlan tight = Bloomery.longs().within(1_310_000).variant("blocked").lowestFpp(1_000_000);
    assertEquals(0.01, tight.spec().falsePositiveRate(), 1e-4);
  }

  private static final class Words implements PayloadInput {

    private final long[] words;

    Words(long[] words) {
      this.words = words;
    }

    @Override
    public long size() {
      return words.length * 8L;
    }

    @Override
    public long[] readLongs(long count) {
      return words.clone();
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, 0, reason);
    }
  }
}
