package io.bloomery.benchmarks.paired;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The results of one run. */
public record Results(List<Figures> figures, List<Stats> stats) {

  /** Copies both lists. */
  public Results {
    figures = List.copyOf(figures);
    stats = List.copyOf(stats);
  }

  /** Returns the figures of an operation; the last ones if it was timed repeatedly. */
  public Optional<Figures> figures(KeyKind kind, long keys, String operation, int threads) {
    return figures.stream()
        .filter(
            one ->
                one.kind() == kind
                    && one.keys() == keys
                    && one.operation().equals(operation)
                    && one.threads() == threads)
        .reduce((earlier, later) -> later);
  }

  /** Returns a measured value of a subject. */
  public OptionalDouble measure(String what, KeyKind kind, long keys, String subject) {
    return stats.stream()
        .filter(
            one ->
                one.what().equals(what)
                    && one.kind() == kind
                    && one.keys() == keys
                    && one.subject().equals(subject))
        .mapToDouble(Stats::value)
        .findFirst();
  }
}
