package io.bloomery.cli.trial;

import io.bloomery.filter.FilterDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How one variant did.
 *
 * @param variant its name
 * @param description what it says of the filter
 * @param keys how many keys were added
 * @param expected how many the filter was made for: fewer if it grows
 * @param filters how many filters were made of them, each with other hashes
 * @param falseNegatives how many present keys were denied, by all filters and at all times
 * @param targetRate the false-positive rate that the filter was made for
 * @param rateMeasured the one that absent keys met
 * @param bitsPerKey the size of everything the filter holds, for each key added
 * @param nanosPerAdd the time to add a key
 * @param nanosPerQuery the time to query an absent key
 * @param removed how many keys were removed and added again; none if the variant cannot
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

  /** Returns the highest rate that absent keys may meet if the target is kept, but for chance. */
  double rateBound() {
    return rateMeasured.bound(targetRate);
  }

  boolean rateKept() {
    return !rateMeasured.isAbove(targetRate);
  }

  /** Returns whether it had to grow. */
  boolean grew() {
    return expected < keys;
  }

  /** Returns, in words, every promise that was not kept. */
  List<String> broken() {
    List<String> broken = new ArrayList<>();
    if (falseNegatives > 0) {
      broken.add(variant + " denied " + falseNegatives + " keys that it holds");
    }
    if (!rateKept()) {
      broken.add(
          String.format(
              Locale.ROOT,
              "%s has a rate above the one asked beyond chance: %.3g, where %.3g is the bound",
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
