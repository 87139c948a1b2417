package io.bloomery.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Computes the manifest entry of a shard from the bytes of its file as they are read or written.
 */
final class ShardSeal {

  private final byte[] head = new byte[HeaderFormat.MAX_LENGTH];
  private final byte[] tail = new byte[Integer.BYTES];
  private long length;

  private void update(byte[] bytes, int from, int count) {
    if (length < head.length) {
      System.arraycopy(
          bytes, from, head, (int) length, (int) Math.min(count, head.length - length));
    }
    int kept = Math.min(count, tail.length);
    System.arraycopy(tail, kept, tail, 0, tail.length - kept);
    System.arraycopy(bytes, from + count - kept, tail, tail.length - kept, kept);
    length += count;
  }

  /** Returns the entry, once all bytes of a filter have been read or written. */
  ShardEntry entry() throws IOException {
    int size = HeaderFormat.length(head);
    ByteBuffer in = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    int trailer = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return new ShardEntry(length, in.getInt(size - Integer.BYTES), trailer);
  }

  /** Returns a stream that writes to another one and passes its bytes here. */
  OutputStream output(OutputStream out) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
        update(bytes, from, count);
      }
    };
  }

  /** Returns a stream that reads from another one and passes its bytes here. */
  InputStream input(InputStream in) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

      @Override
      public int read(byte[] bytes, int from, int count) throws IOException {
        int read = in.read(bytes, from, count);
        if (read > 0) {
          update(bytes, from, read);
        }
        return read;
      }
    };
  }
}
