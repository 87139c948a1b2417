package io.bloomery;

import java.util.Optional;
import java.util.TreeMap;

/** Why two filters cannot be merged. */
final class Mismatch {

  private Mismatch() {}

  /** See {@link MergeableFilter#mismatch}. */
  static Optional<String> of(Filter one, Filter other) {
    return different("variant", one.variant(), other.variant())
        .or(() -> different("hash id", one.spec().hashId(), other.spec().hashId()))
        .or(() -> different("key form", one.spec().keyForm(), other.spec().keyForm()))
        .or(() -> different("layout", new TreeMap<>(one.layout()), new TreeMap<>(other.layout())))
        .or(() -> different("class", one.getClass(), other.getClass()));
  }

  private static Optional<String> different(String what, Object one, Object other) {
    return one.equals(other)
        ? Optional.empty()
        : Optional.of(what + " must be equal, but is " + one + " here and " + other + " there");
  }
}
