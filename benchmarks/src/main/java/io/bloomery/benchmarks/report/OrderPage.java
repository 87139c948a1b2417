package io.bloomery.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.WarmUp;
import io.bloomery.benchmarks.report.OrderTable.Row;
import io.bloomery.benchmarks.report.OrderTable.Standing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** An {@link OrderTable} in Markdown. */
final class OrderPage {

  private static final String NOTHING = "–";
  private static final long IN_CACHE = 1_000_000;
  private static final List<Operation> SINGLE_QUERIES =
      List.of(Operation.HIT, Operation.MISS, Operation.MIX);

  /** A Java version and a kind of warm-up: a column of tables. */
  record Setting(WarmUp warmUp, int java) {

    static Setting of(Row row) {
      return new Setting(row.warmUp(), row.java());
    }

    String head() {
      return warmUp.label() + ", " + java;
    }
  }

  private record Loss(long keys, Operation operation, String ours, String peer) {

    static Loss of(Row row) {
      return new Loss(row.keys(), row.operation(), row.ours(), row.peer());
    }
  }

  private final OrderTable table;

  OrderPage(OrderTable table) {
    this.table = table;
  }

  String text() {
    return """
        %s

        Each of ours beside Guava, and each that is confined to one thread beside all peers of its kind, in every operation that both offer. *Ahead*: even the lower quartile of the ratio is above 1. *Level*:
        the median is at least 0.97. *Behind*: all others.

        %s
        #### A mix beside hits, after each warm-up, in the cache

        The time of a query where hits and misses come in an order that nobody can predict, as a multiple of that of hits: one by one, and in batches. Where it is not near 1 an answer is a jump.

        %s
        #### What a warm-up costs

        The time of a single query of the kind that suffers most, as a multiple of its time after hits and misses, in another JVM some minutes earlier. Guava's time is no measure for that: on Java 25 its queries of 10^5 keys take 34 ns in some JVMs and 56 in others.

        %s
        #### Behind

        %s"""
        .formatted(table.origin(), standings(), mixes(), costs(), behind());
  }

  private String standings() {
    List<Long> sizes = table.rows().stream().map(Row::keys).distinct().sorted().toList();
    List<String> heads = new ArrayList<>(List.of("after", "Java"));
    sizes.forEach(keys -> heads.add(Numbers.keys(keys) + " keys"));
    Table text = new Table(heads);
    settings()
        .forEach(
            setting -> {
              List<String> cells = new ArrayList<>();
              cells.add(setting.warmUp.label());
              cells.add(Integer.toString(setting.java));
              sizes.forEach(keys -> cells.add(standing(setting, keys)));
              text.row(cells);
            });
    return text.toString();
  }

  private String standing(Setting setting, long keys) {
    return standing(
        table.rows().stream().filter(row -> Setting.of(row).equals(setting) && row.keys() == keys));
  }

  /** Returns how many rows have each standing. */
  static String standing(Stream<Row> rows) {
    Map<Standing, Long> counts = new EnumMap<>(Standing.class);
    rows.forEach(row -> counts.merge(row.standing(), 1L, Long::sum));
    return counts.isEmpty()
        ? NOTHING
        : counts.entrySet().stream()
            .map(count -> count.getValue() + " " + OptionNames.of(count.getKey()))
            .collect(joining(", "));
  }

  private List<Setting> settings() {
    return table.rows().stream().map(Setting::of).distinct().toList();
  }

  private String mixes() {
    List<Setting> settings = settings();
    Table text = new Table(heads(settings));
    for (String ours : ours()) {
      for (long keys : sizes(ours)) {
        if (keys < IN_CACHE) {
          text.row(
              Field.label(ours),
              settings.stream().map(setting -> mixes(setting, ours, keys)).toList());
        }
      }
    }
    return text.toString();
  }

  private String mixes(Setting setting, String ours, long keys) {
    return Stream.of(
            ratio(setting, ours, keys, Operation.MIX, Operation.HIT),
            ratio(setting, ours, keys, Operation.BATCH_MIX, Operation.BATCH_HIT))
        .map(ratio -> ratio.isPresent() ? Numbers.ratio(ratio.getAsDouble()) : NOTHING)
        .collect(joining("; "));
  }

