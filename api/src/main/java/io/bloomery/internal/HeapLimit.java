package io.bloomery.internal;

import java.io.IOException;

/** How much memory the JVM may take for objects: what is larger is not bad, but too large here. */
public final class HeapLimit {

  private HeapLimit() {}

  /** Returns whether so many bytes are more than the heap may ever hold. */
  public static boolean isBelow(long bytes) {
    return bytes > Runtime.getRuntime().maxMemory();
  }

  /**
   * Returns an exception, for the caller to throw, that says that a filter's content does not fit.
   *
   * @param next what to do instead of giving Java more memory
   */
  public static IOException tooLow(long bytes, String next) {
    return new IOException(
        "content needs "
            + bytes
            + " bytes of memory, but the heap is limited to "
            + Runtime.getRuntime().maxMemory()
            + "; give Java more, by -Xmx, or "
            + next);
  }
}
