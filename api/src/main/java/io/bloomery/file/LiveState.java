package io.bloomery.file;

import io.bloomery.internal.file.LiveControl;
import java.time.Instant;

/**
 * The state of a live file: sealed, or open for writing, with its checksums not made yet. It stays
 * open if its writer ends without closing it.
 *
 * @param isOpen whether it is open
 * @param since when it was opened last; 1970 if never
 * @param process the id of the process that opened it last; 0 if none has
 */
public record LiveState(boolean isOpen, Instant since, long process) {

  static LiveState of(LiveControl control) {
    LiveControl.State state = control.state();
    return new LiveState(state.isOpen(), Instant.ofEpochMilli(state.since()), state.process());
  }

  /** Returns the state as text. */
  @Override
  public String toString() {
    return isOpen
        ? "open for writing since "
            + since
            + " by process "
            + process
            + ", its checksums are not made yet"
        : "sealed";
  }
}
