package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.FilterOperation;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Stats;
import io.bloomery.benchmarks.paired.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A {@link Report} in Markdown. */
final class ReportPage {

  private static final Set<String> FILTER_OPERATIONS =
      Arrays.stream(FilterOperation.values())
          .map(FilterOperation::label)
          .collect(Collectors.toUnmodifiableSet());
  static final String NOTHING = "–";
  private static final String OPERATIONS =
      """

      ### Each operation

      Nanoseconds an operation, and in brackets how many times faster than Guava; medians. **Ours**
      come first, then other libraries, then *limits*.
      """;
  private static final String BEHIND =
      """

      ### Where a peer is faster

      Each of ours beside every library that does the same, and beside Guava.

      """;

  /** The conditions of one table: the same keys and number of threads. */
  private record Setting(KeyKind kind, long keys, int threads) {

    static Setting of(Figures figures) {
      return new Setting(figures.kind(), figures.keys(), figures.threads());
    }

    String title() {
      return place(kind, keys) + (threads == 1 ? "" : ", " + threads + " threads at a time");
    }
  }

  private final Report report;

  ReportPage(Report report) {
    this.report = report;
  }

  /** Returns all tables: who is faster, every operation, and the other figures. */
  String text() {
    StringBuilder page = new StringBuilder(origin(report) + "\n" + libraries(report));
    page.append(BEHIND).append(behind());
    page.append(OPERATIONS);
    bySetting(false).forEach((setting, figures) -> page.append(section(setting, figures)));
    Map<Setting, List<Figures>> ofFilters = bySetting(true);
    if (!ofFilters.isEmpty()) {
      page.append("\n### The whole filter\n");
      ofFilters.forEach((setting, figures) -> page.append(section(setting, figures)));
    }
    if (!report.results().stats().isEmpty()) {
      page.append("\n### What is no time\n");
      stats().forEach((what, stats) -> page.append(section(what, stats)));
    }
    return page.toString();
  }

  /** Returns when, where and how a report was measured. */
  static String origin(Report report) {
    return "Measured on %s, on %s, with %s. Again: `%s`.\n"
        .formatted(
            report.date(),
            report.machine().sentence(),
            report.machine().flags().stream().map(flag -> "`" + flag + "`").collect(joining(" ")),
            report.command());
  }

  /** Returns the versions of the libraries whose filters take part. */
  static String libraries(Report report) {
    return report.libraries().entrySet().stream()
            .map(library -> library.getKey() + " " + library.getValue())
            .collect(joining(", "))
        + ".\n";
  }

  private Map<Setting, List<Figures>> bySetting(boolean ofFilters) {
    return report.results().figures().stream()
        .filter(figures -> FILTER_OPERATIONS.contains(figures.operation()) == ofFilters)
        .collect(groupingBy(Setting::of, LinkedHashMap::new, toList()));
  }

  private static String section(Setting setting, List<Figures> figures) {
    return """

        #### %s

        %s
        <details><summary>Quartiles of the ratio to Guava</summary>

        %s
        </details>
        """
        .formatted(
            setting.title(),
            table(figures, ReportPage::median),
            table(figures, ReportPage::quartiles));
  }

  private static String median(Figures figures, String subject) {
    String nanos = Numbers.nanos(figures.nanos(subject).median());
    return figures
        .ratio(subject, Subject.REFERENCE)
        .map(ratio -> nanos + " (" + Numbers.ratio(ratio.median()) + ")")
        .orElse(nanos);
  }

  private static String quartiles(Figures figures, String subject) {
    return figures.ratio(subject, Subject.REFERENCE).map(Numbers::ratios).orElse(NOTHING);
  }

  private static Table table(List<Figures> figures, BiFunction<Figures, String, String> cell) {
    List<String> heads = new ArrayList<>(figures.stream().map(Figures::operation).toList());
    heads.add(0, "");
    Table table = new Table(heads);
    for (String subject : subjects(figures)) {
      table.row(
          Field.label(subject),
          figures.stream().map(column -> cell(column, subject, cell)).toList());
    }
    return table;
  }

  private static String cell(
      Figures figures, String subject, BiFunction<Figures, String, String> cell) {
    return figures.subjects().contains(subject) ? cell.apply(figures, subject) : NOTHING;
  }

  private static List<String> subjects(Collection<Figures> figures) {
    return Field.sorted(figures.stream().flatMap(f -> f.subjects().stream()).distinct().toList());
  }

  private Map<String, List<Stats>> stats() {
    return report.results().stats().stream()
        .collect(groupingBy(Stats::what, LinkedHashMap::new, toList()));
  }

  private static String section(String what, List<Stats> stats) {
    Map<String, Map<String, Double>> values = new LinkedHashMap<>();
    for (Stats measure : stats) {
      values
          .computeIfAbsent(place(measure.kind(), measure.keys()), place -> new LinkedHashMap<>())
          .put(measure.subject(), measure.value());
    }
    List<String> heads = new ArrayList<>(values.keySet());
    heads.add(0, "");
    Table table = new Table(heads);
    for (String subject : Field.sorted(stats.stream().map(Stats::subject).distinct().toList())) {
      table.row(
          Field.label(subject),
          values.values().stream()
              .map(column -> column.get(subject))
              .map(value -> value == null ? NOTHING : Numbers.digits(value))
              .toList());
    }
    return "\n#### " + what + "\n\n" + table;
  }

  /** Returns a line for each case in which one of ours is slower than a peer with the same role. */
  private String behind() {
    Table table = new Table("Keys", "Operation", "Ours", "ns", "Peer", "ns", "Peer is faster by");
    boolean found = false;
    for (Figures figures : report.results().figures()) {
      for (String ours : Field.sorted(figures.subjects())) {
        for (String peer : Field.sorted(figures.subjects())) {
          if (Field.rivals(ours, peer)) {
            Quartiles ratio = figures.ratio(peer, ours).orElseThrow();
            if (ratio.median() > 1) {
              found = true;
              table.row(
                  List.of(
                      Setting.of(figures).title(),
                      figures.operation(),
                      Field.label(ours),
                      Numbers.nanos(figures.nanos(ours).median()),
                      peer,
                      Numbers.nanos(figures.nanos(peer).median()),
                      "%s (%s)".formatted(Numbers.ratio(ratio.median()), Numbers.ratios(ratio))));
            }
          }
        }
      }
    }
    return found ? table.toString() : "Nowhere in this run.\n";
  }

  private static String place(KeyKind kind, long keys) {
    return kind.label() + ", " + Numbers.keys(keys) + " keys";
  }
}
