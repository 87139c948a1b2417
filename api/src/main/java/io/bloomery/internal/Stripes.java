package io.bloomery.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Striped spin locks, each on its own cache line, selected by a number.
 *
 * <p>Writes under a lock are visible to the next thread that locks the same stripe. Locks are not
 * reentrant. A thread that locks several must do so in ascending order.
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
   * Creates one stripe per KiB of a table of {@code words} words, so that small tables stay small,
   * but at most 256.
   */
  public Stripes(int words) {
    int stripes = Math.min(MAX, Integer.highestOneBit(Math.max(1, words / 128)));
    this.mask = stripes - 1;
    this.locks = new int[(stripes + 1) * LINE];
  }

  /** Returns the number of stripes, a power of two. */
  public int size() {
    return mask + 1;
  }

  /**
   * Returns the stripe that {@code selector} selects by its lowest bits, from 0 to {@code size -
   * 1}.
   */
  public int of(long selector) {
    return (int) selector & mask;
  }

  /**
   * Locks the stripe that {@code selector} selects, after waiting until no other thread holds it.
   *
   * @return the stripe, to be passed to {@link #unlock}
   */
  // Waiting is in a separate method, so that the uncontended path is a few instructions when
  // inlined.
  public int lock(long selector) {
    int stripe = of(selector);
    if (!LOCKS.compareAndSet(locks, at(stripe), 0, 1)) {
      await(at(stripe));
    }
    return stripe;
  }

  // The holder may be waiting for this core; it runs only a few instructions, or writes a file.
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
        // parkNanos returns at once if the thread is interrupted, which would keep the core busy.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(PARK_NANOS);
      }
    } while ((int) LOCKS.getOpaque(locks, at) != 0 || !LOCKS.compareAndSet(locks, at, 0, 1));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Unlocks a stripe. */
  public void unlock(int stripe) {
    LOCKS.setRelease(locks, at(stripe), 0);
  }

  /** Locks every stripe, which blocks all other callers. */
  public void lockAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      lock(stripe);
    }
  }

  /** Unlocks every stripe. */
  public void unlockAll() {
    for (int stripe = 0; stripe < size(); stripe++) {
      unlock(stripe);
    }
  }

  // The first cache line holds the length of the array, which every thread reads, and is left
  // unused.
  private static int at(int stripe) {
    return (stripe + 1) * LINE;
  }
}
