package io.bloomery.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The output of a foreign filter, with methods for its numbers. */
final class ForeignOutput {

  private final OutputStream out;

  ForeignOutput(OutputStream out) {
    this.out = out;
  }

  OutputStream stream() {
    return out;
  }

  void u8(int b) throws IOException {
    out.write(b);
  }

  void i16(int number, ByteOrder order) throws IOException {
    out.write(ByteBuffer.allocate(2).order(order).putShort((short) number).array());
  }

  void i32(long number, ByteOrder order) throws IOException {
    out.write(ByteBuffer.allocate(4).order(order).putInt((int) number).array());
  }

  void i64(long number, ByteOrder order) throws IOException {
    out.write(ByteBuffer.allocate(8).order(order).putLong(number).array());
  }

  void bytes(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  void words(long[] words, ByteOrder order) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(1 << 16).order(order);
    for (long word : words) {
      chunk.putLong(word);
      if (!chunk.hasRemaining()) {
        out.write(chunk.array());
        chunk.clear();
      }
    }
    out.write(chunk.array(), 0, chunk.position());
  }

  /** Writes a number of bytes of the words from one on, the lowest byte of each first. */
  void bytes(long[] words, int from, long count) throws IOException {
    int whole = from + (int) (count / 8);
    words(Arrays.copyOfRange(words, from, whole), ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count % 8; i++) {
      out.write((int) (words[whole] >>> (8 * i)));
    }
  }

  /** Writes a variable-length integer of Thrift and protobuf, with seven bits in each byte. */
  void varint(long number) throws IOException {
    long rest = number;
    while (rest >>> 7 != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writing.to(new ForeignOutput(bytes));
    return bytes.toByteArray();
  }

  /** An operation that writes to an output. */
  @FunctionalInterface
  interface Writing {
    void to(ForeignOutput out) throws IOException;
  }
}
