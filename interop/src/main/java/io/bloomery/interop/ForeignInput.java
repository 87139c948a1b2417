package io.bloomery.interop;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The input of a foreign filter, which is not read beyond the last byte of the filter. No array is
 * allocated for a length before its bytes are there: arrays grow as bytes are read.
 */
final class ForeignInput {

  private static final int CHUNK = 1 << 16;
  private static final int NOTHING = -2;
  private static final long MAX_WORDS = Integer.MAX_VALUE - 8;

  private final InputStream in;
  private final String format;
  private final long maxBytes;
  private final long decodedFrom; // offset of the bytes that were decoded, or NOTHING
  private long offset;
  private int ahead = NOTHING;

  ForeignInput(InputStream in, String format, long maxBytes) {
    this(in, format, maxBytes, NOTHING);
  }

  private ForeignInput(InputStream in, String format, long maxBytes, long decodedFrom) {
    this.in = in;
    this.format = format;
    this.maxBytes = maxBytes;
    this.decodedFrom = decodedFrom;
  }

  /** Lets offsets begin at one, as of a part of a file. */
  ForeignInput from(long start) {
    offset = start;
    return this;
  }

  long offset() {
    return offset;
  }

  /**
   * Returns an input of bytes that are decoded from those of this one at an offset, which is that
   * of all refusals: offsets of decoded bytes are not those of a file.
   */
  ForeignInput decoded(InputStream bytes, long from) {
    return new ForeignInput(bytes, format, maxBytes, from);
  }

  InputStream stream() {
    return in;
  }

  /** Creates an exception for a value at an offset that no filter of the format has. */
  FilterFormatException refusal(long at, String detail) {
    return refusal(Reason.INVALID, at, detail);
  }

  FilterFormatException refusal(Reason reason, long at, String detail) {
    String refused = format + ": " + detail;
    return decodedFrom == NOTHING
        ? new FilterFormatException(reason, at, refused)
        : new FilterFormatException(
            reason, decodedFrom, refused + ", at byte " + at + " of what was decoded");
  }

  /** Throws unless a condition on the field that begins at {@code at} holds. */
  void require(boolean holds, long at, String what, long is) throws FilterFormatException {
    if (!holds) {
      throw refusal(at, what + ", but is " + is);
    }
  }

  /** Returns whether there are no more bytes, without consuming one. */
  boolean isAtEnd() throws IOException {
    if (ahead == NOTHING) {
      ahead = in.read();
    }
    return ahead < 0;
  }

  /** Returns the next byte, or -1 at the end. */
  int next() throws IOException {
    int b = ahead == NOTHING ? in.read() : ahead;
    ahead = NOTHING;
    if (b >= 0) {
      offset++;
    }
    return b;
  }

  int u8() throws IOException {
    int b = next();
    if (b < 0) {
      throw refusal(Reason.TRUNCATED, offset, "ends within its header");
    }
    return b;
  }

  private long number(int size, boolean bigEndian) throws IOException {
    long number = 0;
    for (int i = 0; i < size; i++) {
      number = bigEndian ? number << 8 | u8() : number | (long) u8() << (8 * i);
    }
    return number;
  }

  int i32(ByteOrder order) throws IOException {
    return (int) number(4, order == ByteOrder.BIG_ENDIAN);
  }

  int i16(ByteOrder order) throws IOException {
    return (short) number(2, order == ByteOrder.BIG_ENDIAN);
  }

  long i64(ByteOrder order) throws IOException {
    return number(8, order == ByteOrder.BIG_ENDIAN);
  }

