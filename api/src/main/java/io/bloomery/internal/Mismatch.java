package io.bloomery.internal;

import java.util.Optional;

/** Why two filters cannot be merged: the first difference, in words of those who made them. */
public final class Mismatch {

  /**
   * What decides whether a filter can be merged.
   *
   * @param place how to speak of it, as in "here" or "in monday.bloom"
   * @param keys how many are expected, which matters only if it made other layouts
   * @param rate that was asked for, likewise
   */
  public record Side(
      String place,
      String variant,
      String hashId,
      String keyForm,
      long keys,
      double rate,
      Object layout) {}

  private Mismatch() {}

  /** Compares everything but classes; empty if the filters can be merged. */
  public static Optional<String> of(Side one, Side other) {
    return different("variant", one, one.variant(), other, other.variant())
        .or(() -> different("hash id", one, one.hashId(), other, other.hashId()))
        .or(() -> different("key form", one, one.keyForm(), other, other.keyForm()))
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
    boolean sameKeys = one.keys() == other.keys();
    boolean sameRate = one.rate() == other.rate();
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
    String keys = sameKeys ? "" : Long.toString(side.keys());
    String rate = sameRate ? "" : Double.toString(side.rate());
    String both = keys.isEmpty() || rate.isEmpty() ? keys + rate : keys + " at " + rate;
    return both + " " + side.place() + " made " + side.layout();
  }
}
