package io.bloomery.file;

import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns what a provider returned.
   *
   * @throws NullPointerException if that is null
   */
  static <T> T returned(VariantProvider provider, String method, @Nullable T result) {
    return Objects.requireNonNull(
        result,
        () ->
            method
                + " of "
                + provider.getClass().getName()
                + " must return a filter, but returned null; report this to its author");
  }
}
