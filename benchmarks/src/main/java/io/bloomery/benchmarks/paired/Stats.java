package io.bloomery.benchmarks.paired;

/**
 * One number about one subject that is not a time: bits a key, a rate, bytes allocated.
 *
 * @param what what was measured, with its unit
 * @param keys how many keys the filter was made for, and held
 */
public record Stats(String what, KeyKind kind, long keys, String subject, double value) {

  /** The size of the filter. */
  public static final String BITS_PER_KEY = "bits per key";

  /** Which share of absent keys was said to be contained. */
  public static final String RATE = "false-positive rate";

  /** Which share of absent keys should be said to be contained, by the plan of the filter. */
  public static final String PLANNED_RATE = "planned false-positive rate";

  /** What a query leaves to the garbage collector. */
  public static final String QUERY_BYTES = "bytes allocated per query";

  /** What a put leaves to the garbage collector. */
  public static final String PUT_BYTES = "bytes allocated per put";
}
