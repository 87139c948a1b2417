package io.bloomery.filter;

/**
 * The filter that a provider would build for a {@link FilterSpec}, known without building it. Plans
 * of Bloomery's own variants, and of tables of other authors, say as text what they are: variant,
 * bits, probes and rate.
 */
public interface FilterPlan {

  /** Returns what was asked. */
  FilterSpec spec();

  /** Returns the kind of filter. */
  String variant();

  /**
   * Returns the bits that the filter writes to expect once it holds the expected keys, each put
   * once: whole words of 64. A filter whose tables never grow writes so much from the first key.
   */
  long sizeInBits();

  /** Returns the bytes of memory to expect then; what has a fixed size of a few KiB not counted. */
  default long heapBytes() {
    return sizeInBits() / Byte.SIZE;
  }

  /** Returns how many bits a query looks at, at most. */
  int probes();

  /**
   * Returns the false-positive rate to expect after so many different keys. At {@link
   * FilterSpec#expectedKeys()} it is at most {@link FilterSpec#falsePositiveRate()}.
   */
  double falsePositiveRate(long keys);

  /** Describes the filter that would be built, in words. */
  default FilterDescription description() {
    return FilterDescription.NONE;
  }

  /** Returns the size in bits for each expected key. */
  default double bitsPerKey() {
    return (double) sizeInBits() / spec().expectedKeys();
  }
}
