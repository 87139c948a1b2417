package io.bloomery.conformance;

/** Adds up what chance the statistical checks of a run have to fail a filter that is right. */
final class FalseAlarmBudget {

  /** What one run may spend. */
  static final double LIMIT = 1e-9;

  private double spent;

  /**
   * Takes the false-alarm probability of one more check.
   *
   * @throws IllegalStateException if all checks together could then exceed {@link #LIMIT}
   */
  synchronized void spend(double alpha) {
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

  synchronized double spent() {
    return spent;
  }
}
