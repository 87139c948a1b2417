package io.bloomery.internal;

import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The words of a table, which are copied in ranges. */
@FunctionalInterface
public interface WordRange {

  /** Copies the {@code count} words from index {@code first} on to the beginning of an array. */
  void copy(long first, long[] into, int count);

  /** Returns the words of a table on the heap, to which other threads may write. */
  static WordRange of(long[] words) {
    return (first, into, count) -> {
      VarHandle.loadLoadFence(); // so that a caller that waits for a put reads the words again
      System.arraycopy(words, (int) first, into, 0, count);
    };
  }

  /**
   * Returns the words of a memory-mapped table.
   *
   * @param buffer null if they do not fit into one
   * @param word the word of an index
   */
  static WordRange of(@Nullable LongBuffer buffer, LongUnaryOperator word) {
    if (buffer != null) {
      return (first, into, count) -> buffer.get((int) first, into, 0, count);
    }
    return (first, into, count) -> {
      for (int i = 0; i < count; i++) {
        into[i] = word.applyAsLong(first + i);
      }
    };
  }
}
