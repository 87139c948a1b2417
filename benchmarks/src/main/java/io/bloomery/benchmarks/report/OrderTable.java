package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.WarmUp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * The standing of each variant against each of its peers, in every operation that both support,
 * after each kind of warm-up.
 *
 * @param origin a sentence with time and place of the measurement
 */
record OrderTable(String origin, List<Row> rows) {

  /**
   * The median from which one counts as level with another: smaller differences are not
   * reproducible.
   */
  static final double LEVEL = 0.97;

  private static final String HEAD =
      "java,warm-up,keys,operation,ours,peer,lower,median,upper,our ns,their ns";

  private static final Map<String, Operation> OPERATIONS =
      Arrays.stream(Operation.values())
          .collect(Collectors.toMap(Operation::label, Function.identity()));

  /** Which one is faster. */
  enum Standing {
    /** The lower quartile of the ratio is above 1. */
    AHEAD,
    /** The median is at least {@link #LEVEL}. */
    LEVEL,
    /** The median is lower. */
    BEHIND
  }

  /**
   * One of ours compared with one peer.
   *
   * @param ratio the factor by which ours is faster
   */
  record Row(
      int java,
      WarmUp warmUp,
      long keys,
      Operation operation,
      String ours,
      String peer,
      Quartiles ratio,
      double ourNanos,
      double theirNanos) {

    Standing standing() {
      if (ratio.lower() > 1) {
        return Standing.AHEAD;
      }
      return ratio.median() >= LEVEL ? Standing.LEVEL : Standing.BEHIND;
    }

    /** Returns what is compared, without the result. */
    private List<Object> compared() {
      return List.of(java, warmUp, keys, operation, ours, peer);
    }

    private String line() {
      return String.format(
          Locale.ROOT,
          "%d,%s,%d,%s,%s,%s,%.3f,%.3f,%.3f,%.2f,%.2f",
          java,
          OptionNames.of(warmUp),
          keys,
          OptionNames.of(operation),
          ours,
          peer,
          ratio.lower(),
          ratio.median(),
          ratio.upper(),
          ourNanos,
          theirNanos);
    }

    private static Row of(String line) {
      String[] cells = line.split(",", -1);
      return new Row(
          Integer.parseInt(cells[0]),
          new OptionNames.OfWarmUp().convert(cells[1]),
          Long.parseLong(cells[2]),
          new OptionNames.OfOperation().convert(cells[3]),
          cells[4],
          cells[5],
          new Quartiles(
              Double.parseDouble(cells[6]),
              Double.parseDouble(cells[7]),
              Double.parseDouble(cells[8])),
          Double.parseDouble(cells[9]),
          Double.parseDouble(cells[10]));
    }
  }

  OrderTable {
    rows = List.copyOf(rows);
  }

  /** Returns the rows of a part. */
  static List<Row> rows(OrderPart part, Report report) {
    List<Row> rows = new ArrayList<>();
    for (Figures figures : report.results().figures()) {
      for (String ours : figures.subjects()) {
        for (String peer : figures.subjects()) {
          if (rivals(ours, peer)) {
            rows.add(
                Row.of(
                    new Row(
                            part.java().feature(),
                            part.warmUp(),
                            part.keys(),
                            OPERATIONS.get(figures.operation()),
                            ours,
                            peer,
                            figures.ratio(ours, peer).orElseThrow(),
                            figures.nanos(ours).median(),
                            figures.nanos(peer).median())
                        .line()));
          }
        }
      }
    }
    return rows;
  }

  /** Returns whether both have the same guarantee for threads: shared or confined. */
  private static boolean rivals(String ours, String peer) {
    Subject subject = Field.subject(ours);
    Subject other = Field.subject(peer);
    return subject.ours()
        && !other.ours()
        && (peer.equals(Subject.REFERENCE)
            || (subject.confined() && subject.role() == other.role()));
  }

  /**
   * Returns these rows, together with those of an earlier table that compare something else, as if
   * all were measured at once.
   */
  OrderTable over(OrderTable earlier) {
    Map<List<Object>, Row> all = new LinkedHashMap<>();
    Stream.concat(earlier.rows.stream(), rows.stream())
        .forEach(row -> all.put(row.compared(), row));
    return new OrderTable(
        origin,
        all.values().stream()
            .sorted(
                Comparator.comparing(Row::keys).thenComparing(Row::warmUp).thenComparing(Row::java))
            .toList());
  }

  String write() {
    return rows.stream()
        .map(Row::line)
        .collect(Collectors.joining("\n", origin + "\n" + HEAD + "\n", "\n"));
  }

  static OrderTable read(String text) throws IOException {
    List<String> lines = text.lines().toList();
    if (lines.size() < 2 || !lines.get(1).equals(HEAD)) {
      throw new IOException("must be what 'benchmarks/run order' has written");
    }
    try {
      return new OrderTable(lines.get(0), lines.stream().skip(2).map(Row::of).toList());
    } catch (IllegalArgumentException | IndexOutOfBoundsException | TypeConversionException e) {
      throw new IOException("must have rows that this version knows: " + e.getMessage(), e);
    }
  }
}
