package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.report.ProcessorsPage.Measured;
import io.bloomery.benchmarks.report.Report.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results in the documentation: the parts of pages generated from a {@link Report}, its charts,
 * and the report itself, so that all of them can be regenerated without measuring.
 *
 * <p>The results of one processor, the first, are files in benchmarks/results, and fill most pages.
 * Those of every other processor are in a folder there, named like it, and fill a page of their
 * own.
 */
record Documents(Path root) {

  private static final String SKELETON =
      """
      # Speed on %s

      The most common comparisons, the targets, and who is ahead, on another processor than that of
      [all tables](performance-tables.md). [Speed](performance.md) tells how it was measured, and the reasons.

      <!-- begin matrix: written by benchmarks/run, not by hand -->
      <!-- end matrix -->

      ## Who is ahead, whatever came before

      <!-- begin order: written by benchmarks/run, not by hand -->
      <!-- end order -->
      """;

  /**
   * The results of one processor.
   *
   * @param folder the files
   * @param page the page with the tables of these results only
   * @param first whether these results fill the other pages, too
   */
  record Place(Path folder, Path page, boolean first) {

    Path results(Contest contest) {
      return folder.resolve(name(contest) + ".json");
    }

    Path order() {
      return folder.resolve("order.csv");
    }

    Marked section(Contest contest) {
      return new Marked(page, name(contest));
    }

    Marked orderSection() {
      return new Marked(page, "order");
    }

    String text(Report report) {
      ReportPage page = new ReportPage(report);
      return Documents.section(first ? page.text() : page.brief());
    }

    private Measured measured() throws IOException {
      return new Measured(
          ReportFile.read(Files.readString(results(Contest.MATRIX))),
          Files.exists(order())
              ? Optional.of(OrderTable.read(Files.readString(order())))
              : Optional.empty());
    }
  }

  private Path results() {
    return root.resolve("benchmarks/results");
  }

  private Place first() {
    return new Place(results(), root.resolve("docs/performance-tables.md"), true);
  }

  private Place further(String name) {
    return new Place(
        results().resolve(name), root.resolve("docs/performance-" + name + ".md"), false);
  }

  /** Returns the places of all processors whose matrix was measured. */
  List<Place> places() throws IOException {
    List<Place> places = new ArrayList<>();
    places.add(first());
    try (Stream<Path> entries = Files.list(results())) {
      entries
          .filter(Files::isDirectory)
          .map(folder -> String.valueOf(folder.getFileName()))
          .sorted()
          .map(this::further)
          .filter(place -> Files.exists(place.results(Contest.MATRIX)))
          .forEach(places::add);
    }
    return places;
  }

  /** Returns the place for what was measured on a machine. */
  Place place(Machine machine) throws IOException {
    Path results = first().results(Contest.MATRIX);
    if (Files.notExists(results)
        || ReportFile.read(Files.readString(results)).machine().name().equals(machine.name())) {
      return first();
    }
    return further(machine.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
  }

  Marked summary() {
    return new Marked(root.resolve("docs/performance.md"), "summary");
  }

  Marked speedups() {
    return new Marked(root.resolve("docs/performance.md"), "speedups");
  }

  Marked standings() {
    return new Marked(root.resolve("docs/performance.md"), "standings");
  }

  Marked headline() {
    return new Marked(root.resolve("README.md"), "speed");
  }

  /** Returns the place for the speed that programs can rely on, whatever they have done before. */
  Marked orderHeadline() {
    return new Marked(root.resolve("README.md"), "order");
  }

  /** Checks that results can be written, before an hour is spent on measuring. */
  void prepare(Contest contest, Machine machine) throws IOException {
    withPage(machine).section(contest).read();
    headline().read();
  }

  void write(Report report) throws IOException {
    Place place = withPage(report.machine());
    Files.createDirectories(place.folder);
    Files.writeString(place.results(report.contest()), ReportFile.write(report));
    place.section(report.contest()).write(place.text(report));
    if (place.first) {
      if (report.contest() == Contest.MATRIX) {
        headline().write(section(new ReportPage(report).headline()));
        summary().write(section(new ReportPage(report).summary()));
      }
      draw(report, root.resolve("docs/charts"));
    }
    writeBeside();
  }

  void write(OrderTable table, Machine machine) throws IOException {
    Place place = withPage(machine);
    Files.createDirectories(place.folder);
    Files.writeString(place.order(), table.write());
    place.orderSection().write(section(new OrderPage(table).text()));
    writeBeside();
  }

  /** Returns the place for what was measured on a machine, and creates its page if it is new. */
  private Place withPage(Machine machine) throws IOException {
    Place place = place(machine);
    if (!place.first && Files.notExists(place.page)) {
      Files.writeString(place.page, SKELETON.formatted(machine.name()));
    }
    return place;
  }

  /** Writes the tables of all processors side by side. */
  private void writeBeside() throws IOException {
    if (Files.notExists(first().results(Contest.MATRIX))) {
      return;
    }
    ProcessorsPage page = processors();
    speedups().write(section(page.speedups()));
    standings().write(section(page.standings()));
    orderHeadline().write(section(page.headline()));
  }

  ProcessorsPage processors() throws IOException {
    List<Measured> measured = new ArrayList<>();
    for (Place place : places()) {
      measured.add(place.measured());
    }
    return new ProcessorsPage(measured);
  }

  /** Returns a text as it stands in a page: Markdown is recognised only after an empty line. */
  static String section(String text) {
    return "\n" + text + "\n";
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
