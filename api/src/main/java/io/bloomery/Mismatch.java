package io.bloomery;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Why two filters cannot be merged: the first difference, in words of those who made them. */
final class Mismatch {

  /**
   * What decides whether a filter can be merged.
   *
   * @param place how to speak of it, as in "here" or "in monday.bloom"
   */
  record Side(String place, String variant, FilterSpec spec, Map<String, Long> layout) {}

  private Mismatch() {}

  /** See {@link MergeableFilter#mismatch}. */
  static Optional<String> of(Filter one, Filter other) {
    return of(side("here", one), side("there", other))
        .or(() -> different("class", "here", one.getClass(), "there", other.getClass()));
  }

  private static Side side(String place, Filter filter) {
    return new Side(place, filter.variant(), filter.spec(), new TreeMap<>(filter.layout()));
  }

  /** Compares all but the classes. */
  static Optional<String> of(Side one, Side other) {
    return different("variant", one, one.variant(), other, other.variant())
        .or(() -> different("hash id", one, one.spec().hashId(), other, other.spec().hashId()))
        .or(() -> different("key form", one, one.spec().keyForm(), other, other.spec().keyForm()))
        .or(() -> ofLayouts(one, other));
  }

  private static Optional<String> different(
      String what, Side one, Object first, Side other, Object second) {
    return different(what, one.place(), first, other.place(), second);
  }

  private static Optional<String> different(
      String what, String here, Object first, String there, Object second) {
    return first.equals(second)
        ? Optional.empty()
        : Optional.of(
            what + " must be equal, but is " + first + " " + here + " and " + second + " " + there);
  }

  /** Says what was asked for differently, if that is what made layouts of it. */
  private static Optional<String> ofLayouts(Side one, Side other) {
    boolean sameKeys = one.spec().expectedKeys() == other.spec().expectedKeys();
    boolean sameRate = one.spec().falsePositiveRate() == other.spec().falsePositiveRate();
    if (one.layout().equals(other.layout()) || (sameKeys && sameRate)) {
      return different("layout", one, one.layout(), other, other.layout());
    }
    String what = sameRate ? "expected keys" : sameKeys ? "rate" : "expected keys and rate";
    return Optional.of(
        what
            + " must make the same layout, but "
            + asked(one, sameKeys, sameRate)
            + " and "
            + asked(other, sameKeys, sameRate));
  }

  private static String asked(Side side, boolean sameKeys, boolean sameRate) {
    String keys = sameKeys ? "" : Long.toString(side.spec().expectedKeys());
    String rate = sameRate ? "" : Double.toString(side.spec().falsePositiveRate());
    String both = keys.isEmpty() || rate.isEmpty() ? keys + rate : keys + " at " + rate;
    return both + " " + side.place() + " made " + side.layout();
  }
}
