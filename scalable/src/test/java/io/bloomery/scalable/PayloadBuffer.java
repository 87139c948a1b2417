package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** A filter's payload in memory. */
final class PayloadBuffer implements PayloadInput, PayloadOutput {

  private long[] words;
  private int position;

  PayloadBuffer(long... words) {
    this.words = words;
  }

  static long[] of(Filter filter) {
    PayloadBuffer payload = new PayloadBuffer();
    try {
      filter.writePayload(payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (payload.position != payload.words.length) {
      throw new AssertionError("announced " + payload.words.length + ", not " + payload.position);
    }
    return payload.words;
  }

  /** Returns how many keys have changed each layer, as the payload says. */
  static long[] keys(Filter filter) {
    long[] words = of(filter);
    long[] keys = new long[(int) words[0]];
    Arrays.setAll(keys, i -> words[4 + 4 * i]);
    return keys;
  }

  @Override
  public void begin(long size) {
    if (words.length > 0) {
      throw new AssertionError("begun twice");
    }
    words = new long[Math.toIntExact(size / Long.BYTES)];
  }

  @Override
  public void writeLong(long word) {
    words[position++] = word;
  }

  @Override
  public long size() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public long[] readLongs(long count) throws FilterFormatException {
    if (count < 0 || count > words.length - position) {
      throw malformed("there are no " + count + " words here");
    }
    position += (int) count;
    return Arrays.copyOfRange(words, position - (int) count, position);
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(Reason.INVALID, (long) position * Long.BYTES, reason);
  }
}
