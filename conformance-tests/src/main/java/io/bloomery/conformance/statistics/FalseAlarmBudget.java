package io.bloomery.conformance.statistics;

/**
 * The sum of the probabilities with which the statistical checks of a run fail a correct filter.
 */
public final class FalseAlarmBudget {

  /** The maximum for one run. */
  public static final double LIMIT = 1e-9;

  private double spent;

  /** Creates a budget of which nothing is spent. */
  public FalseAlarmBudget() {}

  /**
   * Adds the false-alarm probability of one more check.
   *
   * @throws IllegalStateException if the sum would exceed {@link #LIMIT}
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

  /** Returns the sum so far. */
  public synchronized double spent() {
    return spent;
  }
}
