package io.bloomery.proof.schedule;

/** What the methods that Fray schedules are made of. */
final class Schedule {

  private Schedule() {}

  static Thread start(Runnable task) {
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  /** Ends the schedule as one that breaks a promise, unless it holds. */
  static void check(boolean holds, String promise) {
    if (!holds) {
      throw new AssertionError(promise);
    }
  }
}
