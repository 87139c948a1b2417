package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Stats;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.Targets;
import io.bloomery.benchmarks.paired.Targets.Outcome;
import io.bloomery.benchmarks.paired.Targets.Verdict;
import io.bloomery.benchmarks.paired.Whole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link Report} in Markdown. */
final class ReportPage {

  private static final Set<String> WHOLES =
      Arrays.stream(Whole.values()).map(Whole::label).collect(Collectors.toUnmodifiableSet());
  private static final String NOTHING = "–";
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

  /** The jars whose filters take part, and those of ours that they are compared with. */
  private static final Set<String> LIBRARIES =
      Set.of(
          "bloomery-api",
          "commons-collections4",
          "datasketches-java",
          "fastfilter",
          "guava",
          "hive-storage-api",
          "parquet-column",
          "spark-sketch_2.13");

  private static final List<String> HEADLINE =
      List.of("split-block", "standard", Subject.REFERENCE);

  /** The most popular choices, of ours and of others. */
  static final List<String> SUMMARIZED =
      List.of(
          "standard",
          "split-block",
          "counting",
          "scalable",
          Subject.REFERENCE,
          "spark",
          "parquet",
          "fastfilter",
          "fastfilter-blocked",
          "one-line");

  static final List<String> OPERATIONS_SUMMARIZED =
      Stream.of(
              Operation.PUT_FRESH,
              Operation.HIT,
              Operation.MISS,
              Operation.MIX,
              Operation.BATCH_MISS)
          .map(Operation::label)
          .toList();

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

  /**
   * Returns the whole text, for the part of docs/performance-tables.md that is named like the
   * contest.
   */
  String text() {
    return switch (report.contest()) {
      case MATRIX -> matrix();
      case COST -> cost();
    };
  }

  private String matrix() {
    StringBuilder page = new StringBuilder(origin());
    page.append("\n### Targets\n\n").append(targets());
    page.append(BEHIND).append(behind());
    page.append(OPERATIONS);
    bySetting(false).forEach((setting, figures) -> page.append(section(setting, figures)));
    Map<Setting, List<Figures>> wholes = bySetting(true);
    if (!wholes.isEmpty()) {
      page.append("\n### The whole filter\n");
      wholes.forEach((setting, figures) -> page.append(section(setting, figures)));
    }
    if (!report.results().stats().isEmpty()) {
      page.append("\n### What is no time\n");
      stats().forEach((what, stats) -> page.append(section(what, stats)));
    }
    return page.toString();
  }

  /**
   * Returns the text for the page of a further processor: the most common comparisons, the targets,
   * and who is faster, without charts.
   */
  String brief() {
    return "%s\n%s\n### Targets\n\n%s%s%s"
        .formatted(origin(), summaries(false), targets(), BEHIND, behind());
  }

  private String targets() {
    List<Outcome> outcomes = Targets.of(report.results());
    Table table = new Table("Target", "Wanted", "Measured", "");
    for (Outcome outcome : outcomes) {
      if (outcome.verdict() != Verdict.NOT_MEASURED) {
        table.row(
            List.of(
                outcome.text(),
                outcome.wanted(),
                outcome.measured().map(ReportPage::measured).orElse(NOTHING)
                    + (outcome.detail().isEmpty() ? "" : "; " + outcome.detail()),
                outcome.verdict() == Verdict.MET ? "met" : "**missed**"));
      }
    }
    return "%d met, %d missed, %d not measured in this run.\n\n%s"
        .formatted(
            count(outcomes, Verdict.MET),
            count(outcomes, Verdict.MISSED),
            count(outcomes, Verdict.NOT_MEASURED),
            table);
  }

  private static long count(List<Outcome> outcomes, Verdict verdict) {
    return outcomes.stream().filter(outcome -> outcome.verdict() == verdict).count();
  }

  private static String measured(Quartiles quartiles) {
    return quartiles.lower() == quartiles.upper()
        ? Numbers.digits(quartiles.median())
        : "%s (%s)".formatted(Numbers.ratio(quartiles.median()), Numbers.ratios(quartiles));
  }

  private String cost() {
    StringBuilder page = new StringBuilder(origin());
    page.append("\n![Cost of one key](charts/cost.svg)\n");
    report.results().figures().stream()
        .collect(groupingBy(Figures::operation, LinkedHashMap::new, toList()))
        .forEach((operation, figures) -> page.append(costs(operation, figures)));
    return page.toString();
  }

