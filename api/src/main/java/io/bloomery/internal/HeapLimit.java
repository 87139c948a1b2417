package io.bloomery.internal;

/**
 * The maximum size of the heap: larger content is not corrupt, but cannot be loaded by this JVM,
 * and larger filters cannot be created.
 */
public final class HeapLimit {

  private HeapLimit() {}

  /** Returns whether a number of bytes exceeds the maximum size of the heap. */
  public static boolean isBelow(long bytes) {
    return bytes > Runtime.getRuntime().maxMemory();
  }

  /**
   * Returns an exception, for the caller to throw, about a new filter that does not fit in the
   * heap.
   *
   * @param what the part that needs these bytes
   */
  public static IllegalArgumentException tooLowFor(String what, long bytes) {
    return new IllegalArgumentException(
        "the heap must have room for "
            + what
            + " of "
            + bytes
            + " bytes beside all else in it, but is limited to "
            + Runtime.getRuntime().maxMemory()
            + "; raise -Xmx, or ask for fewer keys or a higher rate");
  }
}
