package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.toCollection;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.report.Field.Side;
import java.awt.Color;
import java.awt.Paint;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.CombinedDomainCategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.DefaultCategoryDataset;

/** Nanoseconds per query of all subjects, with one column of bars per kind of query. */
final class QueryChart {

  private static final List<String> OPERATIONS =
      List.of(
          Operation.HIT.label(),
          Operation.MISS.label(),
          Operation.MIX.label(),
          Operation.BATCH_MISS.label());
  private static final int ROW = 24;
  private static final int AROUND = 150;

  private QueryChart() {}

  static boolean shows(Figures figures) {
    return figures.kind() == KeyKind.LONG
        && figures.threads() == 1
        && OPERATIONS.contains(figures.operation());
  }

  /** Returns the numbers of keys for which there is a chart: those with misses. */
  static SortedSet<Long> sizes(Report report) {
    return report.results().figures().stream()
        .filter(QueryChart::shows)
        .filter(figures -> figures.operation().equals(Operation.MISS.label()))
        .map(Figures::keys)
        .collect(toCollection(TreeSet::new));
  }

  static String file(long keys) {
    return "queries-" + keys + ".svg";
  }

  static String svg(Report report, long keys) {
    List<Figures> columns =
        report.results().figures().stream()
            .filter(figures -> shows(figures) && figures.keys() == keys)
            .toList();
    List<String> subjects = fastestFirst(columns);
    CategoryAxis names = new CategoryAxis();
    names.setTickLabelFont(Drawing.PLAIN);
    names.setCategoryMargin(0.25);
    names.setLowerMargin(0.01);
    names.setUpperMargin(0.01);
    names.setMaximumCategoryLabelWidthRatio(0.4f);
    subjects.forEach(subject -> names.setTickLabelPaint(subject, color(subject).darker()));
    CombinedDomainCategoryPlot plot = new CombinedDomainCategoryPlot(names);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setGap(14);
    columns.forEach(figures -> plot.add(column(figures, subjects)));
    plot.setFixedLegendItems(legend());
    return Drawing.svg(
        plot,
        "Nanoseconds a query, filters of %s long keys at 1 %%"
            .formatted(Numbers.digits((double) keys)),
        report,
        AROUND + ROW * subjects.size());
  }

  private static List<String> fastestFirst(List<Figures> columns) {
    Set<String> subjects = new TreeSet<>();
    columns.forEach(figures -> subjects.addAll(figures.subjects()));
    return subjects.stream()
        .sorted(Comparator.comparingDouble(subject -> average(columns, subject)))
        .toList();
  }

  private static double average(List<Figures> columns, String subject) {
    DoubleStream logarithms =
        columns.stream()
            .filter(figures -> figures.subjects().contains(subject))
            .mapToDouble(figures -> Math.log(figures.nanos(subject).median()));
    return logarithms.average().orElseThrow();
  }

  private static CategoryPlot column(Figures figures, List<String> subjects) {
    DefaultCategoryDataset bars = new DefaultCategoryDataset();
    for (String subject : subjects) {
      bars.addValue(
          figures.subjects().contains(subject) ? figures.nanos(subject).median() : null,
          figures.operation(),
          subject);
    }
    NumberAxis axis = new NumberAxis(figures.operation() + ", ns");
    axis.setLabelFont(Drawing.PLAIN);
    axis.setTickLabelFont(Drawing.SMALL);
    // Leaves room for the numbers beside the bars.
    axis.setUpperMargin(0.3);
    CategoryPlot column = new CategoryPlot(bars, null, axis, new Bars(subjects));
    column.setOrientation(PlotOrientation.HORIZONTAL);
    column.setBackgroundPaint(Color.WHITE);
    column.setOutlineVisible(false);
    column.setRangeGridlinePaint(Drawing.GRID);
    return column;
  }

  private static LegendItemCollection legend() {
    LegendItemCollection items = new LegendItemCollection();
    items.add(new LegendItem("Bloomery", Drawing.COLORS.get(Side.OURS)));
    items.add(new LegendItem("other libraries", Drawing.COLORS.get(Side.PEER)));
    items.add(new LegendItem("limits of the memory", Drawing.COLORS.get(Side.LIMIT)));
    return items;
  }

  private static Color color(String subject) {
    return Drawing.COLORS.get(Field.side(subject));
  }

  /** Bars coloured by side. */
  private static final class Bars extends BarRenderer {

    private static final long serialVersionUID = 1;

    private final transient List<String> subjects;

    Bars(List<String> subjects) {
      this.subjects = subjects;
      setBarPainter(new StandardBarPainter());
      setShadowVisible(false);
      setDefaultItemLabelGenerator(
          new StandardCategoryItemLabelGenerator(
              "{2}", new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT))));
      setDefaultItemLabelsVisible(true);
      setDefaultItemLabelFont(Drawing.SMALL);
      setDefaultPositiveItemLabelPosition(
          new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return color(subjects.get(column));
    }
  }
}
