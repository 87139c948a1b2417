package io.bloomery.conformance.report;

import io.bloomery.Bloomery;
import io.bloomery.conformance.hostile.HostileCampaign;
import io.bloomery.conformance.hostile.HostileReport;
import io.bloomery.filter.FilterProviders;
import java.util.Arrays;
import java.util.List;

/** Runs a campaign of hostile inputs against installed variants, and prints its report. */
public final class HostileMain {

  private HostileMain() {}

  /**
   * Prints the report in one line, the first failure, and all of it as JSON; exits with status 1 if
   * an input had no permitted outcome.
   *
   * @param arguments the number of mutants for each variant, the seed, and the variants if not all;
   *     each is optional
   */
  public static void main(String[] arguments) {
    FilterProviders installed = Bloomery.installed().providers();
    List<String> variants =
        arguments.length > 2
            ? Arrays.asList(arguments).subList(2, arguments.length)
            : installed.variants();
    HostileCampaign campaign =
        HostileCampaign.on(variants.stream().map(installed::variant).toList());
    if (arguments.length > 0) {
      campaign = campaign.mutants(Long.parseLong(arguments[0]));
    }
    if (arguments.length > 1) {
      campaign = campaign.seed(Long.parseLong(arguments[1]));
    }
    HostileReport report = campaign.run();
    System.out.println(report);
    System.out.print(Reports.json(report));
    // A hanging reader blocks only its own thread; the result is known.
    System.exit(report.failures() == 0 ? 0 : 1);
  }
}
