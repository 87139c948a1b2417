package io.bloomery.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Spin locks, each on a cache line of its own, among which a number picks one.
 *
 * <p>What is written under a lock is seen by whoever locks the same stripe next. Locks are not
 * reentrant. Whoever locks several must do so in ascending order.
 */
public final class Stripes {

  private static final VarHandle LOCKS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int LINE = 16; // ints in 64 bytes
  private static final int MAX = 256;
  private static final int SPINS_BEFORE_YIELD = 100;
  private static final int SPINS_BEFORE_PARK = 1_000;
  private static final long PARK_NANOS = 100_000;

  private final int[] locks;
  private final int mask;

  /**
   * Makes one stripe for each KiB of a table of so many words, so that small tables stay small, and
   * at most 256.
   */
  public Stripes(int words) {
    int stripes = Math.min(MAX, Integer.highestOneBit(Math.max(1, words / 128)));
    this.mask = stripes - 1;
    this.locks = new int[(stripes + 1) * LINE];
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
   * @return the stripe, to be passed to {@link #unlock}
   */
  // Waiting is apart, so that those who need not are a few instructions where they are inlined.
  public int lock(long selector) {
    int stripe = of(selector);
    if (!LOCKS.compareAndSet(locks, at(stripe), 0, 1)) {
      await(at(stripe));
    }
    return stripe;
  }

  // The holder may be waiting for this very core; its work is a few instructions long, or that of
  // writing a file.
  @SuppressWarnings("ThreadPriorityCheck")
  private void await(int at) {
    int spins = 0;
    boolean interrupted = false;
    do {
      if (++spins <= SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else if (spins <= SPINS_BEFORE_PARK) {
        Thread.yield();
      } else {
        // An interrupted thread would not be parked, and keep its core busy.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(PARK_NANOS);
      }
    } while ((int) LOCKS.getOpaque(locks, at) != 0 || !LOCKS.compareAndSet(locks, at, 0, 1));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives a stripe back. */
  public void unlock(int stripe) {
    LOCKS.setRelease(locks, at(stripe), 0);
  }

  /** Takes every stripe, which blocks all that take one. */
  public void lockAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      lock(stripe);
    }
  }

  /** Gives every stripe back. */
  public void unlockAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      unlock(stripe);
    }
  }

  // The first line holds the array's length, which every thread reads: leave it alone.
  private static int at(int stripe) {
    return (stripe + 1) * LINE;
  }
}
