package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import java.nio.LongBuffer;

/** The content of a filter in memory that simulates a mapped file, in segments of any size. */
public final class MappedWords implements PayloadInput {

  private final long[] words;
  private final int segment;
  private int position;

  /**
   * Creates a payload.
   *
   * @param segment the number of words of a buffer, a power of two and at least 8
   */
  public MappedWords(long[] words, int segment) {
    this.words = words;
    this.segment = segment;
  }

  @Override
  public long size() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public long[] readLongs(long count) throws FilterFormatException {
    long[] read = new long[take(count)];
    System.arraycopy(words, position - read.length, read, 0, read.length);
    return read;
  }

  @Override
  public LongBuffer[] mapLongs(long count) throws FilterFormatException {
    int size = take(count);
    int from = position - size;
    LongBuffer[] buffers = new LongBuffer[(int) (((long) size + segment - 1) / segment)];
    for (int i = 0; i < buffers.length; i++) {
      int done = i * segment;
      buffers[i] =
          LongBuffer.wrap(words, from + done, Math.min(segment, size - done))
              .slice()
              .asReadOnlyBuffer();
    }
    return buffers;
  }

  private int take(long count) throws FilterFormatException {
    if (count < 0 || count > words.length - position) {
      throw malformed("there are no " + count + " words here");
    }
    position += (int) count;
    return (int) count;
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(Reason.INVALID, (long) position * Long.BYTES, reason);
  }
}
