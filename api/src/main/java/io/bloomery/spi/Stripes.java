package io.bloomery.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Spin locks, each on a cache line of its own, among which a number picks one. */
final class Stripes {

  private static final VarHandle CLAIMS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int LINE = 16; // ints in 64 bytes
  private static final int MOST = 256;
  private static final int SPINS_BEFORE_YIELD = 100;

  private final int[] claims;
  private final int mask;

  /** Makes one stripe for each KiB of a table, so that small tables stay small, and at most 256. */
  Stripes(int words) {
    int stripes = Math.min(MOST, Integer.highestOneBit(Math.max(1, words / 128)));
    this.mask = stripes - 1;
    this.claims = new int[(stripes + 1) * LINE];
  }

  // The holder may be waiting for this very core; its work is a few instructions long.
  @SuppressWarnings("ThreadPriorityCheck")
  int claim(long selector) {
    // The first line holds the array's length, which every thread reads: leave it alone.
    int stripe = ((int) selector & mask) * LINE + LINE;
    int spins = 0;
    while ((int) CLAIMS.getOpaque(claims, stripe) != 0
        || !CLAIMS.compareAndSet(claims, stripe, 0, 1)) {
      if (++spins > SPINS_BEFORE_YIELD) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
    return stripe;
  }

  void release(int stripe) {
    CLAIMS.setRelease(claims, stripe, 0);
  }
}
