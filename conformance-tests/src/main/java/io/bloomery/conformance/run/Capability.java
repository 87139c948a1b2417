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

/** The optional capabilities of the filters of a provider, as far as rules depend on them. */
public enum Capability {
  /** No optional capability. */
  NONE("be filters"),
  /** Puts: filters are {@link Filter}s, which are not built once from all their hashes. */
  PUTS("take puts"),
  /** Builds: filters are built once from all their hashes. */
  BUILT("come from a build of all their hashes"),
  /** Merging: filters are {@link MergeableFilter}s. */
  MERGING("merge"),
  /** Removal: filters are {@link RemovableFilter}s. */
  REMOVAL("remove"),
  /** Merging of counts: filters are both. */
  MERGED_COUNTS("remove and merge"),
  /**
   * Growth: the requested rate is kept for any number of keys. There is no type for it; it is
   * detected by the plan, whose rate for 100 times the expected keys is at most the one requested.
   */
  GROWTH("grow"),
  /** A limit: put throws {@link FilterFullException} beyond some number of keys. */
  LIMIT("have a limit"),
  /** Positions: the provider implements {@link FilterProvider#positions}. */
  POSITIONS("name their positions"),
  /** Living in files: the provider implements {@link FilterProvider#liveLayout}. */
  LIVING("live in files");

  private static final int EXAMPLE_KEYS = 10;

  // Independent of the run, because capabilities are the same in all runs.
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
      case PUTS -> new Subject(provider).takesPuts();
      case BUILT -> !PUTS.isOfferedBy(provider);
      case MERGING -> example(provider) instanceof MergeableFilter;
      case REMOVAL -> example(provider) instanceof RemovableFilter;
      case MERGED_COUNTS -> MERGING.isOfferedBy(provider) && REMOVAL.isOfferedBy(provider);
      case POSITIONS -> provider.positions(0, 1 << 20, 1).isPresent();
      case LIVING -> provider.liveLayout(SMALL).isPresent();
      case GROWTH ->
          PUTS.isOfferedBy(provider)
              && provider.plan(SMALL).falsePositiveRate(100 * SMALL.expectedKeys())
                  <= SMALL.falsePositiveRate()
              && !LIMIT.isOfferedBy(provider);
      case LIMIT -> PUTS.isOfferedBy(provider) && isFull(example(provider));
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

  /** Returns a verb phrase for the capability, as in "filters do not ...". */
  public String ability() {
    return ability;
  }
}
