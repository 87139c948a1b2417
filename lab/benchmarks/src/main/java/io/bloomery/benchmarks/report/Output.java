package io.bloomery.benchmarks.report;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The destination of a report. */
final class Output {

  private static final String HEAD =
      """
      # Speed: all tables

      Every operation that another library is faster at, and every figure of one run.

      """;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description =
          "Where performance.json and performance-tables.md are written"
              + " (default: lab/benchmarks/target).")
  private Path folder;

  @Option(
      names = "--write-docs",
      description =
          "Put the tables of the most common comparisons into docs/performance.md and README,"
              + " and their figures into lab/benchmarks/results.")
  private boolean docs;

  /** Checks that it can be written, before an hour is spent on measuring. */
  void prepare() throws IOException {
    Files.createDirectories(folder());
    if (docs) {
      documents().prepare();
    }
  }

  int write(Report report) throws IOException {
    Files.writeString(folder().resolve("performance.json"), ReportFile.write(report));
    return print(report);
  }

  /** Writes and prints the tables. */
  int print(Report report) throws IOException {
    String tables = new ReportPage(report).text();
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("performance-tables.md"), HEAD + tables);
    if (docs) {
      documents().write(report);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(tables);
    out.flush();
    return ExitCode.OK;
  }

  private Path folder() {
    return folder != null ? folder : root().resolve("lab/benchmarks/target");
  }

  private static Documents documents() {
    return new Documents(root());
  }

  private static Path root() {
    return Path.of(System.getProperty(Main.ROOT, ""));
  }
}
