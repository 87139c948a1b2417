package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Stats;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one run measured, where and when: all that tables and charts are made of.
 *
 * <p>Of an operation with many rounds {@value #ROUNDS} are kept, evenly spread, the same for all
 * who took part; every number has four digits. So a report is of a size that can be committed, and
 * is itself again when it was written and read.
 *
 * @param command what somebody has to type to run it again
 * @param libraries versions by the names of libraries
 */
record Report(
    Contest contest,
    String date,
    String command,
    Machine machine,
    Map<String, String> libraries,
    Results results) {

  static final int ROUNDS = 101;

  private static final MathContext DIGITS = new MathContext(4);

  /** What was run. */
  enum Contest {
    /** Everybody at a few numbers of keys. */
    MATRIX,
    /** A few at many numbers of keys. */
    COST
  }

  Report {
    libraries = Collections.unmodifiableMap(new TreeMap<>(libraries));
    results =
        new Results(
            results.figures().stream().map(Report::kept).toList(),
            results.stats().stream().map(Report::kept).toList());
  }

  private static Figures kept(Figures figures) {
    Figures kept =
        new Figures(figures.kind(), figures.keys(), figures.operation(), figures.threads());
    for (String subject : figures.subjects()) {
      double[] rounds = figures.rounds(subject);
      int count = Math.min(rounds.length, ROUNDS);
      for (int i = 0; i < count; i++) {
        kept.add(subject, kept(rounds[(int) ((long) i * rounds.length / count)]));
      }
    }
    return kept;
  }

  private static Stats kept(Stats measure) {
    return new Stats(
        measure.what(), measure.kind(), measure.keys(), measure.subject(), kept(measure.value()));
  }

  private static double kept(double value) {
    return new BigDecimal(value).round(DIGITS).doubleValue();
  }
}
