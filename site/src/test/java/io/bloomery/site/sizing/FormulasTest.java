package io.bloomery.site.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the formulas of the sizing page with those of the library: equal, to the last bit. */
class FormulasTest {

  private static final long SEED = 20261125;
  private static final int PLANS = 60;
  private static final int NUMBERS = 4_000;

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final List<Double> EDGES =
      List.of(1e-6, Math.nextDown(1e-6), 1e-5, 2e-4, 0.01, Math.nextDown(0.01), 0.5, 0.999, 1e-15);

  // One for all: what it computes first, and keeps, takes seconds.
  private static SizingScripts scripts;

  @BeforeAll
  static void load() throws IOException {
    scripts = new SizingScripts();
  }

  @AfterAll
  static void leave() {
    scripts.close();
  }

  private static Optional<FilterPlan> plan(String variant, long keys, double rate) {
    try {
      return Optional.of(BLOOMERY.providers().get(variant).plan(FilterSpec.of(keys, rate)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void assertSame(long keys, double rate) {
    for (String variant : BLOOMERY.providers().variants()) {
      String asked = variant + " for " + keys + " keys at " + rate;
      Optional<FilterPlan> ours = plan(variant, keys, rate);
      SizingScripts.Plan theirs = scripts.plan(variant, keys, rate);
      assertEquals(ours.isEmpty(), theirs.isRefused(), asked + " " + theirs.refusal());
      if (ours.isEmpty()) {
        continue;
      }
      FilterPlan plan = ours.get();
      assertEquals(plan.sizeInBits(), (long) theirs.number("bits"), asked);
      assertEquals(plan.heapBytes(), (long) theirs.number("heapBytes"), asked);
      assertEquals(plan.probes(), (int) theirs.number("probes"), asked);
      assertEquals(plan.description().queryCost(), theirs.text("reads"), asked);
      for (long n : List.of(1L, Math.max(1, keys / 3), keys, keys + keys / 2, 2 * keys, 9 * keys)) {
        assertEquals(plan.falsePositiveRate(n), theirs.rate(n), 0, asked + ", of " + n);
      }
    }
  }

  @Test
  void thePageHasEveryVariant() {
    assertEquals(new TreeSet<>(BLOOMERY.providers().variants()), new TreeSet<>(scripts.variants()));
  }

  @Test
  void plansAreThoseOfTheLibraryToTheDigit() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < PLANS; i++) {
      long keys = (long) Math.pow(10, random.nextDouble(0, 11));
      double rate = Math.pow(10, -random.nextDouble(0.01, i % 4 == 0 ? 13 : 5.5));
      assertSame(keys, rate);
    }
  }

  @Test
  void plansAreThoseOfTheLibraryWhereKindsOfFiltersMeet() {
    for (double rate : EDGES) {
      for (long keys : new long[] {1, 100, 10_000, 14_300_000_000L}) {
        assertSame(keys, rate);
      }
    }
  }

  @Test
  void theFunctionsAreThoseOfStrictMath() {
    SplittableRandom random = new SplittableRandom(SEED + 1);
    for (int i = 0; i < NUMBERS; i++) {
      double share = random.nextDouble();
      double small = Math.pow(10, -random.nextDouble(0, 300));
      assertFunction("exp", StrictMath::exp, -750 * share, -small, 700 * share, small);
      assertFunction("expm1", StrictMath::expm1, -60 * share, -small, 700 * share, small, -share);
      assertFunction("log", StrictMath::log, share, small, 1 / small, 1 + small);
      assertFunction("log1p", StrictMath::log1p, -share, -small, small, share, 1 / small);
      double power = random.nextDouble(0, 64);
      for (double of : new double[] {share, small, 1 - share / 1e6}) {
        for (double to : new double[] {power, 1 / power, Math.rint(power) + 1}) {
          Number theirs = (Number) scripts.call("math", "pow", of, to);
          assertEquals(StrictMath.pow(of, to), theirs.doubleValue(), 0, of + " to " + to);
        }
      }
    }
  }

  private static void assertFunction(
      String name, DoubleUnaryOperator function, double... arguments) {
    for (double argument : arguments) {
      Number theirs = (Number) scripts.call("math", name, argument);
      assertEquals(
          function.applyAsDouble(argument), theirs.doubleValue(), 0, name + " of " + argument);
    }
  }
}
