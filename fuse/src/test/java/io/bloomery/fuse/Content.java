package io.bloomery.fuse;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.util.Arrays;

/** The content of a filter as words, to be changed and read again. */
final class Content implements PayloadOutput, PayloadInput {

  long[] words = {};
  private int next;

  static Content of(StoredFilter filter) throws IOException {
    Content content = new Content();
    filter.writePayload(content);
    content.next = 0;
    return content;
  }

  @Override
  public void begin(long size) {
    words = new long[(int) (size / Long.BYTES)];
  }

  @Override
  public void writeLong(long word) {
    words[next++] = word;
  }

  @Override
  public long size() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public long[] readLongs(long count) {
    next += (int) count;
    return Arrays.copyOfRange(words, next - (int) count, next);
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(Reason.INVALID, 0, reason);
  }
}
