package io.bloomery.interop;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** A stream of the remaining bytes of a buffer, which advances its position. */
final class BufferStream extends InputStream {

  private final ByteBuffer buffer;

  BufferStream(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public int read() {
    return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) {
    if (length == 0) {
      return 0;
    }
    int size = Math.min(length, buffer.remaining());
    buffer.get(into, from, size);
    return size == 0 ? -1 : size;
  }

  @Override
  public int available() {
    return buffer.remaining();
  }
}
