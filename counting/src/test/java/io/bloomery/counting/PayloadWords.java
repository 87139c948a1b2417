package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The content of a filter as the words of its payload. */
final class PayloadWords {

  private PayloadWords() {}

  static long[] of(Filter filter) {
    Recorder recorder = new Recorder();
    try {
      filter.writePayload(recorder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (recorder.next != recorder.words.length) {
      throw new IllegalStateException("wrote " + recorder.next + " of " + recorder.words.length);
    }
    return recorder.words;
  }

  /** Returns words with so many edits that a hostile file may have, or if none, any words. */
  static long[] changed(long[] words, int length, long seed, int edits) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] changed =
        edits == 0 ? random.longs(length).toArray() : Arrays.copyOf(words, words.length);
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(changed.length);
      changed[at] =
          switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(130);
            case 2 -> changed[random.nextInt(changed.length)];
            default -> changed[at] ^ 1L << random.nextInt();
          };
    }
    return changed;
  }

  private static final class Recorder implements PayloadOutput {

    private long[] words;
    private int next;

    @Override
    public void begin(long size) {
      words = new long[Math.toIntExact(size / Long.BYTES)];
    }

    @Override
    public void writeLong(long word) {
      words[next++] = word;
    }
  }

  static final class Input implements PayloadInput {

    private final long[] words;
    private int next;

    Input(long[] words) {
      this.words = words;
    }

    @Override
    public long size() {
      return (long) words.length * Long.BYTES;
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      if (count > words.length - next) {
        throw malformed(count + " more words announced than there are");
      }
      next += (int) count;
      return Arrays.copyOfRange(words, next - (int) count, next);
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, (long) next * Long.BYTES, reason);
    }
  }
}
