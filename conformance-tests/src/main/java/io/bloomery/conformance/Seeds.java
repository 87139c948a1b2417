package io.bloomery.conformance;

import java.util.SplittableRandom;

/** The one number that all randomness of the suite comes from. */
final class Seeds {

  /** The system property that sets another seed for the whole suite, a decimal number. */
  static final String PROPERTY = "bloomery.conformance.seed";

  private static final long DEFAULT = 20_261_121;

  private Seeds() {}

  static long ofProperty() {
    return Long.getLong(PROPERTY, DEFAULT);
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