  private OptionalDouble ratio(
      Setting setting, String ours, long keys, Operation one, Operation other) {
    Optional<Row> first = beside(setting, ours, keys, one);
    Optional<Row> second = beside(setting, ours, keys, other);
    return first.isPresent() && second.isPresent()
        ? OptionalDouble.of(first.get().ourNanos() / second.get().ourNanos())
        : OptionalDouble.empty();
  }

  // Each of ours is measured together with Guava in the first part of its group.
  private Optional<Row> beside(Setting setting, String ours, long keys, Operation operation) {
    return table.rows().stream()
        .filter(
            row ->
                row.keys() == keys
                    && row.operation() == operation
                    && row.ours().equals(ours)
                    && row.peer().equals(Subject.REFERENCE)
                    && Setting.of(row).equals(setting))
        .findFirst();
  }

  private String costs() {
    List<Setting> settings =
        settings().stream().filter(setting -> setting.warmUp != WarmUp.MIXED).toList();
    List<String> heads = heads(settings);
    heads.add(1, "keys");
    Table text = new Table(heads);
    for (String ours : ours()) {
      for (long keys : sizes(ours)) {
        List<String> cells = new ArrayList<>(List.of(Field.label(ours), Numbers.keys(keys)));
        settings.forEach(setting -> cells.add(cost(setting, ours, keys)));
        text.row(cells);
      }
    }
    return text.toString();
  }

  private String cost(Setting setting, String ours, long keys) {
    Setting usual = new Setting(WarmUp.MIXED, setting.java);
    String most = NOTHING;
    double worst = 0;
    for (Operation query : SINGLE_QUERIES) {
      Optional<Row> here = beside(setting, ours, keys, query);
      Optional<Row> there = beside(usual, ours, keys, query);
      if (here.isPresent() && there.isPresent()) {
        double cost = here.get().ourNanos() / there.get().ourNanos();
        if (cost > worst) {
          worst = cost;
          most = Numbers.ratio(cost) + " " + query.label();
        }
      }
    }
    return most;
  }

  private static List<String> heads(List<Setting> settings) {
    List<String> heads = new ArrayList<>(List.of(""));
    settings.forEach(setting -> heads.add(setting.head()));
    return heads;
  }

  private List<String> ours() {
    return Field.sorted(table.rows().stream().map(Row::ours).distinct().toList());
  }

  private Set<Long> sizes(String ours) {
    return table.rows().stream()
        .filter(row -> row.ours().equals(ours))
        .map(Row::keys)
        .collect(toCollection(TreeSet::new));
  }

  private String behind() {
    Map<Loss, List<Row>> losses =
        table.rows().stream()
            .filter(row -> row.standing() == Standing.BEHIND)
            .collect(groupingBy(Loss::of, LinkedHashMap::new, toList()));
    if (losses.isEmpty()) {
      return "Nowhere in this run.\n";
    }
    Table text =
        new Table("Keys", "Operation", "Ours", "Peer", "Times as fast, after, Java", "Because");
    losses.forEach(
        (loss, rows) ->
            text.row(
                List.of(
                    Numbers.keys(loss.keys),
                    loss.operation.label(),
                    Field.label(loss.ours),
                    loss.peer,
                    rows.stream().map(OrderPage::loss).collect(joining("; ")),
                    OrderReasons.of(loss.ours, loss.operation, loss.keys, warmUps(rows)))));
    return text.toString();
  }

  private static Set<WarmUp> warmUps(List<Row> rows) {
    return rows.stream().map(Row::warmUp).collect(toCollection(() -> EnumSet.noneOf(WarmUp.class)));
  }

  private static String loss(Row row) {
    return "%s (%s) %s"
        .formatted(
            Numbers.ratio(row.ratio().median()),
            Numbers.ratios(row.ratio()),
            Setting.of(row).head());
  }
}
