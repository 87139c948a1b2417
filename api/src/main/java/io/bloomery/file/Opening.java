package io.bloomery.file;

import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.util.Objects;

/** The providers that open filters, and the options that the filters must satisfy. */
record Opening(FilterProviders providers, OpenOptions options) {

  Opening {
    Objects.requireNonNull(options, "options");
  }

  /**
   * Returns the provider of a filter.
   *
   * @throws UnexpectedFilterException if it is not installed, or the filter does not satisfy the
   *     options
   * @throws IOException if a header check rejects the filter
   */
  VariantProvider provider(FilterHeader header) throws IOException {
    return options.provider(header, providers);
  }
}
