package io.bloomery.benchmarks.paired;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** All that one run has measured. */
public record Results(List<Figures> figures, List<Measure> measures) {

  /** Copies both lists. */
  public Results {
    figures = List.copyOf(figures);
    measures = List.copyOf(measures);
  }

  /** Returns the figures of an operation; the last, if it was timed more than once. */
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

  /** Returns a measure of an entrant. */
  public OptionalDouble measure(String what, KeyKind kind, long keys, String entrant) {
    return measures.stream()
        .filter(
            one ->
                one.what().equals(what)
                    && one.kind() == kind
                    && one.keys() == keys
                    && one.entrant().equals(entrant))
        .mapToDouble(Measure::value)
        .findFirst();
  }
}
