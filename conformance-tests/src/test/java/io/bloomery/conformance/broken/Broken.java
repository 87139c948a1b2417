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

  /** Returns a provider whose filters are of a class. */
  static Broken fault(Rule rule, String fault, PatchedProvider.Constructor constructor) {
    return fault(rule, fault, PatchedProvider.of(constructor));
  }

  /** Returns a standard provider with some calls replaced. */
  static Broken fault(Rule rule, String fault, Patch... patches) {
    return fault(rule, fault, FaultWindow.EVERYWHERE, patches);
  }

  /** Returns a standard provider with some calls replaced, of filters within a window. */
  static Broken fault(Rule rule, String fault, FaultWindow window, Patch... patches) {
    return fault(rule, fault, PatchedProvider.with(window, patches));
  }

  @Override
  public String toString() {
    return rule.id() + ": " + fault;
  }
}
