package io.bloomery.file;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** An input stream of the remaining bytes of a buffer. */
final class BufferInput extends InputStream {

  private final ByteBuffer buffer;

  BufferInput(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public int read() {
    return buffer.hasRemaining() ? Byte.toUnsignedInt(buffer.get()) : -1;
  }

  @Override
  public int read(byte[] bytes, int from, int length) {
    if (length > 0 && !buffer.hasRemaining()) {
      return -1;
    }
    int read = Math.min(length, buffer.remaining());
    buffer.get(bytes, from, read);
    return read;
  }
}
