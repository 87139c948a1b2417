package io.bloomery.internal;

import java.util.Locale;

/** The text of a plan in one line. */
public final class PlanText {

  private PlanText() {}

  /**
   * Returns the text.
   *
   * @param keys the expected number of keys
   * @param rate the requested rate
   * @param expectedRate the expected rate with that number of keys
   */
  public static String of(
      String variant, long keys, double rate, long bits, int probes, double expectedRate) {
    return String.format(
        Locale.ROOT,
        "%s for %d keys at a rate of %s: %d bits (%.2f a key), %s, an expected rate of %.3g",
        variant,
        keys,
        rate,
        bits,
        (double) bits / keys,
        probes == 1 ? "1 probe" : probes + " probes",
        expectedRate);
  }
}
