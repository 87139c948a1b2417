package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;

/** What is done with lines and records that hold no key of the required kind. */
final class MalformedLines {

  private final boolean isSkipped;
  private long skipped;
  private Failure first;

  /**
   * Creates a count of them, which is at most 0 unless they are skipped.
   *
   * @param isSkipped whether they are skipped, and do not end the command
   */
  MalformedLines(boolean isSkipped) {
    this.isSkipped = isSkipped;
  }

  /**
   * Skips a line.
   *
   * @throws Failure if lines are not skipped
   */
  void add(Failure failure) throws Failure {
    if (!isSkipped) {
      throw failure;
    }
    skipped++;
    first = first == null ? failure : first;
  }

  /** Reports how many were skipped, if any, and the first of them. */
  void report(Session session) {
    if (first != null) {
      session.warnOfLoss(
          "%,d malformed lines were skipped; the first: %s", skipped, first.getMessage());
    }
  }
}
