package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.report.Report.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results in the documentation: the parts of pages generated from a {@link Report}, its charts,
 * and the report itself, so that all of them can be regenerated without measuring.
 */
record Documents(Path root) {

  Path results(Contest contest) {
    return root.resolve("benchmarks/results").resolve(name(contest) + ".json");
  }

  Marked section(Contest contest) {
    return new Marked(tables(), name(contest));
  }

  /** Returns the page with all tables, which accompanies the main one. */
  private Path tables() {
    return root.resolve("docs/performance-tables.md");
  }

  Marked summary() {
    return new Marked(root.resolve("docs/performance.md"), "summary");
  }

  Marked headline() {
    return new Marked(root.resolve("README.md"), "speed");
  }

  void write(Report report) throws IOException {
    Path results = results(report.contest());
    Files.createDirectories(results.getParent());
    Files.writeString(results, ReportFile.write(report));
    section(report.contest()).write(text(report));
    if (report.contest() == Contest.MATRIX) {
      headline().write(headline(report));
      summary().write(summary(report));
    }
    draw(report, root.resolve("docs/charts"));
  }

  Path order() {
    return root.resolve("benchmarks/results/order.csv");
  }

  Marked orderSection() {
    return new Marked(tables(), "order");
  }

  void write(OrderTable table) throws IOException {
    Files.writeString(order(), table.write());
    orderSection().write(text(table));
    orderHeadline().write(headline(table));
  }

  /** Returns the place for the speed that programs can rely on, whatever they have done before. */
  Marked orderHeadline() {
    return new Marked(root.resolve("README.md"), "order");
  }

  static String headline(OrderTable table) {
    return "\n" + new OrderPage(table).headline() + "\n";
  }

  static String text(OrderTable table) {
    return "\n" + new OrderPage(table).text() + "\n";
  }

  // Markdown is recognised only after an empty line.
  static String text(Report report) {
    return "\n" + new ReportPage(report).text() + "\n";
  }

  static String headline(Report report) {
    return "\n" + new ReportPage(report).headline() + "\n";
  }

  static String summary(Report report) {
    return "\n" + new ReportPage(report).summary() + "\n";
  }

  /** Draws the charts that the text of a report references. */
  static void draw(Report report, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, String> chart : charts(report).entrySet()) {
      Files.writeString(folder.resolve(chart.getKey()), chart.getValue());
    }
  }

  static String name(Contest contest) {
    return contest.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> charts(Report report) {
    Map<String, String> charts = new TreeMap<>();
    if (report.contest() == Contest.COST) {
      charts.put(CostChart.FILE, CostChart.svg(report));
    } else {
      for (long keys : QueryChart.sizes(report)) {
        charts.put(QueryChart.file(keys), QueryChart.svg(report, keys));
      }
    }
    return charts;
  }
}
