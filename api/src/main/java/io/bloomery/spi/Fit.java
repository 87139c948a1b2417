package io.bloomery.spi;

import io.bloomery.Filter;
import java.util.Optional;
import java.util.TreeMap;

/** Whether two filters have their bits in the same places. */
public final class Fit {

  private Fit() {}

  /**
   * Returns why {@code other} cannot be merged into {@code one}, or nothing if it can: variant,
   * hash id, layout and class must be equal.
   */
  public static Optional<String> mismatch(Filter one, Filter other) {
    return different("variant", one.variant(), other.variant())
        .or(() -> different("hash id", one.spec().hashId(), other.spec().hashId()))
        .or(() -> different("layout", new TreeMap<>(one.layout()), new TreeMap<>(other.layout())))
        .or(() -> different("class", one.getClass(), other.getClass()));
  }

  private static Optional<String> different(String what, Object one, Object other) {
    return one.equals(other)
        ? Optional.empty()
        : Optional.of(what + " must be equal, but is " + one + " here and " + other + " there");
  }
}
