package io.bloomery.site.chart;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jsoup.nodes.Element;

/** A bar chart in ascending order, each bar with its name and value. */
final class BarPanel {

  private static final int NAMES = 134;
  private static final int NUMBERS = 44;
  private static final int ROW = 19;
  private static final int BAR = 11;
  private static final int HEAD = 26;

  private BarPanel() {}

  /**
   * Draws nanoseconds.
   *
   * @param title the title above the bars
   * @param label a description for users of screen readers
   */
  static Element draw(String title, String label, Map<String, Double> nanos) {
    List<Map.Entry<String, Double>> rows =
        nanos.entrySet().stream()
            .filter(one -> Side.isPlain(one.getKey()))
            .sorted(Map.Entry.comparingByValue())
            .toList();
    double longest = rows.get(rows.size() - 1).getValue();
    Svg svg = new Svg(HEAD + ROW * rows.size(), label);
    svg.text(0, 13, "title", title);
    for (int i = 0; i < rows.size(); i++) {
      String name = rows.get(i).getKey();
      double value = rows.get(i).getValue();
      double top = HEAD + ROW * i;
      double width = value / longest * (Svg.WIDTH - NAMES - NUMBERS);
      String style = Side.of(name).style();
      String number = number(value);
      svg.text(NAMES - 8, top + BAR - 1, "name " + style, name);
      svg.bar(NAMES, top, Math.max(1, width), BAR, style, name + ": " + number + " ns");
      svg.text(NAMES + width + 5, top + BAR - 1, "value", number);
    }
    return svg.element();
  }

  /** Returns a number with three digits. */
  static String number(double nanos) {
    return String.format(Locale.ROOT, nanos < 10 ? "%.2f" : nanos < 100 ? "%.1f" : "%.0f", nanos);
  }
}
