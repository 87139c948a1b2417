package io.bloomery.spi;

import io.bloomery.filter.LivePayload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A thread-safe bit array in a memory-mapped file that is open for writing: bits are set in the
 * file itself, and seen by every process that maps it. {@link #mapped} reads it.
 *
 * <p>A put locks a stripe and sets its bits as in a {@link BitTable}.
 */
public final class LiveTable {

  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int WORD_SHIFT = 3; // of an index of bytes

  // Segments for atomic writes, and long buffers for all else: they take a quarter of the time.
  private final LivePayload payload;
  private final ByteBuffer[] segments;
  private final LongBuffer[] words;
  private final ByteBuffer first;
  private final LongBuffer firstWords;
  private final boolean isOne;
  private final boolean isConfined;
  private final int shift;
  private final int mask;

  /** Creates a table of all words of a content, whose size must be a multiple of 8 bytes. */
  public LiveTable(LivePayload payload) {
    this.payload = payload;
    this.segments = payload.segments();
    this.words = new LongBuffer[segments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = segments[i].asLongBuffer();
    }
    this.first = segments[0];
    this.firstWords = words[0];
    this.isOne = segments.length == 1;
    this.isConfined = payload.isConfined();
    int length = isOne ? 1 << 31 : firstWords.limit();
    this.shift = Integer.numberOfTrailingZeros(length);
    this.mask = length - 1;
  }

  /** Returns the number of bits. */
  public long sizeInBits() {
    return payload.size() * Byte.SIZE;
  }

  /** Returns the same bits, read-only. */
  public MappedTable mapped() {
    LongBuffer[] readOnly = new LongBuffer[segments.length];
    for (int i = 0; i < readOnly.length; i++) {
      // Of the class that a mapped file has, so that queries of both are compiled alike.
      readOnly[i] = segments[i].asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
    return new MappedTable(readOnly);
  }

  /** Returns a word by a plain read. */
  public long word(int index) {
    return words(index).get(index & mask);
  }

  /**
   * Takes what was read of words that will be needed soon, to have them in the cache: of what is
   * not used, compilers leave out the reads, even opaque ones.
   *
   * @param any the words, joined in any way
   */
  public void prefetched(long any) {
    if (any == 0x9e3779b97f4a7c15L) { // nearly never
      Thread.onSpinWait();
    }
  }

  /**
   * Sets bits of a word atomically, if several threads put.
   *
   * @return those that were clear
   */
  public long or(int index, long bits) {
    if (isConfined) {
      return orLocked(index, bits);
    }
    ByteBuffer segment = segment(index);
    int at = at(index);
    if ((bits & ~(long) WORDS.getOpaque(segment, at)) == 0) {
      return 0;
    }
    payload.touch(index);
    return bits & ~(long) WORDS.getAndBitwiseOr(segment, at, bits);
  }

  /**
   * Sets bits of a word that no other thread writes to meanwhile, as all that do lock the same
   * stripe.
   *
   * @return those that were clear
   */
  public long orLocked(int index, long bits) {
    LongBuffer segment = words(index);
    int at = index & mask;
    long old = segment.get(at);
    // Nobody can tell beforehand whether one of these bits is set: a branch would cost more.
    payload.touch(index);
    segment.put(at, old | bits);
    return bits & ~old;
  }

  private ByteBuffer segment(int index) {
    return isOne ? first : segments[index >>> shift];
  }

  private int at(int index) {
    return (index & mask) << WORD_SHIFT;
  }

  private LongBuffer words(int index) {
    return isOne ? firstWords : words[index >>> shift];
  }

  /**
   * Locks the stripe selected by {@code selector}, as {@link BitTable#lock} does.
   *
   * @return the stripe, to be passed to {@link #unlock}
   * @throws io.bloomery.filter.FilterUnavailableException if the file is closed
   */
  public int lock(long selector) {
    return payload.lock(selector);
  }

  /** Unlocks a stripe. */
  public void unlock(int stripe) {
    payload.unlock(stripe);
  }
}
