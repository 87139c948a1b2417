package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** The dots of the chart lie on its lines; a scalable filter's lie on or below its own. */
  @Test
  void whatIsMeasuredIsWhatWasPlanned() {
    var measured = RateChart.measured();
    RateChart.planned()
        .forEach(
            (variant, planned) -> {
              List<Double> dots = measured.get(variant);
              for (int i = 0; i < planned.size(); i++) {
                // 200,000 queries, fixed seed: eight standard deviations, and 5 % for the fill.
                double rate = planned.get(i);
                double slack = 8 * Math.sqrt(rate / 200_000) + 0.05 * rate;
                assertEquals(rate, dots.get(i), slack, variant + " at " + i);
              }
            });
  }
}
