package io.bloomery.conformance.internal.cases;

/** How a filter that is merged into another was created. */
public enum Partner {
  /** Created and filled. */
  CREATED,
  /** Copied. */
  COPIED,
  /** Read from a serialised filter. */
  READ,
  /** Created in the other thread mode. */
  OF_OTHER_MODE,
  /** Filled, cleared and filled again. */
  CLEARED
}
