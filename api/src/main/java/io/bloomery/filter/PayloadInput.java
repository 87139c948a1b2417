package io.bloomery.filter;

import io.bloomery.internal.HeapLimit;
import java.io.IOException;
import java.nio.LongBuffer;

/**
 * The content of a filter, from which a {@link FilterProvider} reads it. Its bytes are not to be
 * trusted.
 */
public interface PayloadInput {

  /** Returns how many bytes were announced in all, a multiple of 8. */
  long size();

  /**
   * Reads the next words. All calls together allocate what they return, or twice that where nobody
   * knows how many bytes are there, and never much more than was read, whatever was announced.
   *
   * @throws FilterFormatException if there are fewer left
   * @throws IOException if they do not fit in memory, which is no fault of the bytes
   */
  long[] readLongs(long count) throws IOException;

  /**
   * Reads the next words as ints: two of each word, the lower half first. Allocates no more than
   * {@link #readLongs} does for as many bytes. This method copies what that returns.
   *
   * @param count how many ints; if it is odd, the upper half of the last word must be zero
   * @throws FilterFormatException if it is not, or if there are fewer words left
   * @throws IOException if they do not fit in memory, which is no fault of the bytes
   */
  default int[] readInts(long count) throws IOException {
    if (count > Integer.MAX_VALUE) {
      throw HeapLimit.tooLow(count * Integer.BYTES, "map the file");
    }
    long[] words = readLongs(count / 2 + count % 2);
    int[] ints = new int[(int) count];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) (words[i / 2] >>> (i % 2 * Integer.SIZE));
    }
    if (count % 2 != 0 && words[words.length - 1] >>> Integer.SIZE != 0) {
      throw malformed("bits behind the last int must be zero, but are not");
    }
    return ints;
  }

  /**
   * Takes the next words as buffers, which are mapped instead of read where the content lies in a
   * memory-mapped file: they cost no memory and no time until they are asked. A buffer is never
   * longer than a GiB, so that there may be several: all but the last have as many words, a power
   * of two and at least 8. No block of up to 64 bytes, counted from the first word, thus lies in
   * two of them. This method reads them as {@link #readLongs} does.
   *
   * @param count at least 1
   * @return buffers that any number of threads may read from by index
   * @throws FilterFormatException if there are fewer words left
   */
  default LongBuffer[] mapLongs(long count) throws IOException {
    int maxWords = 1 << 27; // a GiB
    LongBuffer all = LongBuffer.wrap(readLongs(count)).asReadOnlyBuffer();
    int buffers = (int) ((count + maxWords - 1) / maxWords);
    LongBuffer[] parts = new LongBuffer[buffers];
    for (int i = 0; i < buffers; i++) {
      int from = i * maxWords;
      parts[i] = all.slice(from, (int) Math.min(maxWords, count - from));
    }
    return parts;
  }

  /** Returns an exception about the word that would be read next, for the caller to throw. */
  FilterFormatException malformed(String reason);
}
