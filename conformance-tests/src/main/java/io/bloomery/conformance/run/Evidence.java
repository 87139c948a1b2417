package io.bloomery.conformance.run;

import io.bloomery.conformance.statistics.RateCell;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The evidence that the check of one rule has collected in a run, for the report. */
public final class Evidence implements Serializable {

  private static final long serialVersionUID = 1;

  private final List<RateCell> rates = new ArrayList<>();
  private final Map<String, Inputs> inputs = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private long keysQueried;
  private long rounds;
  private long maxAllocated;
  private long slowestNanos;

  private transient Runnable progress;

  /**
   * Creates empty evidence.
   *
   * @param progress called whenever something is noted, to signal that the rule makes progress
   */
  public Evidence(Runnable progress) {
    this.progress = progress;
  }

  public Evidence() {
    this(() -> {});
  }

  /** Signals that the rule makes progress. */
  public void progress() {
    progress.run();
  }

  private synchronized void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    progress = () -> {};
  }

  /**
   * Counts of inputs of one kind that were not written by the filter.
   *
   * @param refused the number rejected as malformed
   * @param accepted the number accepted, and written again as the same bytes
   */
  public record Inputs(long refused, long accepted) implements Serializable {
    private Inputs plus(Inputs other) {
      return new Inputs(refused + other.refused, accepted + other.accepted);
    }
  }

  public synchronized void rate(RateCell cell) {
    rates.add(cell);
    progress();
  }

  /** Adds a number of keys that had been put, queried and found. */
  public synchronized void found(long keys) {
    keysQueried += keys;
    progress();
  }

  public synchronized void raced(long rounds) {
    this.rounds += rounds;
    progress();
  }

  public synchronized void refused(String kind) {
    inputs.merge(kind, new Inputs(1, 0), Inputs::plus);
    progress();
  }

  public synchronized void accepted(String kind) {
    inputs.merge(kind, new Inputs(0, 1), Inputs::plus);
    progress();
  }

  public synchronized void note(String note) {
    notes.add(note);
    progress();
  }

  /** Adds the cost of reading one input. */
  public synchronized void cost(long allocated, long nanos) {
    maxAllocated = Math.max(maxAllocated, allocated);
    slowestNanos = Math.max(slowestNanos, nanos);
  }

  /** Returns the counts of hits, in order of judgement. */
  public synchronized List<RateCell> rates() {
    return List.copyOf(rates);
  }

  /** Returns the counts of inputs, by kind. */
  public synchronized Map<String, Inputs> inputs() {
    return new TreeMap<>(inputs);
  }

  /** Returns further notes, such as what could not be compared. */
  public synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns the number of queries for keys that must be found; all were. */
  public synchronized long keysQueried() {
    return keysQueried;
  }

  /** Returns the number of rounds in which two threads raced. */
  public synchronized long rounds() {
    return rounds;
  }

  /** Returns the maximum number of bytes allocated to read one input; 0 if not measured. */
  public synchronized long maxAllocated() {
    return maxAllocated;
  }

  /** Returns the longest time to read one input, in nanoseconds; 0 if not measured. */
  public synchronized long slowestNanos() {
    return slowestNanos;
  }
}
