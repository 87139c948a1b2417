package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;

/** The compact protocol of Thrift, of which only the fields that are asked for are kept. */
final class ThriftInput {

  static final int I32 = 5;
  static final int I64 = 6;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int STRUCT = 12;

  private static final int MAX_DEPTH = 16;
  private static final int MAX_TEXT = 1 << 16; // of a name that is kept

  private final ForeignInput in;
  private final long end;
  private int depth;

  /**
   * Creates an input.
   *
   * @param most the most bytes that there may be
   */
  ThriftInput(ForeignInput in, long most) {
    this.in = in;
    this.end = in.offset() + most;
  }

  /** Reads the value of a field, or returns false to have it skipped. */
  interface Field {
    boolean read(int field, int type) throws IOException;
  }

  /** Reads an element of a list. */
  interface Element {
    void read() throws IOException;
  }

  void struct(Field reader) throws IOException {
    enter();
    int field = 0;
    for (int b = u8(); b != 0; b = u8()) {
      field = b >>> 4 == 0 ? (int) zigzag() : field + (b >>> 4);
      if (!reader.read(field, b & 0xf)) {
        skip(b & 0xf);
      }
    }
    depth--;
  }

  /** Reads a list, and each of its elements if they are of a type. */
  void list(int type, Element reader) throws IOException {
    enter();
    long at = in.offset();
    int head = u8();
    long size = head >>> 4 == 15 ? in.varint() : head >>> 4;
    in.require(size >= 0, at, "elements of a list must be at least 0", size);
    in.require(
        size == 0 || type == 0 || (head & 0xf) == type,
        at,
        "elements of the list must be of Thrift type " + type,
        head & 0xf);
    for (long i = 0; i < size; i++) {
      if (type == 0) {
        skipElement(head & 0xf);
      } else {
        reader.read();
      }
    }
    depth--;
  }

  private void enter() throws IOException {
    if (++depth > MAX_DEPTH) {
      throw in.refusal(in.offset(), "structs must be at most " + MAX_DEPTH + " deep");
    }
  }

  int u8() throws IOException {
    if (in.offset() >= end) { // the message is not made for every byte
      throw in.refusal(end, "must end at byte " + end + ", but goes on");
    }
    return in.u8();
  }

  long zigzag() throws IOException {
    long number = in.varint();
    return number >>> 1 ^ -(number & 1);
  }

  /** Reads a text, its bytes as Latin-1. */
  byte[] text() throws IOException {
    long at = in.offset();
    long length = in.varint();
    in.require(
        length >= 0 && length <= MAX_TEXT, at, "a name must have at most 65536 bytes", length);
    in.require(length <= end - in.offset(), at, "a name must end within the header", length);
    byte[] text = new byte[(int) length];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) u8();
    }
    return text;
  }

  /** In a list, a truth value has a byte. */
  private void skipElement(int type) throws IOException {
    if (type == 1 || type == 2) {
      u8();
    } else {
      skip(type);
    }
  }

  private void skip(int type) throws IOException {
    switch (type) {
      case 1, 2 -> {} // the value is the type
      case 3 -> u8();
      case 4, I32, I64 -> in.varint();
      case 7 -> in.i64(LITTLE_ENDIAN);
      case BINARY -> skipBytes();
      case LIST, 10 -> list(0, () -> {});
      case 11 -> skipMap();
      case STRUCT -> struct((field, member) -> false);
      default -> throw in.refusal(in.offset() - 1, "has a field of Thrift type " + type);
    }
  }

  private void skipBytes() throws IOException {
    long at = in.offset();
    long length = in.varint();
    in.require(length >= 0, at, "bytes of a text must be at least 0", length);
    for (long i = 0; i < length; i++) {
      u8();
    }
  }

  private void skipMap() throws IOException {
    enter();
    long size = in.varint();
    int types = size == 0 ? 0 : u8();
    for (long i = 0; i < size; i++) {
      skipElement(types >>> 4);
      skipElement(types & 0xf);
    }
    depth--;
  }
}
