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

  /**
   * Returns the fewest bytes that a call allocates, made up to so many times until these are few:
   * code that is not compiled yet may leave garbage, and what a call needs it takes each time.
   */
  public static long least(int times, long few, Runnable call) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < times && least > few; i++) {
      long before = byThisThread();
      call.run();
      least = Math.min(least, byThisThread() - before);
    }
    return least;
  }
}
