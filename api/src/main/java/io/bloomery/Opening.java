package io.bloomery;

import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * How a filter is to be opened: by which providers, for how many threads, and within which limits.
 *
 * @param check refuses a filter by its spec and provider before its content is read
 */
record Opening(
    Catalog catalog,
    ThreadMode mode,
    FilterLimits limits,
    BiConsumer<FilterSpec, FilterProvider> check) {

  Opening {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
  }

  /** Opens any filter. */
  Opening(Catalog catalog, ThreadMode mode, FilterLimits limits) {
    this(catalog, mode, limits, (spec, provider) -> {});
  }

  /**
   * Finds the provider of a filter.
   *
   * @throws FilterFormatException if it is not installed
   * @throws IllegalArgumentException if the filter is not one that was asked for
   */
  FilterProvider provider(Header header) throws FilterFormatException {
    FilterProvider provider = catalog.get(header);
    check.accept(header.spec(), provider);
    if (header.payloadSize() > limits.maxBytes()) {
      throw new IllegalArgumentException(
          "maxBytes must be at least the "
              + header.payloadSize()
              + " bytes of the filter's content, but was "
              + limits.maxBytes()
              + "; allow more bytes if you trust the file");
    }
    return provider;
  }
}
