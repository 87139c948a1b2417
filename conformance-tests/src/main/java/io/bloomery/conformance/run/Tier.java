package io.bloomery.conformance.run;

import java.util.Arrays;
import java.util.Locale;

/** How much a run tries: each tier keeps the same rules, and looks harder than the one before. */
public enum Tier {
  /** Some ten seconds for a provider, for every build. Needs a heap of 512 MB. */
  QUICK,
  /** One to four minutes for a provider, before a release. Needs a heap of 1 GB. */
  FULL,
  /**
   * Some ten minutes for a provider: up to a billion keys, twice the cases of {@link #FULL}, and
   * the rules of {@link #QUICK} under 24 further seeds. Needs a heap of eight times the planned
   * size of a filter for 10^9 keys at 1 %, and fails without.
   */
  NIGHTLY;

  /** The system property that sets the tier of a {@code FilterContract}. */
  public static final String PROPERTY = "bloomery.conformance.tier";

  /**
   * Returns the tier of a name, in whichever case.
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
                    "tier must be quick, full or nightly, but was " + name));
  }

  public static Tier ofProperty() {
    return of(System.getProperty(PROPERTY, QUICK.toString()));
  }

  /** Returns one of three, by tier. */
  public int choose(int quick, int full, int nightly) {
    return switch (this) {
      case QUICK -> quick;
      case FULL -> full;
      case NIGHTLY -> nightly;
    };
  }

  public boolean isAtLeast(Tier other) {
    return compareTo(other) >= 0;
  }

  /** Returns the name as options and reports give it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
