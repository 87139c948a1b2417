package io.bloomery.conformance.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.report.Reports;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The nightly tier for every variant: up to 10^9 keys, and 24 fresh seeds. Part of the profile
 * {@code nightly}, of whose time it takes the most; leaves its reports in {@code
 * target/conformance}.
 */
@Tag("nightly")
class NightlyTest {

  @TestFactory
  Stream<DynamicTest> everyVariantKeepsEveryRule() {
    FilterProviders providers = Bloomery.installed().providers();
    return Stream.<VariantProvider>concat(providers.all().stream(), providers.allStatic().stream())
        .map(provider -> dynamicTest(provider.variant(), () -> check(provider)));
  }

  private static void check(VariantProvider provider) throws IOException {
    ConformanceReport report = new ConformanceRunner().tier(Tier.NIGHTLY).run(provider);
    System.out.println(report.summary() + " | seed " + report.seed() + " | " + report.duration());
    Reports.write(Path.of("target", "conformance"), report);
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertEquals(24, report.freshSeeds().size(), "fresh seeds");
    assertTrue(report.alphaSpent() <= 1e-9, () -> "false alarms: " + report.alphaSpent());
  }
}
