package io.bloomery.filter;

import java.util.stream.LongStream;

/**
 * A provider whose filters are built once, from all their hashes, and never change, such as binary
 * fuse and ribbon filters, which are smaller than filters that accept puts.
 *
 * <p>It is named in {@code META-INF/services/io.bloomery.filter.StaticFilterProvider} and under
 * {@code provides} in the module descriptor.
 */
public non-sealed interface StaticFilterProvider extends VariantProvider {

  /**
   * Builds the filter of a set of hashes. Equal sets give equal bytes, whatever the order of the
   * stream and however often a hash is in it, and whether the stream is parallel. Layout and size
   * depend on the spec alone: what only a build determines, such as a seed or the number of hashes,
   * is part of the content, which is not empty. The stream is consumed before this method returns,
   * and what it throws reaches the caller. A build ignores interrupts and keeps the interrupt
   * status, and builds of one provider may run side by side.
   *
   * @param spec the expected keys are an upper bound on the number of distinct hashes
   * @param hashes is consumed
   * @throws IllegalArgumentException as for {@link #plan}; if there are more distinct hashes than
   *     expected keys, with a message that names these; if the content exceeds the limits; or if
   *     the filter, or what is needed to build it, exceeds the heap
   */
  StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits);

  /**
   * Returns the bytes of heap that building a filter of this spec takes beside the hashes and the
   * filter itself. The default is 0, for a provider that does not know.
   *
   * @throws IllegalArgumentException as for {@link #plan}
   */
  default long bytesToBuild(FilterSpec spec) {
    return 0;
  }
}
