package io.bloomery.conformance.internal.kit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory a thread has asked for. */
public final class Allocation {

  private Allocation() {}

  /** Returns the bytes that this thread has allocated since it began, collected or not. */
  public static long byThisThread() {
    // Every OpenJDK has this extension of the standard bean.
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
