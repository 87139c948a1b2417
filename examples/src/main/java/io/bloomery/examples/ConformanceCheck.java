package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import java.io.PrintStream;

/** Holds a variant to every rule of the conformance suite, from a program. */
public final class ConformanceCheck {

  private ConformanceCheck() {}

  /** Tests as much as a tier does, and returns whether the variant can be relied on. */
  public static boolean passes(FilterProvider provider, Tier tier, PrintStream out) {
    ConformanceReport report = new ConformanceRunner().tier(tier).run(provider);
    out.println(report.summary());
    report.failures().forEach(rule -> out.println(rule + ": " + report.outcome(rule).detail()));
    // Neither a broken rule nor a run that proved nothing is a pass.
    return report.verdict() == Verdict.PASS;
  }

  /**
   * Tests the variant that is named, or {@code standard}. {@code -Dbloomery.conformance.tier=full}
   * tests more than the usual tier does.
   */
  public static void main(String... args) {
    String variant = args.length == 0 ? "standard" : args[0];
    if (!passes(Bloomery.installed().providers().get(variant), Tier.ofProperty(), System.out)) {
      System.exit(1);
    }
  }
}
