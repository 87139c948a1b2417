package io.bloomery.cli.conformance;

import io.bloomery.cli.session.Packing;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats a report of the conformance suite as text. */
final class ConformanceText {

  /** The maximum number of lines shown from the detail of a broken rule. */
  private static final int LINES = 8;

  private static final int WIDTH = 200;

  private static final int SLOWEST = 10;
  private static final double NANOS = 1e9;

  private ConformanceText() {}

  /**
   * Returns the summary line, and for each rule that is not kept the fault and a command that
   * reproduces it.
   */
  static String of(ConformanceReport report, List<Path> paths) {
    StringBuilder text = new StringBuilder(report.summary()).append('\n');
    if (report.count(Status.KEPT) + report.failures().size() == 0) {
      text.append("  no rule that was asked for applies to it\n");
    }
    for (List<Rule> group : report.groupedFailures()) {
      Rule rule = group.get(0);
      Outcome outcome = report.outcome(rule);
      String status = outcome.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      text.append("  " + rule + " " + rule.title() + ": " + status + "\n");
      excerpt(outcome.detail()).forEach(line -> text.append("    " + shortened(line) + "\n"));
      if (group.size() > 1) {
        text.append("    also breaks " + names(group.subList(1, group.size())) + "\n");
      }
      text.append("    " + VisibleText.line(command(report, rule, paths)) + "\n");
    }
    return text.toString();
  }

  private static String names(List<Rule> rules) {
    return rules.stream().map(Rule::name).collect(Collectors.joining(", "));
  }

  /** Returns the number of cases tried in each class, and the slowest rules. */
  static String more(ConformanceReport report) {
    StringBuilder text = new StringBuilder();
    text.append(
        report.casesNeeded() == 0
            ? "  cases tried:\n"
            : "  cases tried, of which each class needs " + report.casesNeeded() + ":\n");
    report
        .coverage()
        .forEach(
            (name, count) -> text.append(String.format(Locale.ROOT, "%,10d  %s\n", count, name)));
    text.append("  rules that took longest:\n");
    for (Rule rule : report.slowest(SLOWEST)) {
      double seconds = report.outcome(rule).duration().toNanos() / NANOS;
      text.append(String.format(Locale.ROOT, "%8.3f s  %s %s\n", seconds, rule, rule.title()));
    }
    return text.toString();
  }

  /** Returns the first line of a detail and the later lines that add to it, without duplicates. */
  private static Stream<String> excerpt(String detail) {
    List<String> lines = detail.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    return Stream.concat(
            lines.stream().limit(1),
            lines.stream().skip(1).filter(line -> !lines.get(0).contains(line)))
        .distinct()
        .limit(LINES);
  }

  private static String shortened(String line) {
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH) + " ...";
  }

  private static String command(ConformanceReport report, Rule rule, List<Path> paths) {
    StringBuilder command = new StringBuilder("bloomery conformance");
    for (Path path : paths) {
      command.append(" " + PluginPath.OPTION + " " + Packing.quoted(path.toString()));
    }
    return command
        .append(" --provider " + Packing.quoted(report.variant()))
        .append(" --tier " + report.tier())
        .append(" --seed " + report.seed())
        .append(" --rule " + rule)
        .toString();
  }
}
