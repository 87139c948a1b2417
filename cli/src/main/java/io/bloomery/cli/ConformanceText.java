package io.bloomery.cli;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Shows a report of the conformance suite to people. */
final class ConformanceText {

  /** How much of what is known of a broken rule is shown. */
  private static final int LINES = 8;

  private static final int WIDTH = 200;

  private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+=,-]+");

  private ConformanceText() {}

  /**
   * Returns one line, and for each rule that is not kept what is wrong and a command that shows it
   * again.
   */
  static String of(ConformanceReport report, List<Path> paths) {
    StringBuilder text = new StringBuilder(report.summary()).append('\n');
    if (report.count(Status.KEPT) + report.failures().size() == 0) {
      text.append("  no rule that was asked for applies to it\n");
    }
    for (Rule rule : report.failures()) {
      Outcome outcome = report.outcome(rule);
      String status = outcome.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      text.append("  " + rule + " " + rule.title() + ": " + status + "\n");
      outcome
          .detail()
          .lines()
          .filter(line -> !line.isBlank())
          .limit(LINES)
          .forEach(line -> text.append("    " + shortened(line.strip()) + "\n"));
      text.append("    " + command(report, rule, paths) + "\n");
    }
    return text.toString();
  }

  private static String shortened(String line) {
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH) + " ...";
  }

  private static String command(ConformanceReport report, Rule rule, List<Path> paths) {
    StringBuilder command = new StringBuilder("bloomery conformance");
    for (Path path : paths) {
      command.append(" " + PluginPath.OPTION + " " + quoted(path.toString()));
    }
    return command
        .append(" --provider " + quoted(report.variant()))
        .append(" --tier " + report.tier())
        .append(" --seed " + report.seed())
        .append(" --rule " + rule)
        .toString();
  }

  /** Returns a word as a shell takes it. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
