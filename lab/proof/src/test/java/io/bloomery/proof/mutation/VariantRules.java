package io.bloomery.proof.mutation;

import io.bloomery.conformance.FilterContract;
import io.bloomery.filter.FilterProvider;
import java.util.ServiceLoader;

/** The rules on a variant, as tests that PIT runs. */
class VariantRules extends FilterContract {

  /** The system property that names the variants, separated by commas. */
  static final String PROPERTY = "bloomery.mutation.variant";

  /** Returns which of the variants it is. */
  int index() {
    return 0;
  }

  @Override
  protected FilterProvider provider() {
    String variant = System.getProperty(PROPERTY).split(",", -1)[index()];
    return ServiceLoader.load(FilterProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(found -> found.variant().equals(variant))
        .findFirst()
        .orElseThrow();
  }
}
