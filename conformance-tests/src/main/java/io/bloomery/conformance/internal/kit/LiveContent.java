package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The content of an empty filter in memory that simulates a mapped file open for writing. */
public final class LiveContent {

  private final ByteBuffer[] segments;
  private final LivePayload payload;

  /**
   * Creates a content of zeros.
   *
   * @param segment the number of bytes of a buffer, a power of two and at least 64
   */
  public LiveContent(long bytes, int segment, ThreadMode mode) {
    segments = new ByteBuffer[(int) ((bytes + segment - 1) / segment)];
    for (int i = 0; i < segments.length; i++) {
      int size = (int) Math.min(segment, bytes - (long) i * segment);
      segments[i] = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
    }
    payload = new LivePayload(segments, mib -> {}, mode);
  }

  public LivePayload payload() {
    return payload;
  }

  public long[] words() {
    return Arrays.stream(buffers())
        .flatMapToLong(words -> IntStream.range(0, words.limit()).mapToLong(words::get))
        .toArray();
  }

  private LongBuffer[] buffers() {
    return Arrays.stream(segments)
        .map(each -> each.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer())
        .toArray(LongBuffer[]::new);
  }

  /** Returns the same content as a file that is mapped for queries, whole. */
  public PayloadInput mapped() {
    return new PayloadInput() {
      @Override
      public long size() {
        return payload.size();
      }

      @Override
      public long[] readLongs(long count) throws FilterFormatException {
        throw malformed("a mapped file must not be read");
      }

      @Override
      public LongBuffer[] mapLongs(long count) throws FilterFormatException {
        if (count != payload.size() / Long.BYTES) {
          throw malformed("there are " + payload.size() + " bytes, not " + count + " words");
        }
        return buffers();
      }

      @Override
      public FilterFormatException malformed(String reason) {
        return new FilterFormatException(Reason.INVALID, 0L, reason);
      }
    };
  }
}
