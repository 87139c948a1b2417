package io.bloomery.benchmarks.paired;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a program has done with filters before their speed counts. The JVM compiles a loop for what
 * it has seen it do; what comes then may be something else. After every kind but the first, each
 * operation goes on for a second before it is timed, since what does not fit is compiled anew.
 */
public enum WarmUp {
  /** All operations, hits and misses equally often: what compilers like best. */
  MIXED("hits and misses"),
  /** Filters are filled, and then asked for absent keys only, as a guard mostly is. */
  MISSES("misses only"),
  /** Filters are filled, and then asked for present keys only. */
  HITS("hits only"),
  /** As {@link #MIXED}, on small filters where large ones come, and the other way round. */
  OTHER_SIZE("another size"),
  /** As {@link #MIXED}, behind other variants that went through the same loops. */
  VARIANTS("several variants"),
  /** As {@link #MIXED}; all calls go through {@code BloomFilter<Long>}. */
  FACE("BloomFilter<K>");

  /** The variants that go through the loops of others, where there are others. */
  static final List<String> OTHERS = List.of("standard", "partitioned", "split-block", "counting");

  private final String label;

  WarmUp(String label) {
    this.label = label;
  }

  /** Returns what tables call it. */
  public String label() {
    return label;
  }

  /** Returns whether an operation is done with filters that were filled. */
  boolean has(Operation operation) {
    return switch (this) {
      case MISSES -> operation.share() == Operation.Share.ABSENT;
      case HITS -> operation.share() == Operation.Share.PRESENT;
      default -> operation.share() != Operation.Share.NEW;
    };
  }

  /** Returns what can be timed after it: through boxed keys, batches would time the boxes. */
  public Set<Operation> timed() {
    return this == FACE
        ? EnumSet.of(
            Operation.PUT_FRESH, Operation.PUT_AGAIN, Operation.HIT, Operation.MISS, Operation.MIX)
        : EnumSet.allOf(Operation.class);
  }
}
