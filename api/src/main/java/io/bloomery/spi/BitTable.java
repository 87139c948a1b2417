package io.bloomery.spi;

import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.Sizing;
import io.bloomery.internal.Stripes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A bit array of fixed size, which is thread-safe, or for one thread only if {@linkplain
 * ThreadMode#CONFINED confined}.
 *
 * <p>A bit that is set is visible to every later read. The bits of one hash cannot be set in a
 * single atomic step, so a put that must report whether it was the first locks a stripe, which
 * serialises puts of equal hashes:
 *
 * <pre>{@code
 * if (mightContain(hash)) {
 *   return false;                      // nothing written, no cache line taken from other cores
 * }
 * int stripe = table.lock(hash);
 * try {
 *   boolean changed = false;
 *   for (...) {
 *     changed |= table.set(bit);       // no early exit: set all of them
 *   }
 *   return changed;
 * } finally {
 *   table.unlock(stripe);
 * }
 * }</pre>
 */
public final class BitTable {
  // decisions.md#merges-and-saves-read-the-words-of-shared-tables-plainly

  /** The largest number of bits of one table: 2^31 - 8 words of 64. */
  public static final long MAX_BITS = Sizing.MAX_BITS;

  // The number of words copied at a time from a table that others may write to: 32 KiB.
  private static final int CHUNK = 1 << 12;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final @Nullable Stripes stripes; // null when confined

  /**
   * Creates a table of clear bits.
   *
   * @param bits a multiple of 64, at most {@link #MAX_BITS}
   * @throws IllegalArgumentException if {@code bits} is out of range, or exceeds the heap
   */
  public BitTable(long bits, ThreadMode mode) {
    this(allocate(Sizing.words(bits)), mode);
  }

  private BitTable(long[] words, ThreadMode mode) {
    this.words = words;
    this.stripes = mode == ThreadMode.SHARED ? new Stripes(words.length) : null;
  }

  /** Reads a table of {@code bits} bits that {@link #write} wrote. */
  public static BitTable read(long bits, PayloadInput in, ThreadMode mode) throws IOException {
    Objects.requireNonNull(mode, "mode");
    return new BitTable(in.readLongs(Sizing.words(bits)), mode);
  }

  private static long[] allocate(int words) {
    long bytes = (long) words * Long.BYTES;
    if (!HeapLimit.isBelow(bytes)) {
      try {
        return new long[words];
      } catch (OutOfMemoryError e) {
        // A single failed allocation of one array leaves the heap as it was.
      }
    }
    throw HeapLimit.tooLowFor("a table", bytes);
  }

  /** Returns the number of bits. */
  public long sizeInBits() {
    return (long) words.length * Long.SIZE;
  }

  /** Returns the thread mode of this table. */
  public ThreadMode mode() {
    return stripes == null ? ThreadMode.CONFINED : ThreadMode.SHARED;
  }

  /** Returns whether a bit is set. */
  public boolean get(long bit) {
    return ((long) WORDS.getOpaque(words, (int) (bit >>> 6)) >>> bit & 1) != 0;
  }

  /**
   * Sets a bit.
   *
   * @return true if it was clear
   */
  public boolean set(long bit) {
    int word = (int) (bit >>> 6);
    long mask = 1L << bit;
    if (stripes != null) {
      return ((long) WORDS.getAndBitwiseOr(words, word, mask) & mask) == 0;
    }
    long old = words[word];
    words[word] = old | mask;
    return (old & mask) == 0;
  }

  /**
   * Returns the words themselves, not a copy, for loops whose speed matters: bit i is bit {@code i
   * % 64} of word {@code i / 64}. Writes to them change the table. If it is {@link
   * ThreadMode#SHARED}, other threads access them concurrently: use opaque reads, and set bits
   * atomically.
   */
  public long[] sharedWords() {
    return words;
  }

  /**
   * Locks the stripe selected by {@code selector}, waiting until no other thread holds it; does
   * nothing if confined. Hold one stripe at a time, and briefly: waiting threads spin.
   *
   * @return the stripe, to be passed to {@link #unlock}
   */
  public int lock(long selector) {
    return stripes == null ? 0 : stripes.lock(selector);
  }

  /** Unlocks a stripe. */
  public void unlock(int stripe) {
    if (stripes != null) {
      stripes.unlock(stripe);
    }
  }

  /** Counts the bits that are set. */
  public long countSetBits() {
    long count = 0;
    VarHandle.loadLoadFence(); // so that a caller that waits for a put reads the words again
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }

  /** Returns a copy of this table with the same mode. */
  public BitTable copy() {
    long[] copy = allocate(words.length);
    System.arraycopy(words, 0, copy, 0, copy.length);
    return new BitTable(copy, mode());
  }

  /** Returns a table of the same mode with the bits that are set both here and in another. */
  BitTable and(BitTable other) {
    long[] common = allocate(words.length);
    VarHandle.loadLoadFence(); // so that a caller that waits for a put reads the words again
    for (int i = 0; i < common.length; i++) {
      common[i] = words[i] & other.words[i];
    }
    return new BitTable(common, mode());
  }

  /** Clears every bit. */
  public void clear() {
    for (int i = 0; i < words.length; i++) {
      WORDS.setOpaque(words, i, 0L);
    }
  }

  /** Sets every bit that is set in {@code other}, which must have the same size. */
  public void or(BitTable other) {
    if (other.words.length != words.length) {
      throw new IllegalArgumentException(
          "sizes must be equal, but are " + sizeInBits() + " and " + other.sizeInBits() + " bits");
    }
    long[] words = this.words;
    long[] more = other.words;
    if (stripes == null) {
      for (int i = 0; i < words.length; i++) {
        words[i] |= more[i];
      }
      return;
    }
    for (int i = 0; i < words.length; i++) {
      long missing = more[i] & ~words[i];
      if (missing != 0) {
        WORDS.getAndBitwiseOr(words, i, missing);
      }
    }
  }

  /**
   * Returns a table of the same mode, each place of which is the bitwise or of {@code factor}
   * neighbouring places of this one; what is left over at the end is left out.
   *
   * @param bits the number of bits of that table
   */
  BitTable folded(long bits, int factor, int wordsPerPlace) {
    long[] words = this.words;
    long[] folded = allocate(Sizing.words(bits));
    for (int i = 0; i < folded.length; i++) {
      int from = i / wordsPerPlace * factor * wordsPerPlace + i % wordsPerPlace;
      long any = 0;
      for (int j = 0; j < factor; j++) {
        any |= words[from + j * wordsPerPlace];
      }
      folded[i] = any;
    }
    return new BitTable(folded, mode());
  }

  /** Writes the words in order. */
  public void write(PayloadOutput out) throws IOException {
    if (stripes == null) {
      out.writeLongs(words, 0, words.length);
      return;
    }
    long[] chunk = new long[Math.min(words.length, CHUNK)];
    for (int from = 0; from < words.length; from += chunk.length) {
      int size = Math.min(chunk.length, words.length - from);
      System.arraycopy(words, from, chunk, 0, size);
      out.writeLongs(chunk, 0, size);
    }
  }

  /** Returns a word by index. */
  long word(int i) {
    return (long) WORDS.getOpaque(words, i);
  }
}
