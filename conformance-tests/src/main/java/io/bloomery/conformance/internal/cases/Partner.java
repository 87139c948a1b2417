package io.bloomery.conformance.internal.cases;

/** How a filter came about that another one takes in. */
public enum Partner {
  /** It was created and filled. */
  CREATED,
  /** It is a copy. */
  COPIED,
  /** It was read from what was written. */
  READ,
  /** It is of the other thread mode. */
  OF_OTHER_MODE,
  /** It was filled, cleared and filled. */
  CLEARED
}
