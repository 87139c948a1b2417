package io.bloomery.interop;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Base64;

/**
 * The bytes of a filter as text in Base64, in which systems keep it in JSON and in footers: to the
 * end of the input, with white space at its end when it is read.
 */
final class Base64Text extends InputStream {

  private static final byte[] VALUES = new byte[128];

  static {
    Arrays.fill(VALUES, (byte) -1);
    for (int i = 0; i < 64; i++) {
      VALUES["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charAt(i)] =
          (byte) i;
    }
  }

  private final ForeignInput in;
  private int bits;
  private int held;
  private boolean isOver;

  private Base64Text(ForeignInput in) {
    this.in = in;
  }

  static ForeignTable read(ForeignInput in, ForeignFormat.Reader reader) throws IOException {
    ForeignInput decoded = in.decoded(new Base64Text(in), 0);
    ForeignTable table = reader.read(decoded);
    if (decoded.next() >= 0) {
      throw in.refusal(in.offset(), "must end with the table, but more bytes follow");
    }
    return table;
  }

  static void write(ForeignOutput out, ForeignOutput.Writing writing) throws IOException {
    OutputStream open =
        new FilterOutputStream(out.stream()) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
          }

          @Override
          public void close() {
            // what is underneath stays open
          }
        };
    try (OutputStream encoded = Base64.getEncoder().wrap(open)) {
      writing.to(new ForeignOutput(encoded));
    }
  }

  @Override
  public int read() throws IOException {
    while (held < 8) {
      int c = isOver ? -1 : in.next();
      if (c < 0 || c == '=' || isSpace(c)) {
        end(c);
        return -1;
      }
      int value = c < VALUES.length ? VALUES[c] : -1;
      if (value < 0) {
        throw in.refusal(in.offset() - 1, "must be Base64, but has byte " + c);
      }
      bits = bits << 6 | value;
      held += 6;
    }
    held -= 8;
    return bits >>> held & 0xff;
  }

  /** Reads all, unlike the inherited method, which keeps exceptions to itself. */
  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      int b = read();
      if (b < 0) {
        return i == 0 ? -1 : i;
      }
      into[from + i] = (byte) b;
    }
    return length;
  }

  private static boolean isSpace(int c) {
    return " \t\r\n".indexOf(c) >= 0;
  }

  /** Reads the padding and white space, of which the first is {@code first}, to the end. */
  private void end(int first) throws IOException {
    if (isOver) {
      return;
    }
    isOver = true;
    int padding = 0;
    int c = first;
    for (; c == '='; c = in.next()) {
      padding++;
    }
    while (c >= 0 && isSpace(c)) {
      c = in.next();
    }
    if (c >= 0 || held >= 6 || 2 * padding != held || (bits & (1 << held) - 1) != 0) {
      throw in.refusal(in.offset(), "must end as Base64 does, in a multiple of 4 characters");
    }
    held = 0;
  }
}
