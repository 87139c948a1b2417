package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Keeps the page on choosing a variant true. */
class ChoosingTest {

  private static String page() throws IOException {
    return Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/choosing.md"));
  }

  @Test
  void thePageHasTheTablesThatThePlansGive() throws IOException {
    assertTrue(page().contains(VariantTables.memory()), VariantTables.memory());
    assertTrue(page().contains(VariantTables.beyond()), VariantTables.beyond());
  }

  @Test
  void thePageSaysWhatAGrownFilterTakes() throws IOException {
    assertTrue(page().contains(VariantTables.grown()), VariantTables.grown());
  }

  /** Rates as planned and as one filter has them, from half of the expected keys to three times. */
  @Test
  void whatIsMeasuredIsWhatWasPlanned() {
    FilterSpec spec = FilterSpec.of(100_000, 0.01);
    int queries = 200_000;
    for (FilterProvider provider : Bloomery.installed().providers().all()) {
      FilterPlan plan = provider.plan(spec);
      Filter filter = provider.create(spec, ThreadMode.CONFINED);
      SplittableRandom random = new SplittableRandom(1);
      for (int tenths = 1; tenths <= 30; tenths++) {
        random.longs(spec.expectedKeys() / 10).forEach(filter::put);
        if (tenths < 5) {
          continue;
        }
        long hits = random.longs(queries).filter(filter::mightContain).count();
        // Fixed seed: eight standard deviations, and 5 % for the fill.
        double rate = plan.falsePositiveRate(tenths * spec.expectedKeys() / 10);
        double slack = 8 * Math.sqrt(rate / queries) + 0.05 * rate;
        assertEquals(
            rate, (double) hits / queries, slack, provider.variant() + " at " + tenths + " tenths");
      }
    }
  }
}
