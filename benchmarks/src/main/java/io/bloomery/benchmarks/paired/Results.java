package io.bloomery.benchmarks.paired;

import java.util.List;

/** All that one run has measured. */
public record Results(List<Figures> figures, List<Measure> measures) {

  /** Copies both lists. */
  public Results {
    figures = List.copyOf(figures);
    measures = List.copyOf(measures);
  }
}
