package io.bloomery.conformance.internal.kit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** A measurement of the memory allocated by a thread. */
public final class Allocation {

  // Every OpenJDK supports this extension of the standard bean. To ask for it takes longer than
  // what most calls are to measure.
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /**
   * Returns the number of bytes that this thread has allocated since it started, whether or not
   * they were collected.
   */
  public static long byThisThread() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
