package io.bloomery.conformance.report;

import io.bloomery.Bloomery;
import io.bloomery.conformance.hostile.HostileCampaign;
import io.bloomery.conformance.hostile.HostileReport;

/** Runs a campaign of hostile inputs against all variants installed, and prints its report. */
public final class HostileMain {

  private HostileMain() {}

  /**
   * Prints a page and then JSON; the JVM ends with 1 if an input had none of the outcomes allowed.
   *
   * @param arguments how many mutants are to be made for each variant, and the seed; both may be
   *     left out
   */
  public static void main(String[] arguments) {
    HostileCampaign campaign = HostileCampaign.on(Bloomery.installed().providers().all());
    if (arguments.length > 0) {
      campaign = campaign.mutants(Long.parseLong(arguments[0]));
    }
    if (arguments.length > 1) {
      campaign = campaign.seed(Long.parseLong(arguments[1]));
    }
    HostileReport report = campaign.run();
    System.out.println(Reports.markdown(report));
    System.out.print(Reports.json(report));
    // A reader that hangs would keep nothing but its own thread; the answer is known.
    System.exit(report.failures() == 0 ? 0 : 1);
  }
}
