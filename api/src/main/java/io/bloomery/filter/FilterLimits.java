package io.bloomery.filter;

/**
 * The limits of a filter, set at creation or opening. They are never stored in files: set them
 * again to open a file of unknown origin.
 */
public final class FilterLimits {
  // decisions.md#limits-are-no-part-of-a-file

  /** No limit but the heap; a filter that exceeds the heap is rejected in the same way. */
  public static final FilterLimits HEAP = new FilterLimits(Long.MAX_VALUE);

  private final long maxBytes;

  private FilterLimits(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Returns a limit on the size of a filter's content.
   *
   * @param maxBytes at least 1, as {@link Filter#payloadSize} counts them. A filter that would be
   *     larger is neither created nor opened; a put or merge that would make it larger throws
   *     {@link FilterFullException}.
   * @throws IllegalArgumentException if {@code maxBytes} is less than 1
   */
  public static FilterLimits ofBytes(long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    return new FilterLimits(maxBytes);
  }

  /** Returns the maximum size of the filter's content in bytes. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Checks the initial size of a filter.
   *
   * @param bytes the size of its content
   * @throws IllegalArgumentException if that is more than {@link #maxBytes}
   */
  public void check(long bytes) {
    if (bytes > maxBytes) {
      throw new IllegalArgumentException(
          "maxBytes must be at least the "
              + bytes
              + " bytes that the filter begins with, but was "
              + maxBytes
              + "; allow more bytes, or ask for fewer keys or a higher rate");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterLimits limits && limits.maxBytes == maxBytes;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(maxBytes);
  }

  @Override
  public String toString() {
    return equals(HEAP) ? "no limit but the heap" : "at most " + maxBytes + " bytes";
  }
}
