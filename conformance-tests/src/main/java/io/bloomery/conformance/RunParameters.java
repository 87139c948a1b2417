package io.bloomery.conformance;

import io.bloomery.conformance.run.Tier;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What to check, and how thoroughly.
 *
 * @param patience how long to search for a smaller case when a rule fails
 * @param limit how long a rule may run without progress
 */
record RunParameters(Tier tier, long seed, Duration patience, Duration limit, List<Rule> rules)
    implements Serializable {

  /** Returns these parameters with other rules and another limit. */
  RunParameters with(List<Rule> otherRules, Duration otherLimit) {
    return new RunParameters(tier, seed, patience, otherLimit, List.copyOf(otherRules));
  }
}
