package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterPlan;
import java.util.Optional;

/**
 * The filters that a provider offers: the keys and rates for which it plans a filter, and the
 * maximum size.
 */
public interface Offer {

  /** Returns the plan, or empty if the provider rejects the filter, as it may. */
  Optional<FilterPlan> plan(long keys, double rate);

  /** Returns the maximum size of a filter in bytes in this run. */
  long maxBytes();

  /** Returns whether the filter is offered and not larger than that. */
  default boolean has(long keys, double rate) {
    return plan(keys, rate).filter(plan -> plan.sizeInBits() / Byte.SIZE <= maxBytes()).isPresent();
  }
}
