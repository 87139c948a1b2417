package io.bloomery.site.page;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The plan of a page of the site.
 *
 * @param file its name in the folder of all pages
 * @param label its name in the navigation
 * @param source the Markdown file, relative to the root of the repository, or the fragment
 * @param kind the kind of the source
 */
public record PagePlan(String file, String label, String source, Kind kind) {

  /** The kind of source of a page. */
  public enum Kind {
    /** A Markdown file of the repository. */
    MARKDOWN,
    /** A Markdown file that a program writes into a folder of the build: a page if it is there. */
    GENERATED,
    /** HTML in the resources of this module: interactive content with little text. */
    FRAGMENT
  }

  static PagePlan of(String file, String label, String source) {
    return new PagePlan(file, label, source, Kind.MARKDOWN);
  }

  static PagePlan generated(String file, String label, String source) {
    return new PagePlan(file, label, source, Kind.GENERATED);
  }

  static PagePlan fragment(String file, String label) {
    return new PagePlan(file, label, file, Kind.FRAGMENT);
  }

  /** Returns whether the source is Markdown. */
  public boolean isMarkdown() {
    return kind != Kind.FRAGMENT;
  }

  /** Returns whether the page can be made of a checkout. */
  boolean isIn(Path root) {
    return kind != Kind.GENERATED || Files.exists(root.resolve(source));
  }
}
