package io.bloomery.conformance.statistics;

/** Adds up what chance the statistical checks of a run have to fail a filter that is right. */
public final class FalseAlarmBudget {

  /** What one run may spend. */
  public static final double LIMIT = 1e-9;

  private double spent;

  /** Nothing is spent yet. */
  public FalseAlarmBudget() {}

  /**
   * Takes the false-alarm probability of one more check.
   *
   * @throws IllegalStateException if all checks together could then exceed {@link #LIMIT}
   */
  public synchronized void spend(double alpha) {
    if (spent + alpha > LIMIT) {
      throw new IllegalStateException(
          "the checks of a run may raise a false alarm with a probability of at most "
              + LIMIT
              + ", but "
              + spent
              + " is spent and one more needs "
              + alpha
              + "; make fewer checks, with more probes each");
    }
    spent += alpha;
  }

  /** Returns what has been spent so far. */
  public synchronized double spent() {
    return spent;
  }
}
