package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** The content of a filter in memory: as written, and to be read by the same filter or another. */
public final class Payload implements PayloadInput, PayloadOutput {

  private Runnable meanwhile = () -> {};
  private long announced;
  private long[] words;
  private int position;

  /** Creates a payload that announces a size, whatever is present. */
  public Payload(long announced, long... words) {
    this.announced = announced;
    this.words = words;
  }

  public static Payload of(StoredFilter filter) {
    return of(filter, () -> {});
  }

  /**
   * Returns the content of a filter.
   *
   * @param meanwhile is run while the words of an array are being written
   */
  public static Payload of(StoredFilter filter, Runnable meanwhile) {
    Payload payload = new Payload(0);
    payload.meanwhile = meanwhile;
    try {
      filter.writePayload(payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return payload;
  }

  public long[] words() {
    return words;
  }

  /** Returns the same payload, to be read from its start. */
  public Payload reread() {
    return new Payload(announced, words);
  }

  @Override
  public void begin(long size) {
    announced = size;
    words = new long[Math.toIntExact(size / Long.BYTES)];
  }

  @Override
  public void writeLong(long word) {
    words[position++] = word;
  }

  /** {@inheritDoc} Fails if they change. */
  @Override
  public void writeLongs(long[] from, int begin, int end) {
    System.arraycopy(from, begin, words, position, end - begin);
    meanwhile.run();
    assertTrue(
        Arrays.equals(from, begin, end, words, position, position + end - begin),
        "the words of an array must not change while they are written");
    position += end - begin;
  }

  @Override
  public long size() {
    return announced;
  }

  @Override
  public long[] readLongs(long count) throws FilterFormatException {
    if (count < 0 || count > words.length - position) {
      throw malformed("there are no " + count + " words here");
    }
    int from = position;
    position += (int) count;
    return Arrays.copyOfRange(words, from, position);
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(Reason.INVALID, (long) position * Long.BYTES, reason);
  }
}
