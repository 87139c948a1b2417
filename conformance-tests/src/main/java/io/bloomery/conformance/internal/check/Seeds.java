package io.bloomery.conformance.internal.check;

import java.util.SplittableRandom;

/** The one number that all randomness of the suite comes from. */
public final class Seeds {

  /** The system property that sets another seed for the whole suite, a decimal number. */
  public static final String PROPERTY = "bloomery.conformance.seed";

  private Seeds() {}

  /**
   * Returns the seed that the property sets, or one that no run had before: what the same seed does
   * not meet, it would never meet.
   *
   * @throws IllegalArgumentException if the property is no number
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

  /** Returns a seed for one purpose, which is another one for every other purpose. */
  static long derived(long master, String purpose) {
    long seed = master;
    for (int i = 0; i < purpose.length(); i++) {
      seed = new SplittableRandom(seed + purpose.charAt(i)).nextLong();
    }
    return seed;
  }
}
