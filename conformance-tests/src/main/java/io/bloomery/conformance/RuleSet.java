package io.bloomery.conformance;

import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;

/** What the rules of every topic are given. */
interface RuleSet {

  /** Returns the provider under test, wrapped. */
  Subject subject();

  /** Returns what judges counts of hits, on the account of the whole run. */
  default BinomialVerdict verdict() {
    return new BinomialVerdict(
        Store.getOrCreate(FalseAlarmBudget.class, Lifespan.RUN, FalseAlarmBudget::new).get());
  }
}
