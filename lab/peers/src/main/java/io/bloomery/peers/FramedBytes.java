package io.bloomery.peers;

import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The encoding of bytes in a payload of words: their number, then the bytes, padded with zeros. */
final class FramedBytes {

  private FramedBytes() {}

  static long size(byte[] bytes) {
    return Long.BYTES + (bytes.length + Long.BYTES - 1L) / Long.BYTES * Long.BYTES;
  }

  static void pack(byte[] bytes, PayloadOutput out) throws IOException {
    long size = size(bytes);
    out.begin(size);
    out.writeLong(bytes.length);
    ByteBuffer words =
        ByteBuffer.allocate((int) size - Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).put(bytes);
    words.rewind();
    while (words.hasRemaining()) {
      out.writeLong(words.getLong());
    }
  }

  static byte[] unpack(PayloadInput in) throws IOException {
    if (in.size() < Long.BYTES) {
      throw in.malformed("there must be a length");
    }
    long length = in.readLongs(1)[0];
    long room = in.size() - Long.BYTES;
    if (length < 0 || length > room || room - length >= Long.BYTES) {
      throw in.malformed("a length of " + length + " is not that of " + room + " bytes");
    }
    ByteBuffer words = ByteBuffer.allocate((int) room).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : in.readLongs(room / Long.BYTES)) {
      words.putLong(word);
    }
    byte[] bytes = new byte[(int) length];
    words.rewind().get(bytes);
    while (words.hasRemaining()) {
      if (words.get() != 0) {
        throw in.malformed("what follows the bytes must be zero");
      }
    }
    return bytes;
  }

  /** Writes the serialised form of a peer. */
  interface Writer {
    void write(ByteArrayOutputStream out) throws IOException;
  }

  static byte[] written(Writer writer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      writer.write(out);
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return out.toByteArray();
  }

  /** Returns a hash as eight bytes, little-endian, for peers whose keys are bytes. */
  static byte[] bytes(long hash) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(hash).array();
  }

  /** Returns words as bytes, little-endian. */
  static byte[] bytes(long... words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }

  /** Returns bytes as words, little-endian. */
  static long[] words(byte... bytes) {
    long[] words = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }

  /** Returns the number of set bits from a byte on. */
  static long setBits(byte[] bytes, int from) {
    long set = 0;
    for (int i = from; i < bytes.length; i++) {
      set += Integer.bitCount(bytes[i] & 0xff);
    }
    return set;
  }

  /** Returns the number of set bits. */
  static long setBits(long... words) {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    return set;
  }
}
