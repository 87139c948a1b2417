package io.bloomery.benchmarks.paired;

/**
 * The operations on filters before measurement. The JVM compiles a loop for the behaviour it has
 * observed, from which later behaviour may differ.
 */
public enum WarmUp {
  /** All operations, hits and misses equally often: the most favourable case for compilers. */
  MIXED,
  /** Filters are filled, and then queried for absent keys only, as guards mostly are. */
  MISSES,
  /** Filters are filled, and then queried for present keys only. */
  HITS;

  /** Returns whether an operation is performed on filled filters. */
  boolean has(Operation operation) {
    return switch (this) {
      case MISSES -> operation.share() == Operation.Share.ABSENT;
      case HITS -> operation.share() == Operation.Share.PRESENT;
      case MIXED -> operation.share() != Operation.Share.NEW;
    };
  }
}
