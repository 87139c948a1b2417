package io.bloomery.file;

import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** A writer of one filter: its header, payload and trailer. */
final class EnvelopeWriter implements PayloadOutput {

  private static final int BUFFER = 1 << 16;

  private final StoredFilter filter;
  private final OutputStream out;
  private final Trailer trailer = new Trailer();
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private long left = -1;

  private EnvelopeWriter(StoredFilter filter, OutputStream out) {
    this.filter = filter;
    this.out = out;
  }

  static void write(StoredFilter filter, OutputStream out) throws IOException {
    EnvelopeWriter writer = new EnvelopeWriter(filter, out);
    filter.writePayload(writer);
    writer.finish();
  }

  static long size(StoredFilter filter) {
    long payloadSize = filter.payloadSize();
    return FilterHeader.of(filter, payloadSize).headerSize()
        + payloadSize
        + Trailer.size(payloadSize);
  }

  @Override
  public void begin(long size) throws IOException {
    if (left >= 0 || size < 0 || size % Long.BYTES != 0) {
      throw new IllegalStateException(
          "payload must begin once, with a multiple of 8 bytes, but was announced with " + size);
    }
    left = size;
    buffer = ByteBuffer.allocate((int) Math.min(size, BUFFER)).order(ByteOrder.LITTLE_ENDIAN);
    out.write(HeaderFormat.encode(FilterHeader.of(filter, size)));
  }

  @Override
  public void writeLong(long word) throws IOException {
    if (left < Long.BYTES) {
      throw new IllegalStateException("payload must not be longer than announced");
    }
    left -= Long.BYTES;
    buffer.putLong(word);
    if (!buffer.hasRemaining()) {
      flush();
    }
  }

  @Override
  public void writeLongs(long[] words, int from, int to) throws IOException {
    Objects.checkFromToIndex(from, to, words.length);
    if (left < (long) (to - from) * Long.BYTES) {
      throw new IllegalStateException("payload must not be longer than announced");
    }
    left -= (long) (to - from) * Long.BYTES;
    for (int at = from, step; at < to; at += step) {
      step = Math.min(to - at, buffer.remaining() / Long.BYTES);
      buffer.asLongBuffer().put(words, at, step);
      buffer.position(buffer.position() + step * Long.BYTES);
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    trailer.update(buffer.array(), buffer.position());
    out.write(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  private void finish() throws IOException {
    if (left != 0) {
      throw new IllegalStateException("payload must not be shorter than announced");
    }
    flush();
    out.write(trailer.encode());
  }
}
