package io.bloomery.site.chart;

import io.bloomery.Bloomery;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The side that a name in the results belongs to. */
enum Side {
  OURS,
  PEER,
  LIMIT;

  private static final Set<String> LIMITS =
      Set.of("hash-only", "one-word", "one-line", "seven-words");
  private static final List<String> VARIANTS = Bloomery.installed().providers().variants();

  static Side of(String name) {
    if (LIMITS.contains(name)) {
      return LIMIT;
    }
    return VARIANTS.stream().anyMatch(ours -> name.equals(ours) || name.startsWith(ours + "-"))
        ? OURS
        : PEER;
  }

  /** Returns whether a name is that of a variant without options, of a peer or of a limit. */
  static boolean isPlain(String name) {
    return of(name) != OURS || VARIANTS.contains(name);
  }

  /** Returns the CSS class for its colour. */
  String style() {
    return name().toLowerCase(Locale.ROOT);
  }
}
