package io.bloomery.filter;

import io.bloomery.internal.ContentTooLargeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The serialised content of a filter, as read by a {@link FilterProvider}. Its bytes are untrusted.
 */
public interface PayloadInput {

  /** Returns the announced total size in bytes, a multiple of 8. */
  long size();

  /**
   * Reads the next words. All calls together allocate the size of their results, or twice that if
   * the number of available bytes is unknown, and never much more than was read, whatever size was
   * announced.
   *
   * @throws FilterFormatException if fewer words are left
   * @throws IOException if the words do not fit in memory
   */
  long[] readLongs(long count) throws IOException;

  /**
   * Reads the next words as ints: two per word, the lower half first. Implementations allocate no
   * more than {@link #readLongs} does for as many bytes; the default implementation copies its
   * result.
   *
   * @param count the number of ints; if it is odd, the upper half of the last word must be zero
   * @throws FilterFormatException if it is not, or if fewer words are left
   * @throws IOException if the ints do not fit in memory
   */
  default int[] readInts(long count) throws IOException {
    if (count > Integer.MAX_VALUE) {
      throw ContentTooLargeException.of(count * Integer.BYTES);
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
   * Reads the next words as bytes, the lowest byte of each word first. Implementations allocate no
   * more than {@link #readLongs} does for as many bytes; the default implementation copies its
   * result.
   *
   * @throws FilterFormatException if fewer words are left
   * @throws IOException if the bytes do not fit in memory
   */
  default byte[] readBytes(long words) throws IOException {
    if (words > Integer.MAX_VALUE / Long.BYTES) {
      throw ContentTooLargeException.of(words * Long.BYTES);
    }
    byte[] bytes = new byte[(int) words * Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(readLongs(words));
    return bytes;
  }

  /**
   * Returns the next words as buffers. If the content is in a memory-mapped file, the buffers are
   * mapped instead of read, and cost neither memory nor time until they are accessed. A buffer is
   * never longer than a GiB, so that there may be several: all but the last have as many words, a
   * power of two and at least 8. No block of up to 64 bytes, counted from the first word, thus lies
   * in two of them. The default implementation reads them by {@link #readLongs}.
   *
   * @param count at least 1
   * @return buffers that any number of threads may read by index
   * @throws FilterFormatException if fewer words are left
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

  /** Returns an exception about the next word, for the caller to throw. */
  FilterFormatException malformed(String reason);
}
