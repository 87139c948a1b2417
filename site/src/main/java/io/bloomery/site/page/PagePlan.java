package io.bloomery.site.page;

import java.util.Optional;
import java.util.Set;

/**
 * A page of the site before it is made.
 *
 * @param file its name, in the one folder that has all pages
 * @param label what navigation calls it
 * @param source the Markdown file it is made of, from the root of the repository, or the fragment
 * @param kind what the source is
 * @param only the one section of second level that it has, if not all
 * @param without sections of second level that are pages of their own
 */
public record PagePlan(
    String file,
    String label,
    String source,
    Kind kind,
    Optional<String> only,
    Set<String> without) {

  /** What a page is made of. */
  public enum Kind {
    /** A Markdown file of the repository. */
    MARKDOWN,
    /** HTML among the resources of this module: what works, and has hardly any text. */
    FRAGMENT
  }

  static PagePlan of(String file, String label, String source) {
    return new PagePlan(file, label, source, Kind.MARKDOWN, Optional.empty(), Set.of());
  }

  static PagePlan fragment(String file, String label) {
    return new PagePlan(file, label, file, Kind.FRAGMENT, Optional.empty(), Set.of());
  }

  PagePlan only(String section) {
    return new PagePlan(file, label, source, kind, Optional.of(section), without);
  }

  PagePlan without(String... sections) {
    return new PagePlan(file, label, source, kind, only, Set.of(sections));
  }

  /** Returns whether a section of second level of its source stands on it. */
  public boolean has(String section) {
    return only.map(section::equals).orElse(!without.contains(section));
  }
}
