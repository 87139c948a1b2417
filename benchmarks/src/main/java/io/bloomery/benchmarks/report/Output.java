package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Targets;
import io.bloomery.benchmarks.paired.Targets.Verdict;
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

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "JSON to write, charts in a folder beside it (default: in benchmarks/target).")
  private Path file;

  @Option(
      names = "--write-docs",
      description = "Put tables and charts into docs and README, and JSON into benchmarks/results.")
  private boolean docs;

  @Option(names = "--check", description = "Exit with 1 if a target was measured and missed.")
  private boolean check;

  /** Checks that it can be written, before an hour is spent on measuring. */
  void prepare(Report.Contest contest) throws IOException {
    Files.createDirectories(file(contest).toAbsolutePath().getParent());
    if (docs) {
      documents().prepare(contest, Machine.here());
    }
  }

  boolean writesDocs() {
    return docs;
  }

  int write(Report report) throws IOException {
    Path file = file(report.contest());
    Files.writeString(file, ReportFile.write(report));
    return print(report, file.resolveSibling("charts"));
  }

  /** Prints the tables, and draws the charts into a folder unless they go into docs. */
  int print(Report report, Path charts) throws IOException {
    if (docs) {
      documents().write(report);
    } else {
      Documents.draw(report, charts);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(new ReportPage(report).text());
    out.flush();
    boolean missed =
        report.contest() == Report.Contest.MATRIX
            && Targets.of(report.results()).stream()
                .anyMatch(outcome -> outcome.verdict() == Verdict.MISSED);
    return check && missed ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private Path file(Report.Contest contest) {
    return file != null
        ? file
        : root().resolve("benchmarks/target/" + Documents.name(contest) + ".json");
  }

  private static Documents documents() {
    return new Documents(root());
  }

  private static Path root() {
    return Path.of(System.getProperty(Main.ROOT, ""));
  }
}
