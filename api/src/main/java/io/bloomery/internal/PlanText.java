package io.bloomery.internal;

import java.util.Locale;

/** What a plan says of itself in one line. */
public final class PlanText {

  private PlanText() {}

  /**
   * Returns the line.
   *
   * @param keys how many are expected
   * @param rate the one that was asked for
   * @param expectedRate the one to expect of so many keys
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
