package io.bloomery.benchmarks.paired;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.util.ResizableDoubleArray;

/**
 * The times of one operation: for each subject one figure per round, in nanoseconds per operation.
 */
public final class Figures {

  private final KeyKind kind;
  private final long keys;
  private final String operation;
  private final int threads;
  private final Map<String, ResizableDoubleArray> rounds = new LinkedHashMap<>();

  /** Creates figures without rounds. */
  public Figures(KeyKind kind, long keys, String operation, int threads) {
    this.kind = kind;
    this.keys = keys;
    this.operation = operation;
    this.threads = threads;
  }

  /** The quartiles of figures. */
  public record Quartiles(double lower, double median, double upper) {

    static Quartiles of(double... values) {
      return new Quartiles(
          StatUtils.percentile(values, 25),
          StatUtils.percentile(values, 50),
          StatUtils.percentile(values, 75));
    }
  }

  /** Returns the kind of key. */
  public KeyKind kind() {
    return kind;
  }

  /** Returns the number of keys that the filters were created for, and held. */
  public long keys() {
    return keys;
  }

  /** Returns the operation. */
  public String operation() {
    return operation;
  }

  /** Returns the number of concurrent threads. */
  public int threads() {
    return threads;
  }

  /** Adds the figure of a subject in the current round. */
  public void add(String subject, double nanos) {
    rounds.computeIfAbsent(subject, name -> new ResizableDoubleArray()).addElement(nanos);
  }

  /** Returns the subjects that have figures. */
  public Set<String> subjects() {
    return Collections.unmodifiableSet(rounds.keySet());
  }

  /** Returns nanoseconds per operation, one figure per round. */
  public double[] rounds(String subject) {
    return rounds.get(subject).getElements();
  }

  /** Returns nanoseconds per operation. */
  public Quartiles nanos(String subject) {
    return Quartiles.of(rounds.get(subject).getElements());
  }

  /**
   * Returns the factor by which one subject is faster than another, by round, if both have figures.
   */
  public Optional<Quartiles> ratio(String subject, String to) {
    return ratio(subject, this, to);
  }

  /**
   * Returns the factor by which one subject is faster here than another, or the same, in other
   * figures from the same rounds.
   */
  public Optional<Quartiles> ratio(String subject, Figures others, String to) {
    if (!rounds.containsKey(subject) || !others.rounds.containsKey(to)) {
      return Optional.empty();
    }
    double[] ratios = rounds.get(subject).getElements();
    double[] slower = others.rounds.get(to).getElements();
    if (ratios.length != slower.length) {
      throw new IllegalArgumentException(
          "figures must be of the same rounds, but are of "
              + ratios.length
              + " and "
              + slower.length);
    }
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = slower[i] / ratios[i];
    }
    return Optional.of(Quartiles.of(ratios));
  }
}
