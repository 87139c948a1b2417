package io.bloomery.site.chart;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jsoup.nodes.Element;

/** A line chart over the number of keys, with logarithmic axes. */
final class LinePanel {

  private static final int HEIGHT = 240;
  private static final int LEFT = 34;
  private static final int RIGHT = 8;
  private static final int TOP = 26;
  private static final int BOTTOM = 34;

  private LinePanel() {}

  /**
   * Draws lines.
   *
   * @param title the title above the lines
   * @param label a description for users of screen readers
   * @param lines nanoseconds by number of keys, by participant, in the order of colours
   */
  static Element draw(String title, String label, Map<String, SortedMap<Long, Double>> lines) {
    List<Double> values = lines.values().stream().flatMap(line -> line.values().stream()).toList();
    double least = values.stream().mapToDouble(Math::log10).min().orElse(0);
    double most = values.stream().mapToDouble(Math::log10).max().orElse(1);
    List<Long> keys = lines.values().stream().flatMap(line -> line.keySet().stream()).toList();
    double few = keys.stream().mapToDouble(Math::log10).min().orElse(0);
    double many = keys.stream().mapToDouble(Math::log10).max().orElse(1);
    Svg svg = new Svg(HEIGHT, label);
    svg.text(0, 13, "title", title);
    Scale across = new Scale(few, many, LEFT, Svg.WIDTH - RIGHT);
    Scale up = new Scale(least - 0.05, most + 0.05, HEIGHT - BOTTOM, TOP);
    for (double tick : List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)) {
      if (up.has(Math.log10(tick))) {
        double y = up.at(Math.log10(tick));
        svg.line(LEFT, y, Svg.WIDTH - RIGHT, y, "grid");
        svg.text(LEFT - 6, y + 4, "tick end", Svg.number(tick));
      }
    }
    for (int power = (int) Math.ceil(few); power <= many; power++) {
      // Only every second label, because all of them would touch.
      if ((power - (int) Math.ceil(few)) % 2 == 0) {
        svg.text(across.at(power), HEIGHT - BOTTOM + 16, "tick middle", "10" + raised(power));
      }
    }
    svg.text(Svg.WIDTH / 2.0, HEIGHT - 4, "tick middle", "keys");
    Map<String, String> styles = styles(lines.keySet());
    lines.forEach(
        (name, line) -> {
          StringBuilder points = new StringBuilder();
          line.forEach(
              (n, nanos) ->
                  points
                      .append(Svg.number(across.at(Math.log10(n))))
                      .append(',')
                      .append(Svg.number(up.at(Math.log10(nanos))))
                      .append(' '));
          svg.path(points.toString().strip(), styles.getOrDefault(name, "line"));
        });
    return svg.element();
  }

  /** Returns the CSS classes of lines: colours for filters, dashes for limits. */
  static Map<String, String> styles(Collection<String> names) {
    Map<String, String> styles = new LinkedHashMap<>();
    int filters = 0;
    int limits = 0;
    for (String name : names) {
      styles.put(
          name,
          Side.of(name) == Side.LIMIT ? "line dashed-" + ++limits : "line series-" + ++filters);
    }
    return styles;
  }

  private static String raised(int power) {
    StringBuilder raised = new StringBuilder();
    for (char digit : Integer.toString(power).toCharArray()) {
      raised.append("⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(digit - '0'));
    }
    return raised.toString();
  }

  /** A scale from numbers to positions in the drawing. */
  private record Scale(double least, double most, double first, double last) {

    boolean has(double value) {
      return value >= least && value <= most;
    }

    double at(double value) {
      return first + (value - least) / (most - least) * (last - first);
    }
  }
}
