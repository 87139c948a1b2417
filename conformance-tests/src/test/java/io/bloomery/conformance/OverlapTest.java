package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.Overlap;
import io.bloomery.filter.Overlap.Estimate;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Estimates of what two filters share, of the variants that tell it. */
class OverlapTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final long SEED = 0x6f7665726c6170L;

  @TempDir private Path folder;

  private static Filter filter(String variant, FilterSpec spec) {
    return ((FilterProvider) BLOOMERY.providers().variant(variant))
        .create(spec, ThreadMode.CONFINED);
  }

  private static Filter filter(String variant, FilterSpec spec, long seed, long keys) {
    Filter filter = filter(variant, spec);
    put(filter, seed, keys);
    return filter;
  }

  private static void put(Filter filter, long seed, long keys) {
    new SplittableRandom(seed).longs(keys).forEach(filter::put);
  }

  /** The misses of intervals and the errors of estimates of one quantity. */
  private static final class Quantity {
    private final String name;
    private int draws;
    private int misses;
    private int largeDraws;
    private int largeMisses;
    private double largeErrors;

    Quantity(String name) {
      this.name = name;
    }

    /**
     * Adds a draw.
     *
     * @param whole what the truth is a share of
     * @param isInside whether the truth is neither end of its range, where intervals end, too
     */
    void add(Estimate estimate, double truth, double whole, boolean isLarge, boolean isInside) {
      checkInOrder(estimate, Double.MAX_VALUE, name);
      double rounding = 1e-9;
      boolean isMissed =
          truth < estimate.low() * (1 - rounding) || truth > estimate.high() * (1 + rounding);
      draws++;
      misses += isMissed ? 1 : 0;
      if (isLarge && isInside) {
        largeDraws++;
        largeMisses += isMissed ? 1 : 0;
        largeErrors += (estimate.value() - truth) / whole;
      }
    }

    void check() {
      assertTrue(misses <= most(draws, 0.06), () -> name + ": " + misses + " of " + draws);
      assertTrue(
          largeMisses >= least(largeDraws, 0.04),
          () -> name + ": only " + largeMisses + " of " + largeDraws + " with many keys");
      double bias = largeErrors / largeDraws;
      assertTrue(Math.abs(bias) < 0.002, () -> name + ": a bias of " + bias);
    }

    private static double most(int draws, double chance) {
      return draws * chance + 5 * Math.sqrt(draws * chance);
    }

    private static double least(int draws, double chance) {
      return draws * chance - 5 * Math.sqrt(draws * chance);
    }
  }

  /**
   * Over drawn sets, of 0 keys to 1.2 times those expected, which share none, all or some keys, an
   * interval at 95 % misses the truth in at most 6 % of the draws, and with 500 keys or more in at
   * least 4 %, each with five standard deviations of a binomial to spare; the bias is below 0.2 %
   * of the keys then, which is some ten times its standard error. For intervals that are as good, a
   * false alarm comes once in 10^5 changes of the seed or the hash functions.
   */
  @ParameterizedTest
  @MethodSource("variantsAtAllRates")
  void intervalsAt95PercentContainTheTruthAsOften(String variant, double rate) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Quantity> quantities =
        List.of("keys", "other", "union", "common", "jaccard", "containment", "of other").stream()
            .map(name -> new Quantity(variant + " at " + rate + ", " + name))
            .toList();
    for (int draw = 0; draw < 2_000; draw++) {
      long expected = new long[] {10, 200, 2_500}[draw % 3];
      FilterSpec spec = FilterSpec.of(expected, rate);
      int most = (int) (1.2 * expected);
      int keys = random.nextInt(most + 1);
      int otherKeys = draw % 4 == 0 ? keys : random.nextInt(most + 1);
      int least = Math.min(keys, otherKeys);
      int common = draw % 8 == 1 ? 0 : draw % 8 == 4 ? least : random.nextInt(least + 1);
      long shared = random.nextLong();
      Filter one = filter(variant, spec, shared, common);
      Filter other = filter(variant, spec, shared, common);
      put(one, random.nextLong(), keys - common);
      put(other, random.nextLong(), otherKeys - common);

      Overlap overlap = Overlap.of(one, other).orElseThrow();

      boolean isLarge = least >= 500;
      boolean isInside = common > 0.05 * least && common < 0.95 * least;
      double union = keys + otherKeys - common;
      quantities.get(0).add(overlap.keys(), keys, keys, isLarge, true);
      quantities.get(1).add(overlap.otherKeys(), otherKeys, otherKeys, isLarge, true);
      quantities.get(2).add(overlap.union(), union, union, isLarge, true);
      quantities.get(3).add(overlap.common(), common, least, isLarge, isInside);
      quantities.get(4).add(overlap.jaccard(), share(common, union), 1, isLarge, isInside);
      quantities.get(5).add(overlap.containment(), share(common, keys), 1, isLarge, isInside);
      quantities
          .get(6)
          .add(overlap.otherContainment(), share(common, otherKeys), 1, isLarge, isInside);
      assertTrue(
          overlap.common().high() <= Math.min(overlap.keys().high(), overlap.otherKeys().high()),
          overlap::toString);
      assertEquals(one.stats().approximateKeys().orElseThrow(), Math.round(overlap.keys().value()));
    }
    quantities.forEach(Quantity::check);
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 1 : part / whole;
  }

  /**
   * Of 400 intervals at 95 %, 6 % may miss: more than 55 do so by chance once in 10^8 runs. The
   * larger filter has nearly five times its keys: few bits are left to tell the union by.
   */
  @Test
  void allKeysOfASetMayBeInAnOverfullFilter() {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    SplittableRandom random = new SplittableRandom(SEED);
    int missed = 0;
    for (int draw = 0; draw < 400; draw++) {
      long[] hashes = random.longs(4_750).toArray();
      Filter all = filter("standard", spec);
      all.putAll(hashes, 0, hashes.length);
      Filter some = filter("standard", spec);
      some.putAll(hashes, 0, 475);
      Estimate common = Overlap.of(all, some).orElseThrow().common();
      missed += common.low() <= 475 && 475 <= common.high() ? 0 : 1;
    }
    assertTrue(missed <= 55, missed + " of 400");
  }

  static Stream<String> variants() {
    FilterSpec spec = FilterSpec.of(9, 0.01);
    return BLOOMERY.providers().all().stream()
        .map(FilterProvider::variant)
        .filter(variant -> filter(variant, spec).overlapBits().isPresent());
  }

  static Stream<Arguments> variantsAtAllRates() {
    return variantsAt(0.1, 0.01, 0.001, 0.0001);
  }

  static Stream<Arguments> variantsAtTwoRates() {
    return variantsAt(0.01, 0.001);
  }

  private static Stream<Arguments> variantsAt(double... rates) {
    return variants()
        .flatMap(variant -> DoubleStream.of(rates).mapToObj(rate -> arguments(variant, rate)));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void anEmptyFilterSharesNothingForCertain(String variant) {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    Estimate none = new Estimate(0, 0, 0);
    Estimate all = new Estimate(1, 1, 1);

    Overlap ofNone = Overlap.of(filter(variant, spec), filter(variant, spec)).orElseThrow();
    Overlap ofOne =
        Overlap.of(filter(variant, spec), filter(variant, spec, SEED, 700)).orElseThrow();

    assertEquals(new Overlap(none, none, none, none, all, all, all), ofNone);
    assertEquals(none, ofOne.common());
    assertEquals(none, ofOne.jaccard());
    assertEquals(all, ofOne.containment());
    assertEquals(none, ofOne.otherContainment());
  }

  @ParameterizedTest
  @MethodSource("variants")
  void aFullFilterAllowsNoEstimate(String variant) {
    FilterSpec spec = FilterSpec.of(20, 0.1);
    Filter full = filter(variant, spec, SEED, 20_000);
    assertEquals(full.stats().sizeInBits(), full.stats().setBits());
    assertEquals(Optional.empty(), Overlap.of(full, filter(variant, spec)));
    assertEquals(Optional.empty(), Overlap.of(filter(variant, spec), full));
  }

  /** Of filters that are empty, half full, nearly full and full, in all pairs. */
  @ParameterizedTest
  @MethodSource("variantsAtTwoRates")
  void whatIsToldIsFiniteAndInOrderHoweverFullFiltersAre(String variant, double rate) {
    FilterSpec spec = FilterSpec.of(20, rate);
    List<Filter> filters = new ArrayList<>();
    for (long seed = 0; seed < 3; seed++) {
      for (int keys : new int[] {0, 1, 20, 100, 150, 200, 300, 400, 20_000}) {
        filters.add(filter(variant, spec, seed, keys));
      }
    }
    for (Filter one : filters) {
      for (Filter other : filters) {
        MergeableFilter union = (MergeableFilter) one.copy();
        union.putAll(other.copy());
        FilterStats stats = union.stats();
        Optional<Overlap> overlap = Overlap.of(one, other);
        assertEquals(stats.setBits() < stats.sizeInBits(), overlap.isPresent());
        overlap.ifPresent(told -> checkInOrder(told, one + " and " + other));
      }
    }
  }

  private static void checkInOrder(Overlap told, String filters) {
    for (Estimate each : List.of(told.keys(), told.otherKeys(), told.union(), told.common())) {
      checkInOrder(each, Long.MAX_VALUE, filters);
    }
    for (Estimate each : List.of(told.jaccard(), told.containment(), told.otherContainment())) {
      checkInOrder(each, 1, filters);
    }
  }

  private static void checkInOrder(Estimate told, double most, String filters) {
    assertTrue(
        0 <= told.low()
            && told.low() <= told.value()
            && told.value() <= told.high()
            && told.high() <= most,
        () -> told + " of " + filters);
  }

  @ParameterizedTest
  @MethodSource("variantsAtTwoRates")
  void mappedFilesGiveTheSame(String variant, double rate) throws IOException {
    FilterSpec spec = FilterSpec.of(30_000, rate);
    Filter one = filter(variant, spec, SEED, 20_000);
    Filter other = filter(variant, spec, SEED, 10_000);
    put(other, 1, 10_000);
    FilterFiles.save(one, folder.resolve("one"));
    FilterFiles.save(other, folder.resolve("other"));
    Optional<Overlap> expected = Overlap.of(one, other);
    MappedFilter closed;
    try (MappedFilter mapped = BLOOMERY.files().map(folder.resolve("one"));
        MappedFilter mappedOther = BLOOMERY.files().map(folder.resolve("other"))) {
      assertEquals(expected, Overlap.of(mapped, mappedOther));
      assertEquals(expected, Overlap.of(one, mappedOther));
      assertEquals(expected, Overlap.of(mapped, other));
      closed = mapped;
    }
    assertThrows(FilterUnavailableException.class, () -> Overlap.of(closed, other));
  }

  @Test
  void aTruncatedFileIsTold() throws IOException {
    FilterSpec spec = FilterSpec.of(1_000_000, 0.01);
    Filter filter = filter("standard", spec, SEED, 10);
    Path file = folder.resolve("cut");
    FilterFiles.save(filter, file);
    try (MappedFilter mapped = BLOOMERY.files().map(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(8_192);
      }
      FilterUnavailableException e =
          assertThrows(FilterUnavailableException.class, () -> Overlap.of(filter, mapped));
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
  }

  @Test
  void whatCannotBeComparedIsRefusedWithTheReason() {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    Filter standard = filter("standard", spec, SEED, 500);
    variants()
        .filter(variant -> !variant.equals(standard.variant()))
        .forEach(variant -> checkRefused("variant must be equal", standard, filter(variant, spec)));
    checkRefused("expected keys must make", standard, filter("standard", FilterSpec.of(9, 0.01)));
    checkRefused(
        "hash id must be equal", standard, filter("standard", FilterSpec.of(1_000, 0.01, "other")));
    Filter counting = filter("counting", spec);
    checkRefused("tell how many keys", counting, counting);
    Filter common = ((MergeableFilter) standard).intersection(standard);
    checkRefused("must not be intersections", standard, common);
    checkRefused("must not be intersections", common, standard);
    for (double deviations : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(
          IllegalArgumentException.class, () -> Overlap.of(standard, standard, deviations));
    }
  }

  private static void checkRefused(String reason, FilterView one, FilterView other) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Overlap.of(one, other)).getMessage();
    assertTrue(message.contains(reason), message);
  }
}
