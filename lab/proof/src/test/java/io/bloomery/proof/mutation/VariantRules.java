package io.bloomery.proof.mutation;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;
import java.util.ServiceLoader;

/** The rules on one variant, as tests that PIT runs. */
final class VariantRules extends FilterContract {

  /** The system property that names the variant. */
  static final String PROPERTY = "bloomery.mutation.variant";

  @Override
  protected FilterProvider provider() {
    String variant = System.getProperty(PROPERTY);
    return ServiceLoader.load(FilterProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(found -> found.variant().equals(variant))
        .findFirst()
        .orElseThrow();
  }
}
