package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.check.Race;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Holds the second thread of a race back until the first has changed something, so that a fault
 * shows however busy the machine is.
 */
final class Gap {

  private int vainWaitsLeft = 300;
  private Object waitedInVainFor;

  /** Waits at most once in vain for each subject, since the first thread may be done with it. */
  <T> void letOtherThreadChange(Object subject, Supplier<T> state) {
    if (!Thread.currentThread().getName().equals(Race.SECOND_THREAD)
        || vainWaitsLeft == 0
        || subject.equals(waitedInVainFor)) {
      return;
    }
    T before = state.get();
    for (int i = 0; i < 50; i++) {
      LockSupport.parkNanos(100_000);
      if (!state.get().equals(before)) {
        return;
      }
    }
    waitedInVainFor = subject;
    vainWaitsLeft--;
  }
}
