package io.bloomery.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** An input stream over a blocking channel: each read returns at least one byte, or the end. */
final class ChannelInput extends InputStream {

  private final ReadableByteChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocate(0);

  /**
   * Creates a stream that reads from a channel.
   *
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  ChannelInput(ReadableByteChannel channel) {
    BlockingMode.check(channel);
    this.channel = channel;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (bytes != buffer.array()) {
      buffer = ByteBuffer.wrap(bytes);
    }
    buffer.limit(from + length).position(from);
    for (int idle = 0; ; idle++) {
      int read = channel.read(buffer);
      if (read != 0 || length == 0) {
        return read;
      }
      BlockingMode.waitAfter(idle);
    }
  }
}