  private static String costs(String operation, List<Figures> figures) {
    List<String> subjects = subjects(figures);
    List<String> heads = new ArrayList<>(subjects.stream().map(Field::label).toList());
    heads.add(0, "Keys");
    Table table = new Table(heads);
    for (Figures row : figures) {
      table.row(
          Numbers.keys(row.keys()),
          subjects.stream()
              .map(subject -> cell(row, subject, (f, e) -> Numbers.nanos(f.nanos(e).median())))
              .toList());
    }
    return "\n#### " + operation + ", nanoseconds a key\n\n" + table;
  }

  private String origin() {
    return """
        Measured on %s, on %s, with %s. Again: `%s`.

        %s.
        """
        .formatted(
            report.date(),
            report.machine().sentence(),
            report.machine().flags().stream().map(flag -> "`" + flag + "`").collect(joining(" ")),
            report.command(),
            report.libraries().entrySet().stream()
                .filter(library -> LIBRARIES.contains(library.getKey()))
                .map(library -> library.getKey() + " " + library.getValue())
                .collect(joining(", ")));
  }

  private Map<Setting, List<Figures>> bySetting(boolean wholes) {
    return report.results().figures().stream()
        .filter(figures -> WHOLES.contains(figures.operation()) == wholes)
        .collect(groupingBy(Setting::of, LinkedHashMap::new, toList()));
  }

  private String section(Setting setting, List<Figures> figures) {
    boolean drawn =
        setting.kind == KeyKind.LONG
            && setting.threads == 1
            && QueryChart.sizes(report).contains(setting.keys)
            && figures.stream().anyMatch(QueryChart::shows);
    return """

        #### %s
        %s
        %s
        <details><summary>Quartiles of the ratio to Guava</summary>

        %s
        </details>
        """
        .formatted(
            setting.title(),
            drawn ? "\n" + chart(setting.keys) : "",
            table(figures, ReportPage::median),
            table(figures, ReportPage::quartiles));
  }

  private static String chart(long keys) {
    return "![Nanoseconds a query](charts/" + QueryChart.file(keys) + ")\n";
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

  /** Returns a table for each number of long keys, with the most common comparisons. */
  String summary() {
    return summaries(true) + origin();
  }

  private String summaries(boolean drawn) {
    StringBuilder summaries = new StringBuilder();
    summarized()
        .forEach(
            (keys, figures) -> {
              summaries.append("### %s keys\n\n".formatted(Numbers.keys(keys)));
              if (drawn && QueryChart.sizes(report).contains(keys)) {
                summaries.append(chart(keys)).append('\n');
              }
              summaries.append(summary(figures)).append('\n');
            });
    return summaries.toString();
  }

  /** Returns the most common comparisons of long keys in one thread, by the number of keys. */
  Map<Long, List<Figures>> summarized() {
    Map<Long, List<Figures>> summarized =
        report.results().figures().stream()
            .filter(
                figures ->
                    figures.kind() == KeyKind.LONG
                        && figures.threads() == 1
                        && OPERATIONS_SUMMARIZED.contains(figures.operation()))
            .collect(groupingBy(Figures::keys, LinkedHashMap::new, toList()));
    summarized.values().removeIf(figures -> figures.size() < OPERATIONS_SUMMARIZED.size());
    return summarized;
  }

  private static Table summary(List<Figures> figures) {
    List<String> heads = new ArrayList<>(figures.stream().map(Figures::operation).toList());
    heads.add(0, "");
    Table table = new Table(heads);
    Set<String> there = Set.copyOf(subjects(figures));
    for (String subject : SUMMARIZED) {
      if (there.contains(subject)) {
        table.row(
            Field.label(subject),
            figures.stream().map(column -> cell(column, subject, ReportPage::median)).toList());
      }
    }
    return table;
  }

  /**
   * Returns the text for the README: the time of a query for an absent key, in one sentence per
   * number of keys, and where it was measured.
   */
  String headline() {
    return report.results().figures().stream()
            .filter(
                figures ->
                    figures.kind() == KeyKind.LONG
                        && figures.threads() == 1
                        && figures.operation().equals(Operation.MISS.label())
                        && figures.subjects().containsAll(HEADLINE))
            .map(ReportPage::headline)
            .collect(joining())
        + "\nMedians of one run, measured on %s, on %s. Again: `%s`.\n"
            .formatted(report.date(), report.machine().sentence(), report.command());
  }

  private static String headline(Figures figures) {
    return HEADLINE.stream()
        .map(name -> "`%s` %s ns".formatted(name, Numbers.nanos(figures.nanos(name).median())))
        .collect(
            joining(
                ", ",
                "- A query for an absent one of " + Numbers.keys(figures.keys()) + " long keys: ",
                ".\n"));
  }
}
