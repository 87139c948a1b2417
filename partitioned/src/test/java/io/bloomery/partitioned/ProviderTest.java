package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
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
  @CsvSource({"64, 1", "448, 7", "4096, 64", "960, 7"})
  void layoutsThatAVariantMakesAreRead(long bits, long probes) throws IOException {
    Filter filter = read(bits, probes, new long[(int) (bits / 64)]);
    assertEquals(Map.of("bits", bits, "probes", probes), filter.layout().toMap());
    assertTrue(filter.put(1));
  }

  @ParameterizedTest(name = "{0} bits, {1} probes")
  @CsvSource({
    "64, 2, each slice must have at least one word",
    "4032, 64, each slice must have at least one word"
  })
  void layoutsThatAVariantNeverMakesAreRefused(long bits, long probes, String reason) {
    long[] words = new long[(int) (bits / 64)];
    String message =
        assertThrows(FilterFormatException.class, () -> read(bits, probes, words)).getMessage();
    assertTrue(message.contains(reason), message);
  }

  @Test
  void wordsBehindTheLastSliceAreLeftOutOfAFoldedTable() throws IOException {
    MergeableFilter filter = (MergeableFilter) read(64 * (7 * 12 + 3), 7, new long[7 * 12 + 3]);
    for (long hash = 1; hash <= 10; hash++) {
      filter.put(hash * 0x9e3779b97f4a7c15L);
    }
    for (int factor : new int[] {2, 3, 4, 6, 12}) {
      MergeableFilter folded = filter.folded(factor);
      assertEquals(64L * 7 * 12 / factor, folded.layout().get("bits"));
      Filter expected = read(64L * 7 * 12 / factor, 7, new long[7 * 12 / factor]);
      for (long hash = 1; hash <= 10; hash++) {
        expected.put(hash * 0x9e3779b97f4a7c15L);
        assertTrue(folded.mightContain(hash * 0x9e3779b97f4a7c15L));
      }
      assertEquals(expected.stats().setBits(), folded.stats().setBits());
    }
    assertTrue(filter.folding().refusal(5).isPresent());
  }

  @Test
  void bitsThatLieInNoSliceAreRefused() throws IOException {
    // Three slices of two words leave the seventh and the eighth.
    long[] words = {0, 0, 0, 0, 0, -1, 0, 0};
    read(512, 3, words);
    for (int bit : new int[] {384, 447, 448, 511}) {
      words[6] = bit < 448 ? 1L << bit : 0;
      words[7] = bit < 448 ? 0 : 1L << bit;
      String message =
          assertThrows(FilterFormatException.class, () -> read(512, 3, words)).getMessage();
      assertTrue(message.contains("bit " + bit + " is set"), message);
    }
  }

  @Test
  void payloadOfAnotherLengthThanTheLayoutSaysIsRefused() {
    assertThrows(FilterFormatException.class, () -> read(512, 7, new long[7]));
  }

  private static Filter read(long bits, long probes, long[] words) throws IOException {
    return new PartitionedProvider()
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
  @CsvSource({
    "9.593, 0.01",
  })
  void plansOfTenBillionKeysNeedNoMemory(double bitsPerKey, double rate) {
    FilterPlan plan = new PartitionedProvider().plan(FilterSpec.of(10_000_000_000L, rate));

    assertEquals(bitsPerKey, plan.bitsPerKey(), 0.001);
    assertEquals(rate, plan.falsePositiveRate(10_000_000_000L), 1e-6 * rate);
    assertTrue(plan.falsePositiveRate(10_000_000_000L) <= rate);
    assertTrue(plan.falsePositiveRate(100_000_000_000L) > 0.9);
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
