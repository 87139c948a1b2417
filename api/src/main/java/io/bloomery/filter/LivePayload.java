package io.bloomery.filter;

import io.bloomery.internal.Stripes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntConsumer;

/**
 * The content of a filter in a mapped file that is open for writing, as given to {@link
 * FilterProvider#livePuts}.
 *
 * <p>Bits may only be set, but by {@link #clear}, and only between {@link #lock} and {@link
 * #unlock}, after the MiB that they are in was {@linkplain #touch touched}: its checksum is made
 * again when the file is closed.
 */
public final class LivePayload {

  private static final int MIB_SHIFT = 20;
  private static final int CHUNK = 1 << 16;
  private static final VarHandle TOUCHED = MethodHandles.arrayElementVarHandle(byte[].class);

  private final ByteBuffer[] segments;
  private final long size;
  private final byte[] touched;
  private final IntConsumer check;
  private final Stripes stripes;
  private final boolean isConfined;
  private boolean hasEnded; // guarded by every stripe, or by whoever confines it, but for failures

  /**
   * Creates a content.
   *
   * @param segments mapped buffers; all but the last have the same length, a power of two and a
   *     multiple of 64
   * @param check called with the index of a MiB before it is changed for the first time; it throws
   *     if the MiB is damaged, which a new checksum would hide
   * @param mode whether several threads put at the same time
   */
  public LivePayload(ByteBuffer[] segments, IntConsumer check, ThreadMode mode) {
    this.check = check;
    this.isConfined = mode == ThreadMode.CONFINED;
    this.segments = new ByteBuffer[segments.length];
    long bytes = 0;
    for (int i = 0; i < segments.length; i++) {
      this.segments[i] = segments[i].duplicate().order(ByteOrder.LITTLE_ENDIAN);
      bytes += segments[i].limit();
    }
    this.size = bytes;
    this.touched = new byte[(int) (((bytes - 1) >> MIB_SHIFT) + 1)];
    this.stripes = new Stripes((int) Math.min(bytes / Long.BYTES, Integer.MAX_VALUE));
  }

  /** Returns the size in bytes. */
  public long size() {
    return size;
  }

  /**
   * Returns the content as little-endian buffers, each at most a GiB: all but the last have the
   * same length, a power of two.
   */
  public ByteBuffer[] segments() {
    return segments.clone();
  }

  /** Returns whether one thread puts at a time, so that nothing need be locked or atomic. */
  public boolean isConfined() {
    return isConfined;
  }

  /**
   * Locks the stripe selected by {@code selector}, after waiting until no other thread holds it.
   * Hold one stripe at a time, and briefly.
   *
   * @return the stripe, to be passed to {@link #unlock}
   * @throws FilterUnavailableException if the file is closed, or has failed
   */
  public int lock(long selector) {
    int stripe = isConfined ? 0 : stripes.lock(selector);
    if (hasEnded) {
      unlock(stripe);
      throw new FilterUnavailableException(
          "a key must be put before its file is closed, or has failed; open it again");
    }
    return stripe;
  }

  /** Unlocks a stripe. */
  public void unlock(int stripe) {
    if (!isConfined) {
      stripes.unlock(stripe);
    }
  }

  /**
   * Notes that a word will be changed.
   *
   * @param word its index
   * @throws FilterUnavailableException if the MiB that it is in is damaged
   */
  public void touch(long word) {
    int mib = (int) (word >>> (MIB_SHIFT - 3));
    // Most often it is noted already: a line that is only read stays in the caches of all cores.
    if ((byte) TOUCHED.getAcquire(touched, mib) == 0) {
      touchFirst(mib);
    }
  }

  // One at a time: a MiB is not changed by others while it is compared with its checksum.
  private synchronized void touchFirst(int mib) {
    if (touched[mib] == 0) {
      check.accept(mib);
      TOUCHED.setRelease(touched, mib, (byte) 1);
    }
  }

  /** Notes that every word may have been changed. */
  public void touchAll() {
    for (int i = 0; i < touched.length; i++) {
      touched[i] = 1;
    }
  }

  /** Returns whether a MiB may have been changed; exact once puts have {@linkplain #end ended}. */
  public boolean isTouched(int mib) {
    return touched[mib] != 0;
  }

  /** Sets every byte to zero, while no other thread puts anything. */
  public void clear() {
    touchAll();
    byte[] zeros = new byte[CHUNK];
    for (ByteBuffer segment : segments) {
      for (int at = 0; at < segment.limit(); at += CHUNK) {
        segment.put(at, zeros, 0, Math.min(CHUNK, segment.limit() - at));
      }
    }
  }

  /**
   * Ends puts after an error of the file that a thread may have met between {@link #lock} and
   * {@link #unlock}: nobody waits for a stripe that it left locked.
   */
  public void fail() {
    hasEnded = true;
    stripes.unlockAll();
  }

  /** Ends puts: those in progress have ended when this returns, and all later ones throw. */
  public void end() {
    stripes.lockAll();
    hasEnded = true;
    stripes.unlockAll();
  }
}
