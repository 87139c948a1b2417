package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * An expectation of results.
 *
 * @param text the comparison
 * @param bound the bound on the number
 * @param found extracts the number from results
 */
record Target(String text, Bound bound, Function<Results, Found> found) {

  /** A minimum or maximum. */
  record Bound(boolean min, double value, String unit) {

    static Bound atLeast(double value, String unit) {
      return new Bound(true, value, unit);
    }

    static Bound atMost(double value, String unit) {
      return new Bound(false, value, unit);
    }

    boolean holds(double measured) {
      return min ? measured >= value : measured <= value;
    }

    @Override
    public String toString() {
      return (min ? "at least " : "at most ") + number() + unit;
    }

    private String number() {
      return new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT))
          .format(value);
    }
  }

  /** A number, if it was measured, and further details. */
  record Found(Optional<Quartiles> measured, String detail) {

    static Found of(Optional<Quartiles> measured) {
      return new Found(measured, measured.isPresent() ? "" : "not measured");
    }

    static Found missing(String what) {
      return new Found(Optional.empty(), "not measured: " + what);
    }
  }

  /** The conditions of a measurement. */
  record Place(KeyKind kind, long keys, int threads) {

    static Place longs(long keys) {
      return new Place(KeyKind.LONG, keys, 1);
    }

    static Place byTwo(long keys) {
      return new Place(KeyKind.LONG, keys, 2);
    }

    Optional<Figures> figures(Results results, String operation) {
      return results.figures(kind, keys, operation, threads);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d %s keys%s",
          keys,
          kind.label(),
          threads == 1 ? "" : ", " + threads + " threads");
    }
  }

  private static final String TIMES = "x";

  /** Requires a minimum factor by which one subject is faster than another. */
  static Target faster(String subject, String than, Operation operation, Place place, double min) {
    return new Target(
        String.format(
            Locale.ROOT,
            "%s: %s, times faster than %s, %s",
            subject,
            operation.label(),
            than,
            place),
        Bound.atLeast(min, TIMES),
        results ->
            Found.of(
                place
                    .figures(results, operation.label())
                    .flatMap(figures -> figures.ratio(subject, than))));
  }

  /** Limits the time of a subject relative to that of another. */
  static Target cost(String subject, String against, Operation operation, Place place, double max) {
    return new Target(
        String.format(
            Locale.ROOT, "%s: %s, time against %s, %s", subject, operation.label(), against, place),
        Bound.atMost(max, TIMES),
        results ->
            Found.of(
                place
                    .figures(results, operation.label())
                    .flatMap(figures -> figures.ratio(against, subject))));
  }

  /** Limits the increase in the time of a call while another thread makes the same calls. */
  static Target costByTwo(String subject, Operation operation, long keys, double max) {
    Place two = Place.byTwo(keys);
    return new Target(
        String.format(
            Locale.ROOT, "%s: %s, time against one thread, %s", subject, operation.label(), two),
        Bound.atMost(max, TIMES),
        results ->
            Found.of(
                Place.longs(keys)
                    .figures(results, operation.label())
                    .flatMap(
                        one ->
                            two.figures(results, operation.label())
                                .flatMap(both -> one.ratio(subject, both, subject)))));
  }

  /** Limits a measured value. */
  static Target max(String subject, String what, KeyKind kind, long keys, double max) {
    return new Target(
        String.format(Locale.ROOT, "%s: %s, %,d %s keys", subject, what, keys, kind.label()),
        Bound.atMost(max, ""),
        results -> Found.of(single(results.measure(what, kind, keys, subject))));
  }

  /** Limits the relative deviation of a rate from the planned one. */
  static Target asPlanned(String subject, long keys, double max) {
    return new Target(
        String.format(
            Locale.ROOT,
            "%s: false-positive rate, difference from the planned one, %,d long keys",
            subject,
            keys),
        Bound.atMost(100 * max, " %"),
        results -> {
          var planned = results.measure(Stats.PLANNED_RATE, KeyKind.LONG, keys, subject);
          var measured = results.measure(Stats.RATE, KeyKind.LONG, keys, subject);
          if (planned.isEmpty() || measured.isEmpty()) {
            return Found.missing("rate");
          }
          double ratio = measured.getAsDouble() / planned.getAsDouble();
          return new Found(
              Optional.of(Quartiles.of(100 * Math.abs(ratio - 1))),
              String.format(
                  Locale.ROOT,
                  "%.6f measured, %.6f planned",
                  measured.getAsDouble(),
                  planned.getAsDouble()));
        });
  }

  /**
   * Requires a subject to be ahead of all of several others in all operations, and in building,
   * where its confined form takes its place.
   */
  static Target ahead(
      String subject, String builder, List<String> peers, List<Operation> operations, Place place) {
    return new Target(
        String.format(Locale.ROOT, "%s: times faster than the closest peer, %s", subject, place),
        Bound.atLeast(1, TIMES),
        results -> closest(results, subject, builder, peers, operations, place));
  }

  private record Rival(String peer, Operation operation, Quartiles ratio) {}

  private static Found closest(
      Results results,
      String subject,
      String builder,
      List<String> peers,
      List<Operation> operations,
      Place place) {
    List<Rival> rivals = new ArrayList<>();
    for (Operation operation : operations) {
      String ours = operation == Operation.BUILD ? builder : subject;
      for (String peer : peers) {
        Optional<Quartiles> ratio =
            place.figures(results, operation.label()).flatMap(figures -> figures.ratio(ours, peer));
        if (ratio.isEmpty()) {
          return Found.missing(ours + " and " + peer + ", " + operation.label());
        }
        rivals.add(new Rival(peer, operation, ratio.get()));
      }
    }
    Rival closest =
        rivals.stream().min(Comparator.comparingDouble(one -> one.ratio.median())).orElseThrow();
    return new Found(Optional.of(closest.ratio), closest.peer + ", " + closest.operation.label());
  }

  private static Optional<Quartiles> single(OptionalDouble value) {
    return value.isPresent() ? Optional.of(Quartiles.of(value.getAsDouble())) : Optional.empty();
  }

  /** Compares results with this target, by the median. */
  Targets.Outcome in(Results results) {
    Found here = found.apply(results);
    Targets.Verdict verdict =
        here.measured()
            .map(
                numbers ->
                    bound.holds(numbers.median()) ? Targets.Verdict.MET : Targets.Verdict.MISSED)
            .orElse(Targets.Verdict.NOT_MEASURED);
    return new Targets.Outcome(text, bound.toString(), here.measured(), here.detail(), verdict);
  }
}
