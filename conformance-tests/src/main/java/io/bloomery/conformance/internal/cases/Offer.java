package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterPlan;
import java.util.Optional;

/** What a provider offers: for which keys and rates it plans a filter, and how large. */
public interface Offer {

  /** Returns the plan, or nothing if the provider refuses such a filter, as it may. */
  Optional<FilterPlan> plan(long keys, double rate);

  /** Returns the most bytes that a filter may take here. */
  long maxBytes();

  /** Returns whether such a filter is offered, and small enough. */
  default boolean has(long keys, double rate) {
    return plan(keys, rate).filter(plan -> plan.sizeInBits() / Byte.SIZE <= maxBytes()).isPresent();
  }
}
