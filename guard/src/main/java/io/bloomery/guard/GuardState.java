package io.bloomery.guard;

/** What a guard is doing, and so what its answers rest on. */
public enum GuardState {

  /** The first filter is being filled; until then every key may be there. */
  FILLING,

  /** A filter serves, and nothing is wrong. */
  READY,

  /** A filter serves while the next one is filled. */
  REBUILDING,

  /**
   * The last rebuild failed, or the filter cannot answer. The filter before it serves if there is
   * one; otherwise every key may be there. {@link GuardStats#lastError} says why, and the guard
   * tries again by itself.
   */
  FAILED,

  /** The guard was closed; every question throws. */
  CLOSED
}
