package io.bloomery.guard;

/** The state of a guard, which determines the basis of its answers. */
public enum GuardState {

  /** The first filter is being filled; until then every key may exist. */
  FILLING,

  /** A filter serves, and there is no error. */
  READY,

  /** A filter serves while the next one is filled. */
  REBUILDING,

  /**
   * The last rebuild failed, or the filter cannot be queried. The previous filter serves if there
   * is one; otherwise every key may exist. {@link GuardStats#lastError} has the reason, and the
   * guard retries automatically.
   */
  FAILED,

  /** The guard is closed; every query throws. */
  CLOSED
}
