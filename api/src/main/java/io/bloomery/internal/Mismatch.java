package io.bloomery.internal;

import java.util.Map;
import java.util.Optional;

/**
 * The reason why two filters cannot be merged: their first difference, in terms of the parameters
 * that users set.
 */
public final class Mismatch {

  /**
   * The properties of a filter that determine whether it can be merged.
   *
   * @param place the location of the filter in messages, such as "here" or "in monday.bloom"
   * @param keys the expected keys, relevant only if they led to different layouts
   * @param rate the requested rate, likewise
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

  /** Compares everything except the classes; empty if the filters can be merged. */
  public static Optional<String> of(Side one, Side other) {
    return different("variant", one, one.variant(), other, other.variant())
        .or(() -> different("hash id", one, one.hashId(), other, other.hashId()))
        .or(() -> different("key form", one, one.keyForm(), other, other.keyForm()))
        .or(() -> ofLayouts(one, other));
  }

  /**
   * Returns why a filter with the attributes {@code source} cannot be merged into one with the
   * attributes {@code target}, which the result would keep; empty otherwise.
   */
  public static Optional<String> ofMarks(Map<String, String> target, Map<String, String> source) {
    if (source.containsKey(Attributes.INTERSECTION)
        && !target.containsKey(Attributes.INTERSECTION)) {
      return Optional.of(
          "an intersection is merged only into an intersection, since the number of its keys"
              + " cannot be told; merge the filters before they are intersected, or merge into"
              + " the intersection");
    }
    String shard = target.get(Attributes.SHARD);
    String other = source.get(Attributes.SHARD);
    return shard == null || shard.equals(other)
        ? Optional.empty()
        : Optional.of(
            (other == null ? "what is no shard" : "shard " + other)
                + " is not merged into shard "
                + shard
                + ", which is asked for its own keys only; merge each shard with the same one, or"
                + " into a filter that is no shard");
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

  /** Returns the difference in the parameters, if these led to different layouts. */
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
