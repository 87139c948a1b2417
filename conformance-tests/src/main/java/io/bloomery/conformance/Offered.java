package io.bloomery.conformance;

import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterProvider;
import java.io.Serializable;
import java.util.List;
import java.util.Set;

/**
 * What a provider offers.
 *
 * @param rejected the classes of cases that it rejects
 */
record Offered(String variant, Set<Capability> capabilities, List<String> rejected)
    implements Serializable {

  /** Queries a provider for what it offers. */
  static Offered by(FilterProvider provider) {
    return new Offered(
        TestedCode.variant(provider), TestedCode.capabilities(provider), rejected(provider));
  }

  /** Returns what is known of a provider that was not queried. */
  static Offered unknown(String variant) {
    return new Offered(variant, Set.of(), List.of());
  }

  private static List<String> rejected(FilterProvider provider) {
    try {
      return Coverage.notOffered(new Subject(provider).offer());
    } catch (RuntimeException | AssertionError e) {
      // Rejecting the provider is left to the rules.
      return List.of();
    }
  }
}
