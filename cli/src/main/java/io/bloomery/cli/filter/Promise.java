package io.bloomery.cli.filter;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The guarantee of a filter, a false-positive rate up to a number of distinct keys, and its current
 * state.
 *
 * @param spec the guarantee
 * @param stats the current state
 * @param different the number of distinct keys that it certainly holds; 0 if not counted
 */
record Promise(FilterSpec spec, FilterStats stats, long different) {

  /**
   * Returns whether the rate is higher than guaranteed because there are more keys than expected:
   * by the statistics, or by the exact count, which reveals a small excess where an estimate
   * cannot.
   */
  boolean isOutgrown() {
    return stats.isOverfull()
        || (different > spec.expectedKeys()
            && stats.falsePositiveRate() > spec.falsePositiveRate());
  }

  /** Warns if the filter in a file has outgrown its guarantee, and returns the exit code. */
  int report(Session session, Path file) {
    if (!isOutgrown()) {
      return ExitCode.OK;
    }
    session.warnOfLoss(
        "%s expects %,d keys but holds %s, so its false-positive rate is now %.3g"
            + " instead of %s; create a larger one",
        file, spec.expectedKeys(), held(), stats.falsePositiveRate(), spec.falsePositiveRate());
    return ExitCode.OUTGROWN;
  }

  private String held() {
    return stats.approximateKeys().isEmpty()
        ? "more than can be told"
        : String.format(
            Locale.ROOT, "about %,d", Math.max(different, stats.approximateKeys().getAsLong()));
  }
}
