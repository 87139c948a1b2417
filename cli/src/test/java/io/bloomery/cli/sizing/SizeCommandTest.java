package io.bloomery.cli.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBudget;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeCommandTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  private static Run size(String arguments) {
    return Run.of((Object[]) ("size " + arguments).strip().split(" ", -1));
  }

  private static List<Map<String, Object>> rows(String arguments) throws IOException {
    Run run = size(arguments + " --json").assertEnds(ExitCode.OK);
    return JsonObjects.array(run.json(), "variants");
  }

  private static void assertPlans(String arguments, Function<String, FilterPlan> plans)
      throws IOException {
    List<Map<String, Object>> rows = rows(arguments);
    assertEquals(
        BLOOMERY.providers().variants(), rows.stream().map(row -> row.get("variant")).toList());
    for (Map<String, Object> row : rows) {
      if (row.containsKey("refusal")) {
        String variant = (String) row.get("variant");
        assertThrows(IllegalArgumentException.class, () -> plans.apply(variant), arguments);
        continue;
      }
      FilterPlan plan = plans.apply((String) row.get("variant"));
      long keys = plan.spec().expectedKeys();
      assertEquals((double) keys, row.get("expectedKeys"), arguments);
      assertEquals((double) plan.sizeInBits(), row.get("payloadInBits"), arguments);
      assertEquals(plan.bitsPerKey(), row.get("bitsPerKey"), arguments);
      assertEquals((double) plan.probes(), row.get("probes"), arguments);
      assertEquals(plan.falsePositiveRate(keys), row.get("rate"), arguments);
      boolean isBuiltOnce =
          BLOOMERY.providers().variant(plan.variant()) instanceof StaticFilterProvider;
      assertEquals(
          isBuiltOnce ? null : plan.falsePositiveRate(2 * keys), row.get("rateAtTwice"), arguments);
    }
  }

  private static FilterBudget within(long bytes, String variant) {
    return BLOOMERY.keys(KeyHasher.longs()).within(bytes).variant(variant);
  }

  @Test
  void anyTwoDetermineTheRest() throws IOException {
    long mib = 8L << 20;
    assertPlans(
        "--keys 1M", v -> BLOOMERY.providers().variant(v).plan(FilterSpec.of(1_000_000, 0.01)));
    assertPlans(
        "--keys 10K --fpp 0.05",
        v -> BLOOMERY.providers().variant(v).plan(FilterSpec.of(10_000, 0.05)));
    assertPlans("--keys 1M --bytes 1MiB", v -> within(mib / 8, v).lowestFpp(1_000_000));
    assertPlans("--keys 1M --bits-per-key 7.5", v -> within(937_500, v).lowestFpp(1_000_000));
    assertPlans("--bytes 1MiB", v -> within(mib / 8, v).maxKeys(0.01));
    assertPlans("--bytes 1MiB --fpp 0.1", v -> within(mib / 8, v).maxKeys(0.1));
    assertPlans("--bytes 1MiB --bits-per-key 16", v -> within(mib / 8, v).lowestFpp(mib / 16));
    assertPlans(
        "--keys 1M --fpp 0.01 --bits-per-key 40",
        v -> BLOOMERY.providers().variant(v).plan(FilterSpec.of(1_000_000, 0.01)));
  }

  @Test
  void theTableHasARowForEachVariantInAHundredColumns() {
    Run run = size("--keys 1B --fpp 0.001");
    List<String> lines = run.out().lines().toList();
    List<String> variants = BLOOMERY.providers().variants();
    for (int i = 0; i < variants.size(); i++) {
      FilterPlan plan =
          BLOOMERY.providers().variant(variants.get(i)).plan(FilterSpec.of(1_000_000_000, 0.001));
      String row = lines.get(1 + i);
      assertTrue(row.startsWith(plan.variant() + " "), row);
      String bytes = String.format(Locale.ROOT, " %,d ", plan.sizeInBits() / 8);
      assertTrue(row.contains(" 1,000,000,000 ") && row.contains(bytes), row);
      assertTrue(row.length() <= 100, row);
    }
    assertTrue(run.out().contains("  1 block\n"), run.out());
    assertTrue(run.out().contains("  10 reads\n"), run.out());
    assertTrue(run.out().contains("this is the first layer"), run.out());
    assertFalse(run.out().contains("No filter is needed"), run.out());
  }

  @Test
  void aVariantThatCannotSaysWhatItCould() throws IOException {
    Map<String, Object> counting = rows("--keys 1M --fpp 1e-7").get(1);
    assertEquals("counting", counting.get("variant"));
    assertTrue(((String) counting.get("refusal")).contains("ask for 1.0E-5"), counting + "");
    assertFalse(counting.containsKey("payloadInBits"));
    Run run = size("--keys 1M --fpp 1e-7");
    assertTrue(run.out().contains("\nblocked cannot: rate must be at least 1.0E-6"), run.out());
    assertTrue(run.out().contains("\nstandard  "), run.out());
    run.assertEnds(ExitCode.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "--keys 1, true",
    "--keys 10082, true",
    "--keys 10083, false",
    "--keys 1M --fpp 1e-10, false",
    "--keys 1M --fpp 1e-11, true",
    "--keys 100K --fpp 1.2e-14, true"
  })
  void whereAnExactSetIsSmallOrSmallerItSaysSo(String arguments, boolean exact) throws IOException {
    assertEquals(exact, size(arguments).out().contains("No filter is needed"), arguments);
    Map<String, Object> json = size(arguments + " --json").json();
    assertEquals(!exact, json.get("filterNeeded"));
    assertEquals(exact, json.containsKey("instead"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "| how many keys? Add --keys, as in --keys 10M, or --bytes to see how many fit",
        "--fpp 0.1 | how many keys? Add --keys, as in --keys 10M, or --bytes to see how many fit",
        "--fpp 0.1 --bits-per-key 9 | how many keys? Add --keys, as in --keys 10M, or --bytes to"
            + " see how many fit",
        "--keys 9 --fpp 0.1 --bytes 9 | two of --keys, --fpp, --bytes and --bits-per-key are"
            + " enough; leave out the others",
        "--keys 9 --bytes 9 --bits-per-key 9 | two of --keys, --fpp, --bytes and --bits-per-key"
            + " are enough; leave out the others",
        "--bytes 1 --bits-per-key 9 | --bytes must be enough for one key of 9.0 bits; allow more",
        "--bytes 0 | --bytes must be at least 1, but was 0",
        "--keys 0 | --keys must be at least 1, but was 0",
        "--keys 9 --fpp 5 | rate must be between 0 and 1 (exclusive), but was 5.0; for 5.0 % write"
            + " 0.05",
        "--keys 1M --bytes 9 | no variant can do this: a filter of variant 'standard' with 9 bytes cannot hold"
            + " 1000000 keys at any rate; allow more bytes",
        "--keys 1M --bits-per-key 0 | invalid value for option '--bits-per-key': must be a number"
            + " above 0, but was '0'; 9.6 are enough for a rate of 1 %; try 'bloomery size --help'",
        "--bytes 5000000TB | --bytes must be at most 1152921504606846975, but was"
            + " 5000000000000000000"
      })
  void whatCannotBeAnsweredIsRefused(String argumentsAndMessage) {
    String[] parts = argumentsAndMessage.split("\\|", -1);
    Run.assertFails(ExitCode.USAGE, parts[1].strip(), size(parts[0].strip()));
  }
}
