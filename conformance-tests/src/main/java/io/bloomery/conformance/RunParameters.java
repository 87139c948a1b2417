package io.bloomery.conformance;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * What to check, and how thoroughly.
 *
 * @param patience how long to search for a smaller case when a rule fails
 * @param limit how long a rule may run without progress
 */
record RunParameters(Tier tier, long seed, Duration patience, Duration limit, List<Rule> rules)
    implements Serializable {

  RunParameters withLimit(Duration other) {
    return new RunParameters(tier, seed, patience, other, rules);
  }

  /**
   * Returns a new run.
   *
   * @param watcher called with each case before it is tried
   */
  Run newRun(Consumer<Case> watcher) {
    return new Run(tier, seed, patience, limit, watcher);
  }
}
