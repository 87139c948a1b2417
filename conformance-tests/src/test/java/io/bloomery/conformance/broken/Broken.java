package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterProvider;

/**
 * A provider with one fault.
 *
 * @param rule the rule that names the fault
 * @param fault what is wrong, in a few words
 * @param provider the provider
 */
public record Broken(Rule rule, String fault, FilterProvider provider) {

  static Broken fault(Rule rule, String fault, FilterProvider provider) {
    return new Broken(rule, fault, provider);
  }

  static Broken fault(Rule rule, String fault, PatchedProvider.Patch patch) {
    return fault(rule, fault, PatchedProvider.of(patch));
  }

  @Override
  public String toString() {
    return rule.id() + ": " + fault;
  }
}
