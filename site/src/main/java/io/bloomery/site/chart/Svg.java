package io.bloomery.site.chart;

import java.util.Locale;
import org.jsoup.nodes.Element;

/** A drawing whose width has a fixed number of units, which are pixels on a telephone. */
final class Svg {

  static final int WIDTH = 340;

  private final Element root;

  /**
   * Begins a drawing.
   *
   * @param label a description for users of screen readers
   */
  Svg(int height, String label) {
    this.root =
        new Element("svg")
            .attr("viewBox", "0 0 " + WIDTH + " " + height)
            .attr("role", "img")
            .attr("aria-label", label);
  }

  Element element() {
    return root;
  }

  void text(double x, double y, String style, String text) {
    root.appendElement("text")
        .attr("x", number(x))
        .attr("y", number(y))
        .attr("class", style)
        .text(text);
  }

  void bar(double x, double y, double width, double height, String style, String title) {
    Element bar =
        root.appendElement("rect")
            .attr("x", number(x))
            .attr("y", number(y))
            .attr("width", number(width))
            .attr("height", number(height))
            .attr("rx", "2")
            .attr("class", style);
    bar.appendElement("title").text(title);
  }

  void line(double fromX, double fromY, double toX, double toY, String style) {
    root.appendElement("line")
        .attr("x1", number(fromX))
        .attr("y1", number(fromY))
        .attr("x2", number(toX))
        .attr("y2", number(toY))
        .attr("class", style);
  }

  void path(String points, String style) {
    root.appendElement("polyline").attr("points", points).attr("class", style);
  }

  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
