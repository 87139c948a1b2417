package io.bloomery.conformance;

import java.util.SplittableRandom;

/** The one number that all randomness of the suite comes from. */
final class Seeds {

  /** The system property that sets another seed for the whole suite, a decimal number. */
  static final String PROPERTY = "bloomery.conformance.seed";

  private Seeds() {}

  /**
   * Returns the seed that the property sets, or one that no run had before: what the same seed does
   * not meet, it would never meet.
   *
   * @throws IllegalArgumentException if the property is no number
   */
  static long ofProperty() {
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

  /** Returns the properties that check a rule again as it was, on a line of their own. */
  static String again(long seed, Tier tier, Rule rule) {
    return String.format(
        "%nagain with -D%s=%d -D%s=%s -D%s=%s",
        PROPERTY, seed, Tier.PROPERTY, tier, Rule.PROPERTY, rule);
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
