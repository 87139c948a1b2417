package io.bloomery.filter;

/**
 * The limits of a filter, set by whoever creates or opens it. They are never stored in files: who
 * opens a file of unknown origin sets their own.
 */
public final class FilterLimits {

  /** No limit but the heap: what the heap has no room for is refused in the same ways. */
  public static final FilterLimits HEAP = new FilterLimits(Long.MAX_VALUE);

  private final long maxBytes;

  private FilterLimits(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Limits the bytes that the content of a filter may have.
   *
   * @param maxBytes at least 1, as {@link Filter#payloadSize} counts them. A filter that would be
   *     larger is neither created nor opened; a put or merge that would make it larger throws
   *     {@link FilterFullException}.
   * @throws IllegalArgumentException if it is out of range
   */
  public static FilterLimits ofBytes(long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    return new FilterLimits(maxBytes);
  }

  /** Returns the most bytes that the content of the filter may have. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Refuses a filter that would be too large from the start.
   *
   * @param bytes how many bytes its content would have
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
