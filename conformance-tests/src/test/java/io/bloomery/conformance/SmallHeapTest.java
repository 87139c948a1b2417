package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Bytes that were made up, read where there is no memory to waste: in a JVM of 64 MB. */
@Tag("small-heap")
class SmallHeapTest {

  private static final List<Rule> RULES =
      List.of(Rule.R23, Rule.R35, Rule.R36, Rule.R37, Rule.R38, Rule.R65);

  @Test
  void theHeapIsSmall() {
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(heap <= 64 << 20, () -> "the heap has " + heap + " bytes; see the pom");
  }

  @TestFactory
  Stream<DynamicTest> everyVariantRefusesWhatWasMadeUp() {
    return Bloomery.installed().providers().stream()
        .map(
            provider ->
                dynamicTest(
                    provider.variant(),
                    () -> {
                      ConformanceReport report = new ConformanceRunner().rules(RULES).run(provider);
                      assertEquals(Verdict.PASS, report.verdict(), report::toString);
                    }));
  }
}
