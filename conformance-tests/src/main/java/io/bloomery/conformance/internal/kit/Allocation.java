package io.bloomery.conformance.internal.kit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** A measurement of the memory allocated by a thread. */
public final class Allocation {

  private Allocation() {}

  /**
   * Returns the number of bytes that this thread has allocated since it started, whether or not
   * they were collected.
   */
  public static long byThisThread() {
    // Every OpenJDK supports this extension of the standard bean.
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
