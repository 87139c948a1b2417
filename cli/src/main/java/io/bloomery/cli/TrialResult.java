package io.bloomery.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * How one variant did.
 *
 * @param variant its name
 * @param keys how many keys were put
 * @param expected how many the filter was made for: fewer if it grows
 * @param filters how many filters were made of them, each with other hashes
 * @param falseNegatives how many present keys were denied, by all filters and at all times
 * @param rateAsked the false-positive rate asked for
 * @param rateMeasured the one that absent keys met
 * @param bitsPerKey the size of everything the filter holds, for each key put
 * @param nanosPerPut the time to put a key
 * @param nanosPerQuery the time to ask for an absent key
 * @param removed how many keys were removed and put back; none if the variant cannot
 * @param reopenedAsSaved whether the filter, saved and opened, is written as the same bytes
 */
record TrialResult(
    String variant,
    int keys,
    int expected,
    int filters,
    long falseNegatives,
    double rateAsked,
    ExactRate rateMeasured,
    double bitsPerKey,
    double nanosPerPut,
    double nanosPerQuery,
    int removed,
    boolean reopenedAsSaved) {

  boolean rateKept() {
    return !rateMeasured.isAbove(rateAsked);
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
      broken.add(variant + " has a rate above the one asked");
    }
    if (!reopenedAsSaved) {
      broken.add(variant + " is not the same after saving and opening");
    }
    return broken;
  }
}
