package io.bloomery.benchmarks.paired;

/**
 * A value of one subject that is not a time: bits per key or a rate.
 *
 * @param what the name of the value, with its unit
 * @param keys the number of keys that the filter was created for, and held
 */
public record Stats(String what, KeyKind kind, long keys, String subject, double value) {

  /** The size of the filter. */
  public static final String BITS_PER_KEY = "bits per key";

  /** The fraction of absent keys reported as contained. */
  public static final String RATE = "false-positive rate";

  /** The planned fraction of absent keys reported as contained. */
  public static final String PLANNED_RATE = "planned false-positive rate";
}
