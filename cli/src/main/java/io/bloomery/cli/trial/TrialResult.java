package io.bloomery.cli.trial;

import io.bloomery.filter.FilterDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of one variant.
 *
 * @param variant the name of the variant
 * @param description the variant's description of the filter
 * @param keys the number of keys added
 * @param expected the number of keys that the filter was made for: fewer if it grows
 * @param filters the number of filters made of the keys, each with different hashes
 * @param falseNegatives the number of present keys reported as absent, over all filters and queries
 * @param targetRate the false-positive rate that the filter was made for
 * @param rateMeasured the false-positive rate of absent keys
 * @param bitsPerKey the size of everything the filter holds, per key added
 * @param nanosPerAdd the time to add a key
 * @param nanosPerQuery the time to query an absent key
 * @param removed the number of keys removed and added again; 0 if the variant cannot remove
 * @param reopenedAsSaved whether the filter, saved and opened, is written as the same bytes
 */
record TrialResult(
    String variant,
    FilterDescription description,
    int keys,
    int expected,
    int filters,
    long falseNegatives,
    double targetRate,
    ExactRate rateMeasured,
    double bitsPerKey,
    double nanosPerAdd,
    double nanosPerQuery,
    int removed,
    boolean reopenedAsSaved) {

  /** Returns the highest measured rate that is consistent with the target, except for chance. */
  double rateBound() {
    return rateMeasured.bound(targetRate);
  }

  boolean rateKept() {
    return !rateMeasured.isAbove(targetRate);
  }

  /** Returns whether the filter had to grow. */
  boolean grew() {
    return expected < keys;
  }

  /** Returns a sentence for every guarantee that was not kept. */
  List<String> broken() {
    List<String> broken = new ArrayList<>();
    if (falseNegatives > 0) {
      broken.add(variant + " denied " + falseNegatives + " keys that it holds");
    }
    if (!rateKept()) {
      broken.add(
          String.format(
              Locale.ROOT,
              "%s has a rate above the requested one beyond chance: %.3g, where %.3g is the bound",
              variant,
              rateMeasured.value(),
              rateBound()));
    }
    if (!reopenedAsSaved) {
      broken.add(variant + " is not the same after saving and opening");
    }
    return broken;
  }
}
