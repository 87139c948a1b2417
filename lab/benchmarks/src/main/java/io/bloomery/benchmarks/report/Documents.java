package io.bloomery.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The results in the documentation: the sections of docs/performance.md and README that are
 * generated, and the figures that they show, one file per processor, so that the sections can be
 * generated again without measuring.
 *
 * <p>Times are those of the processor whose name is the first in alphabetical order; ratios are
 * those of all.
 */
record Documents(Path root) {

  private Path folder() {
    return root.resolve("lab/benchmarks/results");
  }

  Marked summary() {
    return new Marked(root.resolve("docs/performance.md"), "summary");
  }

  Marked headline() {
    return new Marked(root.resolve("README.md"), "speed");
  }

  /** Returns the page with what was measured on every processor. */
  SummaryPage page() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      List<Report> reports = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        reports.add(ReportFile.read(Files.readString(file)));
      }
      return new SummaryPage(reports);
    }
  }

  /** Checks that results can be written, before an hour is spent on measuring. */
  void prepare() throws IOException {
    summary().read();
    headline().read();
  }

  void write(Report report) throws IOException {
    String name = report.machine().name().toLowerCase(Locale.ROOT);
    Files.createDirectories(folder());
    Files.writeString(
        folder().resolve(name.replaceAll("[^a-z0-9]+", "-") + ".json"),
        ReportFile.write(SummaryPage.shown(report)));
    summary().write(section(page().tables()));
    headline().write(section(page().headline()));
  }

  /** Returns a text as it stands in a page: Markdown is recognised only after an empty line. */
  static String section(String text) {
    return "\n" + text + "\n";
  }
}
