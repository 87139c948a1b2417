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
 * The results of one run with time and place, from which all tables are generated.
 *
 * <p>Of an operation with many rounds, {@value #ROUNDS} are kept, evenly spaced, the same for all
 * participants; every number has four digits. A report is therefore small enough to be committed,
 * and is equal to itself after writing and reading.
 *
 * @param command the command that repeats the run
 * @param libraries versions by names of libraries
 */
record Report(
    String date, String command, Machine machine, Map<String, String> libraries, Results results) {

  static final int ROUNDS = 101;

  private static final MathContext DIGITS = new MathContext(4);

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
