package io.bloomery.site.markdown;

import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/** Adapts rendered Markdown to pages: scrolling tables, links to headings. */
public final class Shape {

  private static final int MOST_ROWS = 60; // of an expanded table
  private static final Pattern NUMBERS = Pattern.compile("(?U)(?:\\W|\\d|\\b\\p{L}{1,2}\\b)*");
  private static final int MOST_IN_A_LINE = 24; // characters

  private Shape() {}

  /** Adapts the content of a page. */
  public static void apply(Element content) {
    for (Element table : content.select("table")) {
      if (table.select("thead th").eachText().stream().allMatch(String::isEmpty)) {
        table.select("thead").remove();
      }
      for (Element cell : table.select("td")) {
        String text = cell.text();
        if (text.length() <= MOST_IN_A_LINE && NUMBERS.matcher(text).matches()) {
          cell.addClass("number");
        }
      }
      int rows = table.select("tbody tr").size();
      if (rows > MOST_ROWS && table.closest("details") == null) {
        table.wrap("<details></details>");
        table.before("<summary>" + rows + " rows</summary>");
      }
      scroll(table);
    }
    content.select("pre").attr("tabindex", "0");
    content.select("pre > code").forEach(CodeColors::apply);
    for (Element heading : content.select("h2[id], h3[id], h4[id]")) {
      heading
          .appendElement("a")
          .addClass("anchor")
          .attr("href", "#" + heading.id())
          .attr("aria-label", "Link to this section")
          .text("#");
    }
  }

  /**
   * Makes a wide element scrollable instead of the page; it is focusable, so that the keyboard
   * scrolls it.
   */
  private static void scroll(Element wide) {
    wide.wrap("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"></div>");
  }
}
