package io.bloomery.cli.session;

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
public record Promise(FilterSpec spec, FilterStats stats, long different) {
  // decisions.md#a-filter-that-has-outgrown-its-promise-is-saved-and-the-exit-code-is-5

  /**
   * Returns whether the rate is higher than guaranteed because there are more keys than expected:
   * by the statistics, or by the exact count, which reveals a small excess where an estimate
   * cannot.
   */
  public boolean isOutgrown() {
    return stats.isOverfull()
        || (different > spec.expectedKeys()
            && stats.falsePositiveRate() > spec.falsePositiveRate());
  }

  /**
   * Warns if the filter of a name has outgrown its guarantee, with a remedy, and returns the exit
   * code.
   */
  public int report(Session session, String name, String remedy) {
    if (!isOutgrown()) {
      return ExitCode.OK;
    }
    session.warnOfLoss(
        "%s expects %,d keys but holds %s, so its false-positive rate is now %.3g"
            + " instead of %s; %s",
        name,
        spec.expectedKeys(),
        held(),
        stats.falsePositiveRate(),
        spec.falsePositiveRate(),
        remedy);
    return ExitCode.OUTGROWN;
  }

  /** Warns of a filter in a file. */
  public int report(Session session, Path file) {
    return report(session, file.toString(), "create a larger one");
  }

  private String held() {
    if (spec.isIntersection()) {
      return String.format(Locale.ROOT, "at least %,d", different);
    }
    return stats.approximateKeys().isEmpty()
        ? "more than can be told"
        : String.format(
            Locale.ROOT, "about %,d", Math.max(different, stats.approximateKeys().getAsLong()));
  }
}
