package io.bloomery.conformance;

import io.bloomery.conformance.statistics.BinomialVerdict;
import io.bloomery.conformance.statistics.UniformityVerdict;

/** What the rules of every topic are given. */
interface RuleSet {

  /** Returns the provider under test, wrapped. */
  Subject subject();

  /** Returns how much to try. */
  default Tier tier() {
    return Run.current().tier();
  }

  /** Returns what judges counts of hits, on the account of the whole run. */
  default BinomialVerdict verdict() {
    return Run.current().verdict();
  }

  /** Returns what judges whether choices are even, on the same account. */
  default UniformityVerdict uniformity() {
    return Run.current().uniformity();
  }

  /** Returns where to note what was looked at. */
  default Evidence evidence() {
    return Run.current().evidence();
  }
}
