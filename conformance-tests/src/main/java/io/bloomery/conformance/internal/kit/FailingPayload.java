package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;

/**
 * The content of a filter, to be read or written, the first transfer of which beyond some word
 * fails, whatever the call. Later transfers do not: one who tries again seems to succeed.
 */
public final class FailingPayload implements PayloadInput, PayloadOutput {

  private final Payload inner;
  private final IOException failure;
  private int left;
  private boolean hasFailed;

  /**
   * Creates a payload.
   *
   * @param at the number of words that are transferred before the failure
   */
  public FailingPayload(long[] words, int at, IOException failure) {
    this.inner = new Payload((long) Long.BYTES * words.length, words);
    this.left = at;
    this.failure = failure;
  }

  /** Returns a payload that does not fail. */
  public static FailingPayload right(long[] words) {
    return new FailingPayload(words, Integer.MAX_VALUE, new IOException("never"));
  }

  public IOException failure() {
    return failure;
  }

  /** Returns whether it has failed by now. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** Returns what was written, or is read. */
  public long[] words() {
    return inner.words();
  }

  private void take(long words) throws IOException {
    if (words > left && !hasFailed) {
      hasFailed = true;
      throw failure;
    }
    left -= (int) Math.min(words, left);
  }

  @Override
  public long size() {
    return inner.size();
  }

  @Override
  public long[] readLongs(long count) throws IOException {
    take(count);
    return inner.readLongs(count);
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return inner.malformed(reason);
  }

  @Override
  public void begin(long size) throws IOException {
    if (left == 0) {
      take(1);
    }
    inner.begin(size);
  }

  @Override
  public void writeLong(long word) throws IOException {
    take(1);
    inner.writeLong(word);
  }

  @Override
  public void writeLongs(long[] words, int from, int to) throws IOException {
    take(to - from);
    inner.writeLongs(words, from, to);
  }

  @Override
  public String toString() {
    return "an input or output fails with " + failure;
  }
}
