package io.bloomery.conformance.internal.cases;

/**
 * What is done to a filter while it is filled, none of which may change what it holds in the end.
 */
public enum Step {
  /** Go on with a copy. */
  COPY,
  /** Go on with what is read from what was written. */
  READ,
  /** The same, for the other thread mode. */
  READ_IN_OTHER_MODE,
  /** Clear, and put once more what was there. */
  CLEAR,
  /** Put what comes next in batches rather than one by one. */
  BATCH,
  /** Take what comes next from another filter; where filters do not merge, as {@link #BATCH}. */
  MERGE,
  /** The same, the other way round: merge what is there into a filter with what comes next. */
  MERGE_INTO_OTHER,
  /** Put other hashes, and remove them; where filters do not remove, as {@link #COPY}. */
  REMOVE,
  /**
   * Put half of what comes next in a thread that is being interrupted: no put waits for anything.
   */
  INTERRUPTED,
  /**
   * Ask for all that can be told and written: whoever keeps it for later must know that it is old.
   */
  ASK
}
