package io.bloomery.conformance.run;

import java.util.Arrays;
import java.util.Locale;

/** How much a run tries: each tier has the same rules, and looks harder than the one before. */
public enum Tier {
  /**
   * Some 300,000 calls for a provider, for filters whose calls are slow, such as over a network:
   * ten seconds at 30 microseconds a call. Every rule is checked but the one on large filters, on
   * fewer and smaller filters, and many hashes are put or asked for in batches; faults that are
   * rare, or need a large filter, pass unseen.
   */
  SMOKE,
  /** Some ten seconds for a provider, for every build. Needs a heap of 512 MB. */
  QUICK,
  /** One to four minutes for a provider, before a release. Needs a heap of 1 GB. */
  FULL,
  /**
   * Some ten minutes for a provider: the cases of {@link #FULL}, up to a billion keys, and the
   * rules of {@link #QUICK} under 24 further seeds. Needs a heap of eight times the planned size of
   * a filter for 10^9 keys at 1 %, and fails without.
   */
  NIGHTLY;

  /** The system property that sets the tier of a {@code FilterContract}. */
  public static final String PROPERTY = "bloomery.conformance.tier";

  /** Of how many calls that {@link #QUICK} makes {@link #SMOKE} makes one. */
  private static final int PARTS = 20;

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
                    "tier must be smoke, quick, full or nightly, but was " + name));
  }

  public static Tier ofProperty() {
    return of(System.getProperty(PROPERTY, QUICK.toString()));
  }

  /** Returns one of three, by tier; in {@link #SMOKE} a part of the first, but one at least. */
  public int choose(int quick, int full, int nightly) {
    return choose(Math.max(1, quick / PARTS), quick, full, nightly);
  }

  /** Returns one of four, by tier. */
  public int choose(int smoke, int quick, int full, int nightly) {
    return switch (this) {
      case SMOKE -> smoke;
      case QUICK -> quick;
      case FULL -> full;
      case NIGHTLY -> nightly;
    };
  }

  /** Returns a number of calls that each tier makes; in {@link #SMOKE} a part of it. */
  public int some(int number) {
    return choose(number, number, number);
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
