package io.bloomery.partitioned;

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
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);

  @Test
  void bothVariantsAreFound() {
    assertEquals(
        List.of("partitioned", "split-block"), Bloomery.installed().providers().variants());
  }

  @Test
  void moduleDescriptorAndServiceFileNameTheSameProviders() throws IOException {
    Set<String> provided =
        descriptor().provides().stream()
            .filter(service -> service.service().equals(FilterProvider.class.getName()))
            .flatMap(service -> service.providers().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    try (InputStream in = resource("META-INF/services/" + FilterProvider.class.getName())) {
      String file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(provided, file.lines().collect(Collectors.toCollection(TreeSet::new)));
    }
    assertEquals(2, provided.size());
  }

  private static ModuleDescriptor descriptor() throws IOException {
    try (InputStream in = resource("module-info.class")) {
      return ModuleDescriptor.read(in);
    }
  }

  private static InputStream resource(String name) throws IOException {
    return PartitionedProvider.class.getModule().isNamed()
        ? PartitionedProvider.class.getModule().getResourceAsStream(name)
        : PartitionedProvider.class.getClassLoader().getResourceAsStream(name);
  }

  @ParameterizedTest(name = "{0}: {1} bits, {2} probes")
  @CsvSource({
    "partitioned, 64, 1",
    "partitioned, 448, 7",
    "partitioned, 4096, 64",
    "partitioned, 960, 7",
    "split-block, 256, 6",
    "split-block, 320, 6",
    "split-block, 256, 8",
    "split-block, 768, 6",
    "split-block, 768, 8"
  })
  void layoutsThatAVariantMakesAreRead(String variant, long bits, long probes) throws IOException {
    Filter filter = read(variant, bits, probes, new long[(int) (bits / 64)]);
    assertEquals(Map.of("bits", bits, "probes", probes), filter.layout().toMap());
    assertTrue(filter.put(1));
  }

  @ParameterizedTest(name = "{0}: {1} bits, {2} probes")
  @CsvSource({
    "partitioned, 64, 2, each slice must have at least one word",
    "partitioned, 4032, 64, each slice must have at least one word",
    "split-block, 64, 8, bits must be whole blocks of 256",
    "split-block, 320, 8, bits must be whole blocks of 256",
    "split-block, 192, 6, bits must be at least 256",
    "split-block, 256, 5, probes must be 6 or 8",
    "split-block, 256, 7, probes must be 6 or 8",
    "split-block, 256, 9, probes must be 6 or 8"
  })
  void layoutsThatAVariantNeverMakesAreRefused(
      String variant, long bits, long probes, String reason) {
    long[] words = new long[(int) (bits / 64)];
    String message =
        assertThrows(FilterFormatException.class, () -> read(variant, bits, probes, words))
            .getMessage();
    assertTrue(message.contains(reason), message);
  }

  @Test
  void bitsThatLieInNoSliceAreRefused() throws IOException {
    // Three slices of two words leave the seventh and the eighth.
    long[] words = {0, 0, 0, 0, 0, -1, 0, 0};
    read("partitioned", 512, 3, words);
    for (int bit : new int[] {384, 447, 448, 511}) {
      words[6] = bit < 448 ? 1L << bit : 0;
      words[7] = bit < 448 ? 0 : 1L << bit;
      String message =
          assertThrows(FilterFormatException.class, () -> read("partitioned", 512, 3, words))
              .getMessage();
      assertTrue(message.contains("bit " + bit + " is set"), message);
    }
  }

  @Test
  void payloadOfAnotherLengthThanTheLayoutSaysIsRefused() {
    assertThrows(FilterFormatException.class, () -> read("split-block", 256, 8, new long[5]));
    assertThrows(FilterFormatException.class, () -> read("partitioned", 512, 7, new long[7]));
  }

  private static Filter read(String variant, long bits, long probes, long[] words)
      throws IOException {
    return Bloomery.installed()
        .providers()
        .get(variant)
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
    "partitioned, 9.593, 0.01",
    "split-block, 10.853, 0.01",
    "split-block, 10.478, 0.0099999"
  })
  void plansOfTenBillionKeysNeedNoMemory(String variant, double bitsPerKey, double rate) {
    FilterPlan plan =
        Bloomery.installed().providers().get(variant).plan(FilterSpec.of(10_000_000_000L, rate));

    assertEquals(bitsPerKey, plan.bitsPerKey(), 0.001);
    assertEquals(rate, plan.falsePositiveRate(10_000_000_000L), 1e-6 * rate);
    assertTrue(plan.falsePositiveRate(10_000_000_000L) <= rate);
    assertTrue(plan.falsePositiveRate(100_000_000_000L) > 0.9);
  }

  @Test
  void planWithinASizeTakesTheLowestRateThatBlocksKeep() {
    FilterPlan roomy = Bloomery.longs().within(125_000).variant("split-block").lowestFpp(1_000);
    assertEquals(1e-6, roomy.spec().falsePositiveRate(), 1e-12);
    FilterPlan tight =
        Bloomery.longs().within(1_310_000).variant("split-block").lowestFpp(1_000_000);
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
