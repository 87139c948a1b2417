package io.bloomery.conformance.run;

import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.statistics.RateCell;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one rule has looked at in a run, so that a report can say more than that it was kept. */
public final class Evidence {

  private final List<RateCell> rates = new ArrayList<>();
  private final Map<String, Inputs> inputs = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private long keysQueried;
  private long rounds;
  private long maxAllocated;
  private long slowestNanos;

  private final Runnable progress;

  /**
   * Nothing is noted yet.
   *
   * @param progress what to do whenever something is: the rule goes on
   */
  public Evidence(Runnable progress) {
    this.progress = progress;
  }

  public Evidence() {
    this(() -> {});
  }

  /** Says that the rule goes on. */
  public void progress() {
    progress.run();
  }

  /** Writes all that is noted. */
  public synchronized void writeTo(DataOutput out) throws IOException {
    Message.writeList(out, rates, Message::writeRate);
    Message.writeList(
        out,
        List.copyOf(inputs.entrySet()),
        (to, kind) -> {
          Message.writeText(to, kind.getKey());
          to.writeLong(kind.getValue().refused());
          to.writeLong(kind.getValue().accepted());
        });
    Message.writeList(out, notes, Message::writeText);
    out.writeLong(keysQueried);
    out.writeLong(rounds);
    out.writeLong(maxAllocated);
    out.writeLong(slowestNanos);
  }

  /** Reads what was written. */
  public static Evidence readFrom(DataInput in) throws IOException {
    Evidence seen = new Evidence();
    seen.rates.addAll(Message.readList(in, Message::readRate));
    for (int kinds = in.readInt(); kinds > 0; kinds--) {
      seen.inputs.put(Message.readText(in), new Inputs(in.readLong(), in.readLong()));
    }
    seen.notes.addAll(Message.readList(in, Message::readText));
    seen.keysQueried = in.readLong();
    seen.rounds = in.readLong();
    seen.maxAllocated = in.readLong();
    seen.slowestNanos = in.readLong();
    return seen;
  }

  /**
   * Inputs of one kind that were not written by the filter.
   *
   * @param refused how many were refused as malformed
   * @param accepted how many were taken, and written again as they were
   */
  public record Inputs(long refused, long accepted) {
    private Inputs plus(Inputs other) {
      return new Inputs(refused + other.refused, accepted + other.accepted);
    }
  }

  public synchronized void rate(RateCell cell) {
    rates.add(cell);
    progress();
  }

  /** Notes that so many keys that had been put were asked for and found. */
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

  /** Notes what it cost to deal with one input. */
  public synchronized void cost(long allocated, long nanos) {
    maxAllocated = Math.max(maxAllocated, allocated);
    slowestNanos = Math.max(slowestNanos, nanos);
  }

  /** Returns the counts of hits, in the order in which they were judged. */
  public synchronized List<RateCell> rates() {
    return List.copyOf(rates);
  }

  /** Returns the inputs tried, by kind. */
  public synchronized Map<String, Inputs> inputs() {
    return new TreeMap<>(inputs);
  }

  /** Returns what else is worth knowing, such as what could not be compared. */
  public synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns how many queries asked for a key that must be found; all were. */
  public synchronized long keysQueried() {
    return keysQueried;
  }

  /** Returns how many rounds two threads have raced. */
  public synchronized long rounds() {
    return rounds;
  }

  /** Returns the most bytes that reading one input has allocated; 0 where that was not measured. */
  public synchronized long maxAllocated() {
    return maxAllocated;
  }

  /** Returns how long the slowest input took, in nanoseconds; 0 where that was not measured. */
  public synchronized long slowestNanos() {
    return slowestNanos;
  }
}
