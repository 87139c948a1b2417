package io.bloomery.benchmarks.paired;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The operations on filters before measurement. The JVM compiles a loop for the behaviour it has
 * observed, from which later behaviour may differ. After every kind but the first, each operation
 * runs for a second before it is timed, because code that does not fit is recompiled.
 */
public enum WarmUp {
  /** All operations, hits and misses equally often: the most favourable case for compilers. */
  MIXED,
  /** Filters are filled, and then queried for absent keys only, as guards mostly are. */
  MISSES,
  /** Filters are filled, and then queried for present keys only. */
  HITS,
  /** As {@link #MIXED}, with small filters before large ones, and vice versa. */
  OTHER_SIZE,
  /** As {@link #MIXED}, after other variants have used the same loops. */
  VARIANTS,
  /** As {@link #MIXED}; all calls go through {@code BloomFilter<Long>}. */
  FACE;

  /** The variants that use the loops of others, if there are any others. */
  static final List<String> OTHERS = List.of("standard", "partitioned", "split-block", "counting");

  /** Returns whether an operation is performed on filled filters. */
  boolean has(Operation operation) {
    return switch (this) {
      case MISSES -> operation.share() == Operation.Share.ABSENT;
      case HITS -> operation.share() == Operation.Share.PRESENT;
      default -> operation.share() != Operation.Share.NEW;
    };
  }

  /**
   * Returns the operations that can be timed afterwards: with boxed keys, batches would time the
   * boxing.
   */
  public Set<Operation> timed() {
    return this == FACE
        ? EnumSet.of(
            Operation.PUT_FRESH, Operation.PUT_AGAIN, Operation.HIT, Operation.MISS, Operation.MIX)
        : EnumSet.allOf(Operation.class);
  }
}
