package io.bloomery.proof.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.blocked.BlockedProvider;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.VariantProvider;
import io.bloomery.fuse.FuseProvider;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.Sizing;
import io.bloomery.internal.WordProbes;
import io.bloomery.proof.rate.ExactRates.Pairs;
import io.bloomery.proof.rate.ExactRates.Table;
import io.bloomery.scalable.ScalableProvider;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Computes each number of docs/rates.md without rounding, and compares plans with its formulas:
 * that bounds are not below exact rates, and how far doubles are from both.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RatesTest {

  private static final Path PAGE = Path.of("../../docs/rates.md");

  private static final int MAX_KEYS = 64;

  private static final double[] RATES = {
    0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9,
    1e-12, 1e-15
  };

  /** What a planned rate may be off by, of itself, because it is computed in doubles. */
  private static final BigDecimal ROUNDING = new BigDecimal("1e-12");

  /** As much as rounding to 50 digits adds. */
  private static final BigDecimal NOTHING = new BigDecimal("1e-40");

  /** What the page may not say without a test: anything that looks like a rate or a share. */
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*( %|e-\\d+)|\\d[\\d,]*\\.\\d+");

  private static final Set<String> ASKED =
      Set.of("1 %", "0.015 %", "0.85", "0.9", "1e-15", "1e-12");

  private static final Set<String> SAID = new HashSet<>();

  private static final StandardProvider STANDARD = new StandardProvider();
  private static final BlockedProvider BLOCKED = new BlockedProvider();
  private static final ScalableProvider SCALABLE = new ScalableProvider();
  private static final double TIGHTENING = 0.85;

  /** Returns the plans of a variant, one for each layout of up to 64 keys. */
  private static List<FilterPlan> plans(VariantProvider provider) {
    Map<Map<String, Long>, FilterPlan> plans = new HashMap<>();
    for (double rate : RATES) {
      for (int keys = 1; keys <= MAX_KEYS; keys++) {
        Optional<FilterPlan> plan = plan(provider, FilterSpec.of(keys, rate));
        if (plan.isPresent()) {
          assertTrue(plan.get().falsePositiveRate(keys) <= rate, plan::toString);
          plans.putIfAbsent(layout(plan.get()), plan.get());
        }
      }
    }
    return List.copyOf(plans.values());
  }

  private static Optional<FilterPlan> plan(VariantProvider provider, FilterSpec spec) {
    try {
      return Optional.of(provider.plan(spec));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // too low a rate for the variant
    }
  }

  private static Map<String, Long> layout(FilterPlan plan) {
    Map<String, Long> layout = new HashMap<>(plan.description().parts());
    layout.put("probes", (long) plan.probes());
    layout.putIfAbsent("blocks", plan.sizeInBits());
    return layout;
  }

  private static int part(FilterPlan plan, String name) {
    return Math.toIntExact(plan.description().parts().get(name));
  }

  /** Returns the formula of a plan, by the number of keys, without the collisions of hashes. */
  private static IntFunction<Ratio> formula(FilterPlan plan) {
    int probes = plan.probes();
    Set<String> parts = plan.description().parts().keySet();
    if (parts.contains("slice-bits")) {
      return keys -> ExactRates.slices(keys, part(plan, "slice-bits"), probes);
    }
    if (!parts.contains("blocks")) {
      return keys -> ExactRates.bound(keys, plan.sizeInBits(), probes);
    }
    int blocks = part(plan, "blocks");
    if (Capability.REMOVAL.isOfferedBy(FilterProviders.installed().get(plan.variant()))) {
      return probes == 4
          ? Pairs.apart(ExactRates.twoBits(), blocks)::rate
          : blocks(blocks, ExactRates.words(2, probes / 2));
    }
    return probes == 6
        ? Pairs.overlapping(ExactRates.threeBits(), blocks)::rate
        : blocks(blocks, ExactRates.words(4, 2));
  }

  private static IntFunction<Ratio> blocks(int blocks, IntFunction<Ratio> inBlock) {
    return keys -> ExactRates.blocks(keys, Ratio.of(1, blocks), inBlock);
  }

  private static Ratio rate(FilterPlan plan, long keys) {
    return formula(plan).apply((int) keys).plus(collision(keys));
  }

  private static Ratio collision(long keys) {
    return Ratio.of(keys, 1).times(Ratio.of(0x1p-64));
  }

  private static final class Errors {

    private long rates;
    private BigDecimal largest = BigDecimal.ZERO;

    void add(Object what, Ratio exact, double computed) {
      BigDecimal off = exact.excessOf(Ratio.of(computed)).abs();
      assertTrue(off.compareTo(ROUNDING) < 0, () -> what + " is off by " + off + " of itself");
      rates++;
      largest = largest.max(off);
    }

    String row(String what, int layouts) {
      return String.format(
          Locale.ROOT, "| `%s` | %,d | %,d | %s |", what, layouts, rates, scientific(largest, 2));
    }
  }

  private static String scientific(BigDecimal number, int digits) {
    return String.format(Locale.ROOT, "%." + (digits - 1) + "e", number).replace("e-0", "e-");
  }

  private static String percent(BigDecimal share, int digits) {
    BigDecimal percent =
        share.movePointRight(2).round(new MathContext(digits, RoundingMode.HALF_EVEN));
    return percent.toPlainString() + " %";
  }

  /** Returns by how much of the second number the first is lower. */
  private static BigDecimal below(Ratio number, Ratio exact) {
    return exact.excessOf(number).negate();
  }

  static Stream<FilterProvider> variantsOfOneSize() {
    return FilterProviders.installed().all().stream()
        .filter(provider -> !Capability.GROWTH.isOfferedBy(provider));
  }

  @ParameterizedTest
  @MethodSource("variantsOfOneSize")
  void plansAreTheFormulaButForRounding(FilterProvider provider) throws IOException {
    List<FilterPlan> plans = plans(provider);
    Errors errors = new Errors();
    for (FilterPlan plan : plans) {
      IntFunction<Ratio> formula = formula(plan);
      for (int keys = 1; keys <= MAX_KEYS; keys++) {
        Ratio rate = formula.apply(keys).plus(collision(keys));
        errors.add(plan + " with " + keys, min(rate, Ratio.ONE), plan.falsePositiveRate(keys));
      }
    }
    assertSaid(errors.row(provider.variant(), plans.size()));
  }

  private static Ratio min(Ratio one, Ratio other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Of blocks in any number, not only those that plans have for few keys. */
  @Test
  void blocksOfEachKindHaveTheMeanRateButForRounding() throws IOException {
    Errors errors = new Errors();
    int[][] kinds = {{4, 2}, {2, 1}, {2, 3}, {2, 4}};
    for (int[] kind : kinds) {
      BlockSizing sizing = new BlockSizing(kind[0], kind[1]);
      IntFunction<Ratio> inBlock = ExactRates.words(kind[0], kind[1]);
      for (int blocks = 1; blocks <= MAX_KEYS; blocks++) {
        for (int keys = 1; keys <= MAX_KEYS; keys += 3) {
          Ratio exact = ExactRates.blocks(keys, Ratio.of(1, blocks), inBlock);
          errors.add(
              List.of(kind[0], kind[1], blocks, keys), exact, sizing.rate(keys, (double) blocks));
        }
      }
    }
    assertSaid(errors.row("BlockSizing", kinds.length * MAX_KEYS));
  }

  /** Of counting filters, whose blocks have as many of 2^32 values as others, or one more. */
  @Test
  void blocksOfLargeTablesAreNoWorseThanPlanned() {
    SplittableRandom random = new SplittableRandom(20261129);
    BlockSizing sizing = new BlockSizing(2, 3).pickedByWordProbes(1);
    IntFunction<Ratio> inBlock = ExactRates.words(2, 3);
    for (int i = 0; i < 300; i++) {
      long blocks = (long) Math.pow(2, random.nextDouble(10, 30));
      int keys = 1 + random.nextInt(MAX_KEYS);
      long values = WordProbes.VALUES / blocks;
      long fuller = WordProbes.VALUES % blocks;
      Ratio exact =
          ofBlocks(keys, values + 1, fuller, inBlock)
              .plus(ofBlocks(keys, values, blocks - fuller, inBlock));
      BigDecimal excess = exact.excessOf(Ratio.of(sizing.rate(keys, (double) blocks)));
      assertTrue(excess.compareTo(ROUNDING.negate()) > 0, blocks + " blocks: " + excess);
    }
  }

  private static Ratio ofBlocks(int keys, long values, long blocks, IntFunction<Ratio> inBlock) {
    Ratio share = Ratio.of(values, WordProbes.VALUES);
    return ExactRates.blocks(keys, share, inBlock).times(share).times(Ratio.of(blocks, 1));
  }

  /** All tables of up to eight words. */
  @Test
  void theBoundOfOneTableIsNeverBelowTheExactRateAndTheTextbookNeverAbove() throws IOException {
    int cases = 0;
    Errors errors = new Errors();
    for (int words = 1; words <= 8; words++) {
      int bits = words * Long.SIZE;
      for (int probes = 1; probes <= (words == 1 ? 64 : 24); probes++) {
        Table table = new Table(bits, probes);
        for (int keys = 1; keys <= MAX_KEYS; keys++) {
          String what = bits + " bits, " + probes + " probes, " + keys + " keys";
          Ratio exact = table.rate(keys);
          Ratio bound = ExactRates.bound(keys, bits, probes);
          assertTrue(bound.compareTo(exact) >= 0, what);
          // (1 - 1/m)^kn is more than e^(-kn/m).
          Ratio higher = Ratio.of(1, bits).rest().pow(probes * keys).rest().rounded().pow(probes);
          assertTrue(exact.excessOf(higher).compareTo(NOTHING) < 0, what);
          errors.add(what, bound, Sizing.rate(keys, bits, probes));
          cases++;
        }
      }
    }
    assertSaid(String.format(Locale.ROOT, "all %,d cases", cases));
    assertSaid(errors.row("Sizing", cases / MAX_KEYS));
  }

  @Test
  void theTextbookIsTooLowByAsMuchAsThePageSays() throws IOException {
    for (int keys : new int[] {1, 4, 16, 64, 1_000}) {
      assertSaid(plannedRow(keys, 0.01));
    }
    assertSaid(plannedRow(MAX_KEYS, 1e-6));
    for (int keys = 1; keys <= 100; keys *= 10) {
      assertSaid(textbookRow(keys, 0.01, 7));
    }
    assertSaid(textbookRow(10, 1e-6, 20));
  }

  private static String plannedRow(int keys, double asked) {
    FilterPlan plan = STANDARD.plan(FilterSpec.of(keys, asked));
    Rates rates = new Rates(keys, (int) plan.sizeInBits(), plan.probes());
    return String.format(
        Locale.ROOT,
        "| %,d | %s | %s | %s | %s |",
        keys,
        percent(BigDecimal.valueOf(asked), 1),
        rates.cells(),
        percent(below(rates.textbook, rates.exact), 2),
        percent(rates.exact.excessOf(rates.bound), 2));
  }

  /** Of the smallest table for which the textbook formula has a rate. */
  private static String textbookRow(int keys, double asked, int probes) {
    int bits = (int) Math.ceil(-keys * probes / Math.log(1 - Math.pow(asked, 1.0 / probes)));
    Ratio most = Ratio.of(asked);
    assertTrue(ExactRates.textbook(keys, bits, probes).compareTo(most) <= 0);
    assertTrue(ExactRates.textbook(keys, bits - 1, probes).compareTo(most) > 0);
    Rates rates = new Rates(keys, bits, probes);
    return String.format(
        Locale.ROOT,
        "| %,d | %s | %s |",
        keys,
        rates.cells(),
        percent(below(rates.textbook, rates.exact), 2));
  }

  /** The rates of one table. */
  private static final class Rates {

    private final int bits;
    private final int probes;
    private final Ratio textbook;
    private final Ratio exact;
    private final Ratio bound;

    Rates(int keys, int bits, int probes) {
      this.bits = bits;
      this.probes = probes;
      this.textbook = ExactRates.textbook(keys, bits, probes);
      this.exact = new Table(bits, probes).rate(keys);
      this.bound = ExactRates.bound(keys, bits, probes);
    }

    String cells() {
      return String.format(
          Locale.ROOT,
          "%,d | %d | %s | %s | %s",
          bits,
          probes,
          scientific(textbook.decimal(), 4),
          scientific(exact.decimal(), 4),
          scientific(bound.decimal(), 4));
    }
  }

  /** The first term of the excess of the bound, in which the rest is of order 1/m^2. */
  @Test
  void theExcessOfTheBoundIsItsFirstTermInLargeTables() throws IOException {
    FilterPlan plan = STANDARD.plan(FilterSpec.of(1_000, 0.01));
    int bits = (int) plan.sizeInBits();
    int probes = plan.probes();
    Ratio load = Ratio.of(1_000L * probes, bits);
    Ratio fill = ExactRates.textbookFill(load);
    Ratio term =
        Ratio.of(probes * (probes - 1L) / 2, bits)
            .times(fill.rest())
            .times(load.minus(fill))
            .over(fill.pow(2));
    Ratio exact = new Table(bits, probes).rate(1_000);
    assertSaid(
        "is "
            + percent(term.decimal(), 3)
            + ", and the excess "
            + percent(exact.excessOf(ExactRates.bound(1_000, bits, probes)), 3));
  }

  @Test
  void wordsOfLargeTablesAreAsUnequalAsTheFillSays() throws IOException {
    BigDecimal lowest = BigDecimal.ZERO;
    BigDecimal ofLarge = BigDecimal.ZERO;
    BigDecimal ofEven = BigDecimal.ZERO;
    Errors errors = new Errors();
    SplittableRandom random = new SplittableRandom(20261128);
    for (int i = 0; i < 4_000; i++) {
      // Half of the values have one more where words are most unequal.
      double size = Math.pow(2, random.nextDouble(3, 31));
      long words = (long) (i % 2 == 0 ? size : 0x1p32 / (Math.floor(0x1p32 / size) + 0.5));
      int keys = 1 + random.nextInt(MAX_KEYS);
      Ratio exact = fill(keys, words);
      double fill = Sizing.fill(keys, words, 1);
      if (words > 1 << 16) {
        errors.add(words + " words", exact, fill);
      } else {
        lowest = lowest.max(below(Ratio.of(fill), exact));
      }
      if (words <= 1 << 24) {
        ofEven = ofEven.max(below(Ratio.of(1, words * Long.SIZE).rest().pow(keys).rest(), exact));
      }
    }
    assertTrue(lowest.compareTo(new BigDecimal("1e-10")) < 0, lowest::toString);
    assertSaid("by " + scientific(lowest, 2) + " of itself in tables of up to 2^16 words");
    assertSaid("by " + scientific(ofEven, 2) + " in those of up to 2^24");
    assertSaid(errors.row("Sizing.fill", (int) errors.rates));
  }

  /** The words that are picked by one more of the 2^32 values are also asked for more often. */
  private static Ratio fill(int keys, long words) {
    long values = WordProbes.VALUES / words;
    long withOneMore = WordProbes.VALUES % words;
    Ratio fuller = fillOfWord(keys, values + 1).times(Ratio.of(withOneMore * (values + 1), 1));
    Ratio others = fillOfWord(keys, values).times(Ratio.of((words - withOneMore) * values, 1));
    return fuller.plus(others).over(Ratio.of(WordProbes.VALUES, 1));
  }

  private static Ratio fillOfWord(int keys, long values) {
    return Ratio.of(values, WordProbes.VALUES * Long.SIZE).rest().pow(keys).rest();
  }

  @Test
  void blocksDifferFromPoissonAndFromOneTableAsThePageSays() throws IOException {
    for (double asked : new double[] {0.05, 0.01, 1e-3, 1e-4}) {
      FilterPlan plan = BLOCKED.plan(FilterSpec.of(MAX_KEYS, asked));
      int blocks = part(plan, "blocks");
      Ratio exact = formula(plan).apply(MAX_KEYS);
      Ratio poisson =
          plan.probes() == 6
              ? Pairs.overlapping(ExactRates.threeBits(), blocks).poisson(MAX_KEYS)
              : ExactRates.poissonBlocks(Ratio.of(MAX_KEYS, blocks), ExactRates.words(4, 2));
      Ratio oneTable = ExactRates.textbook(MAX_KEYS, plan.sizeInBits(), plan.probes());
      assertSaid(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %d | %s | %s | %s | %s | %s |",
              BigDecimal.valueOf(asked).movePointRight(2).stripTrailingZeros().toPlainString()
                  + " %",
              plan.sizeInBits(),
              plan.probes(),
              scientific(exact.decimal(), 4),
              scientific(poisson.decimal(), 4),
              percent(exact.excessOf(poisson), 2),
              scientific(oneTable.decimal(), 4),
              percent(below(oneTable, exact), 2)));
    }
  }

  @Test
  void fuseFiltersHaveTheRateOfTheLeastWidthThatIsEnough() throws IOException {
    FuseProvider provider = new FuseProvider();
    Errors errors = new Errors();
    Set<Integer> widths = new HashSet<>();
    for (double asked : RATES) {
      for (int keys = 1; keys <= MAX_KEYS; keys++) {
        int width = 1;
        // To the nearest double: beside 1/2 no collision is one.
        while (width <= 32 && ofWidth(width, keys).decimal().doubleValue() > asked) {
          width++;
        }
        Optional<FilterPlan> plan = plan(provider, FilterSpec.of(keys, asked));
        assertEquals(width <= 32, plan.isPresent());
        if (plan.isPresent()) {
          errors.add(plan, ofWidth(width, keys), plan.get().falsePositiveRate(keys));
          widths.add(width);
        }
      }
    }
    assertSaid(errors.row(provider.variant(), widths.size()));
  }

  private static Ratio ofWidth(int width, int keys) {
    return Ratio.of(1, 1L << width).plus(collision(keys));
  }

  @Test
  void scalableFiltersHaveTheRateOfTheirLayersButForRounding() throws IOException {
    Errors errors = new Errors();
    int layouts = 0;
    for (double asked : new double[] {0.1, 0.01, 1e-3, 1e-4}) {
      for (int first : new int[] {1, 2, 5, 10, 21, 32}) {
        FilterPlan plan = SCALABLE.plan(FilterSpec.of(first, asked));
        layouts++;
        assertTrue(plan.falsePositiveRate(MAX_KEYS) <= asked, plan::toString);
        Ratio full = Ratio.ZERO;
        long from = 0;
        for (int layer = 0; from < MAX_KEYS; layer++) {
          long capacity = (long) first << layer;
          FilterPlan ofLayer = layer(asked, layer, capacity);
          IntFunction<Ratio> formula = formula(ofLayer);
          for (long in = 1; in < capacity && from + in <= MAX_KEYS; in++) {
            Ratio rate = formula.apply((int) in).plus(collision(in));
            errors.add(plan, full.or(rate.rounded()), plan.falsePositiveRate(from + in));
          }
          from += capacity;
          full = full.or(rate(ofLayer, ofLayer.spec().expectedKeys()).rounded());
        }
      }
    }
    assertSaid(errors.row(SCALABLE.variant(), layouts));
  }

  /** Plans a layer as docs/rates.md says. */
  private static FilterPlan layer(double asked, int layer, long capacity) {
    double rate = layerRate(asked, layer);
    // In exact arithmetic, of the rate as a double.
    Ratio attempted = Ratio.of(capacity, 1).over(Ratio.of(rate).rest());
    long keys = attempted.decimal().setScale(0, RoundingMode.CEILING).longValueExact();
    return (rate >= 2e-4 ? BLOCKED : STANDARD).plan(FilterSpec.of(keys, rate));
  }

  private static double layerRate(double asked, int layer) {
    double rate = asked * 150_000 / 1_000_000;
    for (int i = 0; i < layer; i++) {
      rate *= TIGHTENING;
    }
    return rate;
  }

  @Test
  void ratesOfLayersAddUpToLessThanAskedAndOtherChoicesDoNot() throws IOException {
    Ratio sum = Ratio.ZERO;
    Ratio product = Ratio.ZERO;
    Ratio untightened = Ratio.ZERO;
    for (int layer = 0; layer < 64; layer++) {
      Ratio rate = Ratio.of(layerRate(0.01, layer)).rounded();
      sum = sum.plus(rate);
      product = product.or(rate).rounded();
      Ratio ofFirstAsAsked = Ratio.of(1, 100).times(Ratio.of(85, 100).pow(layer)).rounded();
      untightened = untightened.or(ofFirstAsAsked).rounded();
    }
    assertTrue(sum.compareTo(Ratio.of(0.01)) < 0);
    Ratio constant = Ratio.of(99, 100).pow(10).rest();
    assertSaid(
        "the sum is "
            + percent(sum.decimal(), 5)
            + ", the product "
            + percent(product.decimal(), 5));
    assertSaid("reach " + percent(untightened.decimal(), 3));
    assertSaid("ten layers have " + percent(constant.decimal(), 3));
  }

  /**
   * A layer that was closed by the keys that changed it: its set bits are a Markov chain, in which
   * puts that set none are passed over.
   */
  @Test
  void layersClosedByKeysThatChangedThemStayBelowTheirPlan() throws IOException {
    for (int capacity : new int[] {1, 2, 4, 16, 64}) {
      for (double asked : new double[] {1e-3, 1e-6}) {
        FilterPlan plan = layer(asked, 0, capacity);
        assertEquals("standard", plan.variant());
        BigDecimal after = closed((int) plan.sizeInBits(), plan.probes(), capacity);
        BigDecimal planned = new BigDecimal(plan.falsePositiveRate(plan.spec().expectedKeys()));
        assertTrue(after.compareTo(planned) < 0, plan::toString);
        if (capacity == 64 && asked == 1e-3) {
          assertSaid(
              "has " + scientific(after, 4) + " instead of the planned " + scientific(planned, 4));
        }
      }
    }
  }

  private static BigDecimal closed(int bits, int probes, int changes) {
    MathContext digits = MathContext.DECIMAL128;
    BigDecimal m = BigDecimal.valueOf(bits);
    BigDecimal[] found = new BigDecimal[bits + 1];
    for (int set = 0; set <= bits; set++) {
      found[set] = BigDecimal.valueOf(set).divide(m, digits).pow(probes, digits);
    }
    BigDecimal[] chances = new BigDecimal[bits + 1];
    Arrays.fill(chances, BigDecimal.ZERO);
    chances[0] = BigDecimal.ONE;
    for (int change = 0; change < changes; change++) {
      BigDecimal[] before = chances.clone();
      for (int set = 0; set < bits; set++) {
        chances[set] = chances[set].divide(BigDecimal.ONE.subtract(found[set]), digits);
        before[set] = chances[set].multiply(found[set], digits);
      }
      for (int probe = 0; probe < probes; probe++) {
        for (int set = bits; set >= 0; set--) {
          BigDecimal stays = chances[set].multiply(BigDecimal.valueOf(set));
          BigDecimal comes =
              set == 0
                  ? BigDecimal.ZERO
                  : chances[set - 1].multiply(BigDecimal.valueOf(bits - set + 1L));
          chances[set] = stays.add(comes).divide(m, digits);
        }
      }
      for (int set = 0; set < bits; set++) {
        chances[set] = chances[set].subtract(before[set], digits);
      }
    }
    BigDecimal rate = BigDecimal.ZERO;
    for (int set = 0; set <= bits; set++) {
      rate = rate.add(chances[set].multiply(found[set], digits), digits);
    }
    return rate;
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void thePageHasNoNumberThatIsNotComputed() throws IOException {
    assumeTrue(SAID.size() > 1, "not one of the other tests alone");
    String page = Files.readString(PAGE).replaceAll("`[^`]*`|\\]\\([^)]*\\)", "");
    for (String said : SAID) {
      page = page.replace(said.replaceAll("`[^`]*`", ""), "");
    }
    Matcher number = NUMBER.matcher(page);
    while (number.find()) {
      assertTrue(ASKED.contains(number.group()), () -> PAGE + " has " + number.group());
    }
  }

  private static void assertSaid(String text) throws IOException {
    SAID.add(text);
    assertTrue(Files.readString(PAGE).contains(text), () -> PAGE + " must say: " + text);
  }
}
