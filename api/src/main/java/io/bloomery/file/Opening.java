package io.bloomery.file;

import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import java.io.IOException;
import java.util.Objects;

/** Providers, and which filters are to be opened by them. */
record Opening(FilterProviders providers, OpenOptions options) {

  Opening {
    Objects.requireNonNull(options, "options");
  }

  /**
   * Finds the provider of a filter.
   *
   * @throws UnexpectedFilterException if it is not installed, or the filter is not as asked
   * @throws IOException if a check refuses the filter
   */
  FilterProvider provider(FilterHeader header) throws IOException {
    return options.provider(header, providers);
  }
}
