package io.bloomery.cli.filter;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The rate that a filter was made to keep for so many different keys, held against the filter as it
 * is.
 *
 * @param spec what was promised
 * @param stats the filter as it is
 * @param different how many different keys it certainly holds; 0 if nobody has counted
 */
record Promise(FilterSpec spec, FilterStats stats, long different) {

  /**
   * Returns whether the rate is higher than promised, since there are more keys than expected: by
   * its statistics, or by exact count, which tells a few keys more where an estimate cannot.
   */
  boolean isOutgrown() {
    return stats.isOverfull()
        || (different > spec.expectedKeys()
            && stats.falsePositiveRate() > spec.falsePositiveRate());
  }

  /** Says that the filter in a file has outgrown it, if it has, and returns the exit code. */
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
