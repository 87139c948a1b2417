package io.bloomery.site.markdown;

import java.util.List;
import java.util.function.Predicate;
import org.jsoup.nodes.Element;

/** Parts of a rendered file that begin with a heading of second level. */
public final class Sections {

  private Sections() {}

  /**
   * Takes the sections whose headings are wanted, in the order in which they stand.
   *
   * @param head whether what stands before the first section is wanted, too
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

  /** Lets a section that is a page of its own begin with a heading of first level. */
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
