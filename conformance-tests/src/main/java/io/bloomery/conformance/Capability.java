package io.bloomery.conformance;

import io.bloomery.Filter;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.MergeableFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;

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
  GROWTH("grow");

  private static final FilterSpec SMALL = new FilterSpec(1_000, 0.01);

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
      case GROWTH ->
          provider.plan(SMALL).rate(100 * SMALL.expectedKeys()) <= SMALL.falsePositiveRate();
    };
  }

  private static Filter example(FilterProvider provider) {
    return provider.create(new FilterSpec(10, 0.1), ThreadMode.SHARED);
  }

  /** Returns what filters with this capability do, as in "filters do not ...". */
  String ability() {
    return ability;
  }
}
