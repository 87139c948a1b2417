package io.bloomery.conformance.run;

import java.util.Arrays;
import java.util.Locale;

/**
 * The amount of testing in a run: each tier has the same rules and tests more than the one before.
 */
public enum Tier {
  /**
   * About 400,000 calls per provider, for filters whose calls are slow, for example over a network:
   * twelve seconds at 30 microseconds per call. Every rule except the one on large filters is
   * checked, on fewer and smaller filters, and many hashes are put or queried in batches; faults
   * that are rare, or need a large filter, are not detected.
   */
  SMOKE,
  /**
   * About 15 seconds of processor time per provider, for every build. Requires a heap of 512 MB.
   */
  QUICK,
  /** One to four minutes per provider, before a release. Requires a heap of 1 GB. */
  FULL,
  /**
   * About ten minutes per provider: the cases of {@link #FULL}, up to a billion keys, and the rules
   * of {@link #QUICK} with 24 further seeds. Requires a heap of eight times the planned size of a
   * filter for 10^9 keys at 1 %, and fails without it.
   */
  NIGHTLY;

  /** The system property that sets the tier of a {@code FilterContract}. */
  public static final String PROPERTY = "bloomery.conformance.tier";

  /** The factor by which {@link #SMOKE} makes fewer calls than {@link #QUICK}. */
  private static final int PARTS = 20;

  /**
   * Returns the tier of a name, ignoring case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Tier of(String name) {
    return Arrays.stream(values())
        .filter(tier -> tier.toString().equals(name.toLowerCase(Locale.ROOT)))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "tier must be smoke, quick, full or nightly, but was " + name));
  }

  public static Tier ofProperty() {
    return of(System.getProperty(PROPERTY, QUICK.toString()));
  }

  /**
   * Returns one of three numbers, by tier; in {@link #SMOKE} a fraction of the first, but at least
   * 1.
   */
  public int choose(int quick, int full, int nightly) {
    return choose(Math.max(1, quick / PARTS), quick, full, nightly);
  }

  /** Returns one of four numbers, by tier. */
  public int choose(int smoke, int quick, int full, int nightly) {
    return switch (this) {
      case SMOKE -> smoke;
      case QUICK -> quick;
      case FULL -> full;
      case NIGHTLY -> nightly;
    };
  }

  /**
   * Returns a number of calls that is equal in all tiers except {@link #SMOKE}, where it is a
   * fraction.
   */
  public int some(int number) {
    return choose(number, number, number);
  }

  public boolean isAtLeast(Tier other) {
    return compareTo(other) >= 0;
  }

  /** Returns the name as used in options and reports. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
