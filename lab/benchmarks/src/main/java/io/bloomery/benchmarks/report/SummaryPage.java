package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.joining;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.Subject.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The most common comparisons in Markdown: times on one processor, and how much faster than Guava's
 * filter on each.
 */
final class SummaryPage {

  private static final List<String> SUBJECTS =
      Stream.concat(
              Stream.of(Role.PLAIN, Role.BLOCKED, Role.COUNTING, Role.GROWING, Role.BUILT)
                  .map(SummaryPage::ours),
              Stream.of(
                  Subject.REFERENCE,
                  "spark",
                  "parquet",
                  "fastfilter",
                  "fastfilter-blocked",
                  "fastfilter-xor",
                  "one-word"))
          .toList();

  private static final List<String> OPERATIONS =
      Stream.of(
              Operation.PUT_FRESH,
              Operation.HIT,
              Operation.MISS,
              Operation.MIX,
              Operation.BATCH_MISS)
          .map(Operation::label)
          .toList();

  private static final List<String> HEADLINE =
      List.of(ours(Role.BLOCKED), ours(Role.PLAIN), Subject.REFERENCE);

  private final List<Report> reports;

  /**
   * Prepares the page.
   *
   * @param reports one {@linkplain #shown of what is shown} for each processor; times are those of
   *     the first
   */
  SummaryPage(List<Report> reports) {
    this.reports = List.copyOf(reports);
  }

  /** Returns the first variant of a kind. */
  private static String ours(Role role) {
    return Subject.all().stream()
        .filter(subject -> subject.ours() && subject.role() == role)
        .findFirst()
        .orElseThrow()
        .name();
  }

  /** Returns a report without the figures that no summary shows. */
  static Report shown(Report report) {
    // With other numbers of keys only a part of the operations is timed.
    Set<Long> sizes =
        report.results().figures().stream()
            .filter(one -> shows(one) && one.operation().equals(Operation.MISS.label()))
            .map(Figures::keys)
            .collect(Collectors.toSet());
    return new Report(
        report.date(),
        report.command(),
        report.machine(),
        report.libraries(),
        new Results(
            report.results().figures().stream()
                .filter(one -> shows(one) && sizes.contains(one.keys()))
                .map(SummaryPage::shown)
                .toList(),
            List.of()));
  }

  private static boolean shows(Figures figures) {
    return figures.kind() == KeyKind.LONG
        && figures.threads() == 1
        && OPERATIONS.contains(figures.operation());
  }

  private static Figures shown(Figures figures) {
    Figures shown =
        new Figures(figures.kind(), figures.keys(), figures.operation(), figures.threads());
    for (String subject : figures.subjects()) {
      if (SUBJECTS.contains(subject)) {
        for (double nanos : figures.rounds(subject)) {
          shown.add(subject, nanos);
        }
      }
    }
    return shown;
  }

  /** Returns a table for each number of keys, and where they were measured. */
  String tables() {
    Map<Long, List<Figures>> sizes = new TreeMap<>();
    reports
        .get(0)
        .results()
        .figures()
        .forEach(one -> sizes.computeIfAbsent(one.keys(), keys -> new ArrayList<>()).add(one));
    StringBuilder tables = new StringBuilder();
    sizes.forEach(
        (keys, figures) ->
            tables.append("### %s keys\n\n%s\n".formatted(Numbers.keys(keys), table(figures))));
    tables.append(ReportPage.origin(reports.get(0)));
    for (Report other : reports.subList(1, reports.size())) {
      tables.append("On %s: %s.\n".formatted(other.date(), other.machine().sentence()));
    }
    return tables.append('\n').append(ReportPage.libraries(reports.get(0))).toString();
  }

  private Table table(List<Figures> figures) {
    List<String> heads = new ArrayList<>(figures.stream().map(Figures::operation).toList());
    heads.add(0, "");
    Table table = new Table(heads);
    for (String subject : SUBJECTS) {
      if (figures.stream().anyMatch(one -> one.subjects().contains(subject))) {
        table.row(Field.label(subject), figures.stream().map(one -> cell(one, subject)).toList());
      }
    }
    return table;
  }

  private String cell(Figures first, String subject) {
    if (!first.subjects().contains(subject)) {
      return ReportPage.NOTHING;
    }
    String nanos = Numbers.nanos(first.nanos(subject).median());
    return subject.equals(Subject.REFERENCE)
        ? nanos
        : "%s (%s)"
            .formatted(
                nanos,
                reports.stream()
                    .map(report -> speedup(report, first, subject))
                    .collect(joining("/")));
  }

  private static String speedup(Report report, Figures first, String subject) {
    return report
        .results()
        .figures(first.kind(), first.keys(), first.operation(), first.threads())
        .flatMap(figures -> figures.ratio(subject, Subject.REFERENCE))
        .map(ratio -> Numbers.ratio(ratio.median()))
        .orElse(ReportPage.NOTHING);
  }

  /** Returns the text for the README: a sentence per number of keys, and where it was measured. */
  String headline() {
    Report report = reports.get(0);
    return report.results().figures().stream()
            .flatMap(figures -> headline(figures).stream())
            .collect(joining())
        + "\nMedians of one run, measured on %s, on %s. Again: `%s`.\n"
            .formatted(report.date(), report.machine().sentence(), report.command());
  }

  private static Optional<String> headline(Figures figures) {
    if (!figures.operation().equals(Operation.MISS.label())
        || !figures.subjects().containsAll(HEADLINE)) {
      return Optional.empty();
    }
    return Optional.of(
        HEADLINE.stream()
            .map(name -> "`%s` %s ns".formatted(name, Numbers.nanos(figures.nanos(name).median())))
            .collect(
                joining(
                    ", ",
                    "- A query for an absent one of "
                        + Numbers.keys(figures.keys())
                        + " long keys: ",
                    ".\n")));
  }
}
