package io.bloomery.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Spin locks, each on a cache line of its own, among which a number picks one.
 *
 * <p>What is written under a claim is seen by whoever claims the same stripe next. Claims are not
 * reentrant. Whoever claims several must do so in ascending order.
 */
public final class Stripes {

  private static final VarHandle CLAIMS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int LINE = 16; // ints in 64 bytes
  private static final int MOST = 256;
  private static final int SPINS_BEFORE_YIELD = 100;
  private static final int SPINS_BEFORE_PARK = 1_000;
  private static final long PARK_NANOS = 100_000;

  private final int[] claims;
  private final int mask;

  /**
   * Makes one stripe for each KiB of a table of so many words, so that small tables stay small, and
   * at most 256.
   */
  public Stripes(int words) {
    int stripes = Math.min(MOST, Integer.highestOneBit(Math.max(1, words / 128)));
    this.mask = stripes - 1;
    this.claims = new int[(stripes + 1) * LINE];
  }

  /** Returns how many there are: a power of two. */
  public int size() {
    return mask + 1;
  }

  /**
   * Returns the stripe that {@code selector} picks: its lowest bits, from 0 to {@code size - 1}.
   */
  public int of(long selector) {
    return (int) selector & mask;
  }

  /**
   * Waits until no other thread holds the stripe that {@code selector} picks, and takes it.
   *
   * @return the stripe, to be passed to {@link #release}
   */
  // Waiting is apart, so that those who need not are a few instructions where they are inlined.
  public int claim(long selector) {
    int stripe = of(selector);
    if (!CLAIMS.compareAndSet(claims, at(stripe), 0, 1)) {
      await(at(stripe));
    }
    return stripe;
  }

  // The holder may be waiting for this very core; its work is a few instructions long, or that of
  // writing a file.
  @SuppressWarnings("ThreadPriorityCheck")
  private void await(int at) {
    int spins = 0;
    do {
      if (++spins <= SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else if (spins <= SPINS_BEFORE_PARK) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(PARK_NANOS);
      }
    } while ((int) CLAIMS.getOpaque(claims, at) != 0 || !CLAIMS.compareAndSet(claims, at, 0, 1));
  }

  /** Gives a stripe back. */
  public void release(int stripe) {
    CLAIMS.setRelease(claims, at(stripe), 0);
  }

  /** Takes every stripe, which holds off all that take one. */
  public void claimAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      claim(stripe);
    }
  }

  /** Gives every stripe back. */
  public void releaseAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      release(stripe);
    }
  }

  // The first line holds the array's length, which every thread reads: leave it alone.
  private static int at(int stripe) {
    return (stripe + 1) * LINE;
  }
}
