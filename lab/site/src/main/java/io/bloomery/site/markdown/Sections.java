package io.bloomery.site.markdown;

import java.util.List;
import java.util.function.Predicate;
import org.jsoup.nodes.Element;

/** Parts of a rendered file that begin with a second-level heading. */
public final class Sections {

  private Sections() {}

  /**
   * Returns the sections with matching headings, in their order.
   *
   * @param head whether to include the content before the first section
   */
  public static Element select(Element file, boolean head, Predicate<String> wanted) {
    Element selected = new Element("div");
    boolean taken = head;
    for (Element block : file.children()) {
      if (block.is("h2")) {
        taken = wanted.test(block.text());
      }
      if (taken) {
        selected.appendChild(block.clone());
      }
    }
    return selected;
  }

  /** Changes the heading of a section that is a page of its own to first level. */
  public static void promote(Element section) {
    for (int level = 2; level <= 6; level++) {
      for (Element heading : section.select("h" + level)) {
        heading.tagName("h" + (level - 1));
      }
    }
  }

  /** Returns the headings of all sections of a rendered file. */
  public static List<String> headings(Element file) {
    return file.select("> h2").eachText();
  }
}
