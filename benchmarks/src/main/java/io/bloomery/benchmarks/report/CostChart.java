package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.report.Field.Side;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.text.DecimalFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Nanoseconds per key by number of keys, one plot per operation. */
final class CostChart {

  static final String FILE = "cost.svg";

  private static final List<String> OPERATIONS =
      List.of(Operation.PUT_FRESH.label(), Operation.MISS.label(), Operation.BATCH_MISS.label());
  private static final int BITS_PER_KEY = 10;
  private static final int ROW = 260;
  private static final int AROUND = 150;
  private static final List<Color> COLORS =
      List.of(
          new Color(0xc4, 0x4e, 0x1a),
          new Color(0x1f, 0x5f, 0xa8),
          new Color(0x2e, 0x8b, 0x57),
          new Color(0x8a, 0x3f, 0x9a));
  private static final List<Color> GREYS =
      List.of(
          new Color(0x60, 0x60, 0x60), new Color(0x90, 0x90, 0x90), new Color(0xb8, 0xb8, 0xb8));
  private static final Stroke LINE = new BasicStroke(2f);
  private static final Stroke DASHES = dashed(1.6f, 6, 4);
  private static final Stroke DOTS = dashed(1, 2, 3);

  private CostChart() {}

  private static Stroke dashed(float width, float line, float gap) {
    float[] pattern = {line, gap};
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, pattern, 0);
  }

  static String svg(Report report) {
    LogAxis keys = new LogAxis("keys");
    keys.setLabelFont(Drawing.PLAIN);
    keys.setTickLabelFont(Drawing.PLAIN);
    keys.setTickUnit(new NumberTickUnit(1, new DecimalFormat("0")));
    CombinedDomainXYPlot plot = new CombinedDomainXYPlot(keys);
    plot.setGap(18);
    Map<String, List<Figures>> operations =
        report.results().figures().stream()
            .filter(figures -> OPERATIONS.contains(figures.operation()))
            .collect(groupingBy(Figures::operation, LinkedHashMap::new, toList()));
    Map<String, Integer> places = places(report);
    operations.forEach(
        (operation, figures) -> plot.add(plot(operation, figures, places, report.machine())));
    // All plots have the same lines.
    plot.setFixedLegendItems(plot.getSubplots().get(0).getLegendItems());
    return Drawing.svg(
        plot,
        "Cost of one key against the number of keys, filters of long keys at 1 %",
        report,
        AROUND + ROW * operations.size());
  }

  // The position of a subject determines its colour, equal in all plots.
  private static Map<String, Integer> places(Report report) {
    Map<String, Integer> places = new LinkedHashMap<>();
    for (String subject :
        Field.sorted(
            report.results().figures().stream()
                .flatMap(figures -> figures.subjects().stream())
                .distinct()
                .toList())) {
      places.put(
          subject,
          (int)
              places.keySet().stream().filter(other -> isLimit(other) == isLimit(subject)).count());
    }
    return places;
  }

  private static boolean isLimit(String subject) {
    return Field.side(subject) == Side.LIMIT;
  }

  private static XYPlot plot(
      String operation, List<Figures> figures, Map<String, Integer> places, Machine machine) {
    XYSeriesCollection lines = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    places.forEach(
        (subject, place) -> {
          int index = lines.getSeriesCount();
          lines.addSeries(line(subject, figures));
          List<Color> colors = isLimit(subject) ? GREYS : COLORS;
          renderer.setSeriesPaint(index, colors.get(place % colors.size()));
          renderer.setSeriesStroke(index, isLimit(subject) ? DASHES : LINE);
          renderer.setSeriesShape(index, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
          renderer.setSeriesShapesVisible(index, !isLimit(subject));
        });
    NumberAxis nanos = new NumberAxis(operation + ", ns");
    nanos.setLabelFont(Drawing.PLAIN);
    nanos.setTickLabelFont(Drawing.SMALL);
    // Leaves room for the names of the caches.
    nanos.setUpperMargin(0.15);
    XYPlot plot = new XYPlot(lines, null, nanos, renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlinePaint(Drawing.GRID);
    plot.setDomainGridlinePaint(Drawing.GRID);
    plot.setRangeGridlinePaint(Drawing.GRID);
    machine.caches().forEach(cache -> plot.addDomainMarker(rule(cache)));
    return plot;
  }

  private static XYSeries line(String subject, List<Figures> figures) {
    XYSeries line = new XYSeries(subject);
    figures.stream()
        .filter(point -> point.subjects().contains(subject))
        .forEach(point -> line.add((double) point.keys(), point.nanos(subject).median()));
    return line;
  }

  // The number of keys at which a filter is as large as the cache.
  private static ValueMarker rule(Machine.Cache cache) {
    ValueMarker rule =
        new ValueMarker((double) cache.bytes() * Byte.SIZE / BITS_PER_KEY, Drawing.RULE, DOTS);
    rule.setLabel(cache.label());
    rule.setLabelFont(Drawing.SMALL);
    rule.setLabelPaint(Drawing.RULE);
    rule.setLabelBackgroundColor(new Color(0, 0, 0, 0));
    rule.setLabelAnchor(RectangleAnchor.TOP_RIGHT);
    rule.setLabelTextAnchor(TextAnchor.TOP_LEFT);
    rule.setLabelOffset(new RectangleInsets(4, 4, 4, 4));
    return rule;
  }
}
