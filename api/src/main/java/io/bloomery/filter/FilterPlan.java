package io.bloomery.filter;

import io.bloomery.internal.MissingAbility;

/**
 * The properties of the filter that a provider would create for a {@link FilterSpec}, computed
 * without creating it. {@code toString} of the plans of Bloomery's own variants, and of table-based
 * variants of other authors, has the variant, bits, probes and rate.
 */
public interface FilterPlan {

  /** Returns the specification that was planned for. */
  FilterSpec spec();

  /** Returns the name of the variant. */
  String variant();

  /**
   * Returns the expected serialised size in bits, a multiple of 64, once the filter holds the
   * expected keys, each put once. A filter of fixed size has this size from the start.
   */
  long sizeInBits();

  /**
   * The part of a {@linkplain #description description} that has the bytes of a table outside the
   * heap, which {@link #heapBytes} does not count.
   */
  String OFF_HEAP_BYTES = "off-heap-bytes";

  /**
   * Returns the expected size on the heap in bytes at that point, not counting a fixed overhead of
   * a few KiB. With {@link #OFF_HEAP_BYTES} it is at least the bits that queries read, and it is no
   * more than creating and filling the filter allocate.
   */
  default long heapBytes() {
    return sizeInBits() / Byte.SIZE;
  }

  /** Returns the maximum number of bits that a query reads. */
  int probes();

  /**
   * Returns the expected false-positive probability after insertion of {@code keys} distinct keys.
   * At {@link FilterSpec#expectedKeys()} it is at most {@link FilterSpec#falsePositiveRate()}. It
   * is between 0 and 1 for any number of keys, and never falls as the number rises. For filters
   * that are built once, it is 1 beyond the expected keys, since none can be built of more.
   */
  double falsePositiveRate(long keys);

  /**
   * Returns the factors by which the filter could be {@linkplain MergeableFilter#folded folded}; by
   * default none, with the reason.
   */
  default Folding folding() {
    return Folding.none(MissingAbility.folding(variant()));
  }

  /** Returns a description of the filter that would be created. */
  default FilterDescription description() {
    return FilterDescription.NONE;
  }

  /** Returns the size in bits per expected key. */
  default double bitsPerKey() {
    return (double) sizeInBits() / spec().expectedKeys();
  }
}
