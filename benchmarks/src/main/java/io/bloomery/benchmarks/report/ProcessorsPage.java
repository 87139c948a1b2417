package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.joining;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.report.OrderPage.Setting;
import io.bloomery.benchmarks.report.OrderTable.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The results of several processors side by side, in Markdown. */
final class ProcessorsPage {

  private static final List<String> HEADLINE = List.of("split-block", "standard");
  private static final List<Operation> SINGLE_QUERIES =
      List.of(Operation.HIT, Operation.MISS, Operation.MIX);

  /**
   * The results of one processor.
   *
   * @param order empty if it has not been measured there
   */
  record Measured(Report matrix, Optional<OrderTable> order) {

    String processor() {
      return matrix.machine().name();
    }

    private Stream<Row> rows() {
      return order.stream().flatMap(table -> table.rows().stream());
    }
  }

  private final List<Measured> measured;

  ProcessorsPage(Collection<Measured> measured) {
    this.measured = List.copyOf(measured);
  }

  /** Returns how much faster our variants are than Guava's filter on each processor. */
  String speedups() {
    List<String> heads = new ArrayList<>(List.of("", "keys"));
    heads.addAll(ReportPage.OPERATIONS_SUMMARIZED);
    Table table = new Table(heads);
    for (long keys : sizes(measured.stream().flatMap(one -> summarized(one).stream()))) {
      for (String ours : ReportPage.SUMMARIZED) {
        if (Field.side(ours) == Field.Side.OURS) {
          List<String> cells = new ArrayList<>(List.of(Field.label(ours), Numbers.keys(keys)));
          ReportPage.OPERATIONS_SUMMARIZED.forEach(
              operation ->
                  cells.add(
                      measured.stream()
                          .map(one -> speedup(one, keys, operation, ours))
                          .collect(joining(" / "))));
          table.row(cells);
        }
      }
    }
    return "Times as fast as Guava's filter, on %s; medians of one run on each.\n\n%s"
        .formatted(measured.stream().map(Measured::processor).collect(joining(" / ")), table);
  }

  private static Collection<Long> summarized(Measured one) {
    return new ReportPage(one.matrix).summarized().keySet();
  }

  private static String speedup(Measured one, long keys, String operation, String ours) {
    return new ReportPage(one.matrix)
        .summarized().getOrDefault(keys, List.of()).stream()
            .filter(figures -> figures.operation().equals(operation))
            .flatMap(figures -> ratio(figures, ours).stream())
            .map(ratio -> Numbers.ratio(ratio.median()))
            .findFirst()
            .orElse("–");
  }

  private static Optional<Quartiles> ratio(Figures figures, String ours) {
    return figures.subjects().contains(ours)
        ? figures.ratio(ours, Subject.REFERENCE)
        : Optional.empty();
  }

  /** Returns who is ahead, after each warm-up on each Java, with each number of keys. */
  String standings() {
    List<String> heads = new ArrayList<>(List.of("after", "Java"));
    for (Measured one : measured) {
      for (long keys : sizes(one.rows().map(Row::keys))) {
        heads.add(Numbers.keys(keys) + " keys, " + one.processor());
      }
    }
    Table table = new Table(heads);
    measured.stream()
        .flatMap(Measured::rows)
        .map(Setting::of)
        .distinct()
        .forEach(
            setting -> {
              List<String> cells = new ArrayList<>();
              cells.add(setting.warmUp().label());
              cells.add(Integer.toString(setting.java()));
              for (Measured one : measured) {
                for (long keys : sizes(one.rows().map(Row::keys))) {
                  cells.add(
                      OrderPage.standing(
                          one.rows()
                              .filter(
                                  row -> row.keys() == keys && Setting.of(row).equals(setting))));
                }
              }
              table.row(cells);
            });
    return table.toString();
  }

  /** Returns what ours are at least, on every processor and Java, whatever came before. */
  String headline() {
    List<Row> rows = measured.stream().flatMap(Measured::rows).toList();
    String lines =
        sizes(rows.stream().map(Row::keys)).stream()
            .flatMap(
                keys -> headline(rows.stream().filter(row -> row.keys() == keys).toList(), keys))
            .collect(joining());
    return "%s\nMeasured on %s. Again: `benchmarks/run order --write-docs`.\n"
        .formatted(
            lines,
            measured.stream()
                .filter(one -> one.order.isPresent())
                .map(Measured::processor)
                .distinct()
                .collect(joining(" and ")));
  }

  /** Returns a line for one size, or none if none of these variants was measured at it. */
  private static Stream<String> headline(List<Row> rows, long keys) {
    // One of them may have been measured after more kinds than the other.
    LongSummaryStatistics warmUps =
        HEADLINE.stream()
            .mapToLong(ours -> warmUps(rows, ours))
            .filter(count -> count > 0)
            .summaryStatistics();
    if (warmUps.getCount() == 0) {
      return Stream.empty();
    }
    long fewest = warmUps.getMin();
    String ratios =
        HEADLINE.stream()
            .flatMap(ours -> leastRatio(rows, ours).map(ratio -> "`%s` %s".formatted(ours, ratio)))
            .collect(joining(", "));
    return Stream.of(
        "- With %s keys, after %s%d %s of warm-up, times as fast as Guava's: %s.\n"
            .formatted(
                Numbers.keys(keys),
                fewest < warmUps.getMax() ? "at least " : "",
                fewest,
                fewest == 1 ? "kind" : "kinds",
                ratios));
  }

  private static long warmUps(List<Row> rows, String ours) {
    return rows.stream().filter(row -> row.ours().equals(ours)).map(Row::warmUp).distinct().count();
  }

  /** Returns the lowest lower quartile of all single queries. */
  private static Stream<String> leastRatio(List<Row> rows, String ours) {
    return rows.stream()
        .filter(
            row ->
                row.ours().equals(ours)
                    && row.peer().equals(Subject.REFERENCE)
                    && SINGLE_QUERIES.contains(row.operation()))
        .map(row -> row.ratio().lower())
        .min(Comparator.naturalOrder())
        .map(Numbers::ratio)
        .stream();
  }

  private static Collection<Long> sizes(Stream<Long> sizes) {
    return sizes.collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
  }
}
