package io.bloomery.conformance;

import io.bloomery.filter.FilterProvider;

/**
 * A provider with one fault.
 *
 * @param rule the rule that names the fault
 * @param fault what is wrong, in a few words
 * @param provider the provider
 * @param narrow whether no other rule sees the fault
 */
record Broken(Rule rule, String fault, FilterProvider provider, boolean narrow) {

  /** Makes a provider with a fault that one rule alone sees. */
  static Broken only(Rule rule, String fault, FilterProvider provider) {
    return new Broken(rule, fault, provider, true);
  }

  static Broken only(Rule rule, String fault, PatchedProvider.Patch patch) {
    return only(rule, fault, PatchedProvider.of(patch));
  }

  /** Makes a provider with a fault as real libraries have had it; other rules may see it too. */
  static Broken atLeast(Rule rule, String fault, FilterProvider provider) {
    return new Broken(rule, fault, provider, false);
  }

  static Broken atLeast(Rule rule, String fault, PatchedProvider.Patch patch) {
    return atLeast(rule, fault, PatchedProvider.of(patch));
  }

  @Override
  public String toString() {
    return rule.id() + ": " + fault;
  }
}
