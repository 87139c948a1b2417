package io.bloomery.conformance.internal.cases;

import java.util.Arrays;
import java.util.List;

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
  ASK,

  /** Query 70,000 times. */
  AGE_BY_QUERIES,

  /** Put what is there 2^20 times; if filters count it, 70,000 times, and remove it again. */
  AGE_BY_PUTS,

  /**
   * Copy, write, merge and clear hundreds and thousands of times, and put the same hashes again.
   */
  AGE_BY_CHANGES;

  /** Those that take milliseconds. */
  static final List<Step> AGES = List.of(AGE_BY_QUERIES, AGE_BY_PUTS, AGE_BY_CHANGES);

  /** All others. */
  static final List<Step> USUAL =
      Arrays.stream(values()).filter(step -> !AGES.contains(step)).toList();
}
