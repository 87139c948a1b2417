package io.bloomery.conformance.internal.cases;

/** An operation on a filter while it is filled; none of them may change its final content. */
public enum Step {
  /** Continue with a copy. */
  COPY,
  /** Continue with a filter read from the serialised one. */
  READ,
  /** The same as {@link #READ}, in the other thread mode. */
  READ_IN_OTHER_MODE,
  /** Clear, and put the same hashes again. */
  CLEAR,
  /** Put the next hashes in batches instead of one by one. */
  BATCH,
  /**
   * Merge the next hashes from another filter; if filters do not support merging, like {@link
   * #BATCH}.
   */
  MERGE,
  /** The reverse: merge the filter into another one that contains the next hashes. */
  MERGE_INTO_OTHER,
  /** Put other hashes, and remove them; if filters do not support removal, like {@link #COPY}. */
  REMOVE,
  /** Put half of the next hashes in an interrupted thread: no put may wait for anything. */
  INTERRUPTED,
  /** Query and write everything, so that results that a filter caches become stale. */
  ASK
}
