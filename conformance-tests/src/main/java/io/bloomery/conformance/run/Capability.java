package io.bloomery.conformance.run;

import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;

/** What the filters of a provider can do, as far as rules depend on it. */
public enum Capability {
  /** Nothing but what every filter can. */
  NONE("be filters"),
  /** Take in other filters: they are {@link MergeableFilter}s. */
  MERGING("merge"),
  /** Take hashes back: they are {@link RemovableFilter}s. */
  REMOVAL("remove"),
  /** Take in the counts of other filters: they are both. */
  MERGED_COUNTS("remove and merge"),
  /**
   * Keep the rate asked at any number of keys. There is no type for that, and the plan tells: its
   * rate for 100 times the expected keys is at most the one asked.
   */
  GROWTH("grow"),
  /** Refuse more than some number of keys: put throws {@link FilterFullException}. */
  LIMIT("have a limit"),
  /** Tell where the bits of a hash lie: the provider names {@link FilterProvider#positions}. */
  POSITIONS("name their positions");

  private static final int EXAMPLE_KEYS = 10;

  // Not of a run: what filters can do is the same in all of them.
  private static final long ANY_SEED = 7;

  private static final FilterSpec SMALL = FilterSpec.of(1_000, 0.01);

  private final String ability;

  Capability(String ability) {
    this.ability = ability;
  }

  /** Returns whether the filters of a provider have this capability. */
  public boolean isOfferedBy(FilterProvider provider) {
    return switch (this) {
      case NONE -> true;
      case MERGING -> example(provider) instanceof MergeableFilter;
      case REMOVAL -> example(provider) instanceof RemovableFilter;
      case MERGED_COUNTS -> MERGING.isOfferedBy(provider) && REMOVAL.isOfferedBy(provider);
      case POSITIONS -> provider.positions(0, 1 << 20, 1).isPresent();
      case GROWTH ->
          provider.plan(SMALL).falsePositiveRate(100 * SMALL.expectedKeys())
                  <= SMALL.falsePositiveRate()
              && !LIMIT.isOfferedBy(provider);
      case LIMIT -> isFull(example(provider));
    };
  }

  private static boolean isFull(Filter filter) {
    Hashes hashes = new Hashes(ANY_SEED);
    for (int i = 0; i < 100 * EXAMPLE_KEYS; i++) {
      if (!Subject.isTaken(filter, hashes.next())) {
        return true;
      }
    }
    return false;
  }

  private static Filter example(FilterProvider provider) {
    return provider.create(FilterSpec.of(EXAMPLE_KEYS, 0.1), ThreadMode.SHARED);
  }

  /** Returns what filters with this capability do, as in "filters do not ...". */
  public String ability() {
    return ability;
  }
}
