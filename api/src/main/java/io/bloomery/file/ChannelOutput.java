package io.bloomery.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** An output stream over a blocking channel: each write returns after all bytes were accepted. */
final class ChannelOutput extends OutputStream {

  private final WritableByteChannel channel;

  /**
   * Creates a stream that writes to a channel.
   *
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  ChannelOutput(WritableByteChannel channel) {
    BlockingMode.check(channel);
    this.channel = channel;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
    int idle = 0;
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) > 0) {
        idle = 0;
      } else {
        BlockingMode.waitAfter(idle++);
      }
    }
  }
}
