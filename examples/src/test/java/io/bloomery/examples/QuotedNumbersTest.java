package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Computes anew the numbers that articles quote, as {@code docs/choosing.md} gives them. */
class QuotedNumbersTest {

  private static final int[][] SUMMARY_CACHE = {{8, 5}, {10, 7}, {10, 4}, {15, 10}, {16, 11}};

  private static void assertOnPage(String text) throws IOException {
    Path page = Path.of("").toAbsolutePath().getParent().resolve("docs/choosing.md");
    assertTrue(Files.readString(page).replaceAll("\\s+", " ").contains(text), text);
  }

  /** Returns the rate of an ideal table, (1 - e^(-k n / m))^k, Bloom 1970. */
  private static double rate(double bitsPerKey, int functions) {
    return Math.pow(-Math.expm1(-functions / bitsPerKey), functions);
  }

  private static String digits(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static FilterPlan plan(long keys, double rate) {
    return Bloomery.installed().providers().get("standard").plan(FilterSpec.of(keys, rate));
  }

  @Test
  void aHundredMillionAddressesInSixteenBitsEach() throws IOException {
    assertOnPage(
        "with 8 hash functions it is "
            + digits("%.2e", rate(16, 8))
            + digits(", one in %,.0f.", 1 / rate(16, 8)));
    assertOnPage("with the best number, 11, " + digits("%.2e", rate(16, 11)));
    double lowest =
        Bloomery.longs().within(200_000_000).lowestFpp(100_000_000).falsePositiveRate(100_000_000);
    assertOnPage("`lowestFpp` says " + digits("%.2e", lowest));
    assertOnPage(
        digits("for 10^-4 it takes %.2f bits a key", plan(100_000_000, 1e-4).bitsPerKey()));
  }

  @Test
  void theTableOfTheSummaryCache() throws IOException {
    for (int[] row : SUMMARY_CACHE) {
      assertOnPage(digits("| " + row[0] + " | " + row[1] + " | %.3g |", rate(row[0], row[1])));
    }
  }

  @Test
  void aMillionIntsAtThreePercent() throws IOException {
    double bits = -1_000_000 * Math.log(0.03) / (Math.log(2) * Math.log(2));
    assertOnPage(digits("takes %,.0f bits", Math.floor(bits)));
    assertOnPage(digits("5 hash functions and a rate of %.4f %%", 100 * rate(bits / 1e6, 5)));
    FilterPlan ours = plan(1_000_000, 0.03);
    assertTrue(ours.falsePositiveRate(1_000_000) <= 0.03);
    assertOnPage(digits("`standard` takes %,.0f", (double) ours.sizeInBits()));
  }

  /** Half of the keys are deleted, by a second filter or by removing them. */
  @Test
  void keysThatASecondFilterDeletesTakeOthersWithThem() throws IOException {
    assertOnPage("one live key in a hundred is reported absent");
    long[] hashes = new SplittableRandom(1).longs(100_000).toArray();
    FilterSpec spec = FilterSpec.of(hashes.length, 0.01);
    Filter put = create("standard", spec);
    Filter deleted = create("standard", FilterSpec.of(hashes.length / 2, 0.01));
    RemovableFilter counting = (RemovableFilter) create("counting", spec);
    put.putAll(hashes, 0, hashes.length);
    counting.putAll(hashes, 0, hashes.length);
    for (int i = 0; i < hashes.length / 2; i++) {
      deleted.put(hashes[i]);
      counting.remove(hashes[i]);
    }
    int lost = 0;
    for (int i = hashes.length / 2; i < hashes.length; i++) {
      lost += put.mightContain(hashes[i]) && !deleted.mightContain(hashes[i]) ? 0 : 1;
      assertTrue(counting.mightContain(hashes[i]), "a live key is lost by counting");
    }
    // 50,000 live keys, 1 % of which the second filter finds; six standard deviations, fixed seed.
    assertEquals(500, lost, 6 * Math.sqrt(500));
    put.put(hashes[0]);
    assertFalse(put.mightContain(hashes[0]) && !deleted.mightContain(hashes[0]), "is back");
    counting.put(hashes[0]);
    assertTrue(counting.mightContain(hashes[0]));
  }

  private static Filter create(String variant, FilterSpec spec) {
    return Bloomery.installed().providers().get(variant).create(spec, ThreadMode.CONFINED);
  }
}
