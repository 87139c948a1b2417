package io.bloomery.conformance.internal.check;

import java.util.SplittableRandom;

/** The seed from which all random choices of the suite are derived. */
public final class Seeds {

  /** The system property that sets the seed of the whole suite, as a decimal number. */
  public static final String PROPERTY = "bloomery.conformance.seed";

  private Seeds() {}

  /**
   * Returns the seed set by the property, or a new one: a fixed seed would never find what it does
   * not find in the first run.
   *
   * @throws IllegalArgumentException if the property is not a number
   */
  public static long ofProperty() {
    String text = System.getProperty(PROPERTY, "").strip();
    if (text.isEmpty()) {
      return new SplittableRandom().nextLong();
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          PROPERTY + " must be a whole number, but is '" + text + "'", e);
    }
  }

  /** Returns the seed for a purpose, which differs from that of every other purpose. */
  static long derived(long master, String purpose) {
    long seed = master;
    for (int i = 0; i < purpose.length(); i++) {
      seed = new SplittableRandom(seed + purpose.charAt(i)).nextLong();
    }
    return seed;
  }
}