  /** Reads a variable-length integer of Thrift and protobuf, with seven bits in each byte. */
  long varint() throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int b = u8();
      number |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return number;
      }
    }
    throw refusal(offset, "a number must have at most 10 bytes");
  }

  /** Reads {@code count} words, a length read from offset {@code at}. */
  long[] words(long count, ByteOrder order, long at) throws IOException {
    require(count > 0, at, "words must be at least 1", count);
    require(count <= MAX_WORDS, at, "words must be at most " + MAX_WORDS, count);
    checkSize(8 * count, at);
    VarHandle longs = MethodHandles.byteArrayViewVarHandle(long[].class, order);
    byte[] chunk = new byte[(int) Math.min(CHUNK, 8 * count)];
    long[] words = new long[(int) Math.min(CHUNK / 8, count)];
    int done = 0;
    while (done < count) {
      int part = (int) Math.min(chunk.length / 8, count - done);
      fill(chunk, 8 * part, 8 * count - 8L * done);
      if (done + part > words.length) {
        words = Arrays.copyOf(words, (int) Math.min(count, 2L * words.length));
      }
      for (int i = 0; i < part; i++) {
        words[done + i] = (long) longs.get(chunk, 8 * i);
      }
      done += part;
    }
    return words;
  }

  /** Reads {@code bytes} bytes as words, the last padded with zeros. */
  long[] wordsOfBytes(long bytes, long at) throws IOException {
    long[] words = bytes < 8 ? new long[0] : words(bytes / 8, ByteOrder.LITTLE_ENDIAN, at);
    if (bytes % 8 != 0) {
      words = Arrays.copyOf(words, words.length + 1);
      byte[] last = new byte[(int) (bytes % 8)];
      fill(last, last.length, last.length);
      for (int i = 0; i < last.length; i++) {
        words[words.length - 1] |= (last[i] & 0xffL) << (8 * i);
      }
    }
    return words;
  }

  /** Reads all words to the end of the input. */
  long[] wordsToEnd(ByteOrder order) throws IOException {
    VarHandle longs = MethodHandles.byteArrayViewVarHandle(long[].class, order);
    byte[] chunk = new byte[CHUNK];
    long[] words = new long[CHUNK / 8];
    int done = 0;
    int got;
    do {
      got = in.readNBytes(chunk, 0, CHUNK);
      offset += got;
      checkSize(8L * done + got, 0);
      require(
          got % 8 == 0, offset, "bytes must be a multiple of 8, bytes of the last word", got % 8);
      require(done + got / 8 <= MAX_WORDS, 0, "words must be at most " + MAX_WORDS, done);
      if (done + got / 8 > words.length) {
        words = Arrays.copyOf(words, (int) Math.min(MAX_WORDS, 2L * words.length));
      }
      for (int i = 0; i < got / 8; i++) {
        words[done++] = (long) longs.get(chunk, 8 * i);
      }
    } while (got == CHUNK);
    return Arrays.copyOf(words, done);
  }

  /** Reads ASCII text up to and including a terminator. */
  String text(char end, int limit) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int b = u8(); ; b = u8()) {
      text.append((char) b);
      if (b == end) {
        return text.toString();
      }
      require(text.length() < limit, 0, "text must have at most " + limit + " bytes", offset);
      // Base64 takes four characters for three bytes.
      checkSize(text.length() / 4 * 3L - 64, 0);
    }
  }

  /** Reads all bytes to the end of the input, unless there are more than a limit. */
  byte[] rest(int limit) throws IOException {
    byte[] rest = in.readNBytes(limit + 1);
    if (rest.length > limit) {
      throw refusal(offset, "attached data must have at most " + limit + " bytes, but has more");
    }
    offset += rest.length;
    return rest;
  }

  private void fill(byte[] into, int size, long stillDue) throws IOException {
    int got = in.readNBytes(into, 0, size);
    offset += got;
    if (got < size) {
      throw refusal(
          Reason.TRUNCATED,
          offset,
          "its table is cut off: " + (stillDue - got) + " more bytes are announced");
    }
  }

  /** Rejects a table larger than the caller allows. */
  void checkSize(long bytes, long at) throws FilterFormatException {
    if (bytes > maxBytes) {
      throw refusal(
          at, "its table must have at most " + maxBytes + " bytes, as asked for, but has " + bytes);
    }
  }
}
