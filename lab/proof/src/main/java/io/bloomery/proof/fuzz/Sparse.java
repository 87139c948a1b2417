package io.bloomery.proof.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The inputs of files that are mostly zeros: parts of a u16 number of zeros, a u16 number of bytes,
 * and these. Most mutations of a file of blocks would change a zero that must be one.
 */
final class Sparse {

  private static final int RUN = 32;
  private static final int MOST = 1 << 17;
  private static final int LONGEST = 0xffff;

  private Sparse() {}

  /** Returns the file of an input; all inputs have one. */
  static byte[] expand(byte[] input) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ByteBuffer in = ByteBuffer.wrap(input);
    while (in.remaining() >= 2 * Short.BYTES && file.size() < MOST) {
      file.writeBytes(new byte[Short.toUnsignedInt(in.getShort())]);
      byte[] part = new byte[Math.min(Short.toUnsignedInt(in.getShort()), in.remaining())];
      in.get(part);
      file.writeBytes(part);
    }
    return file.toByteArray();
  }

  /** Returns the input of a file. */
  static byte[] condense(byte[] file) {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    int at = 0;
    while (at < file.length) {
      int from = at;
      while (from < file.length && from - at < LONGEST && file[from] == 0) {
        from++;
      }
      int to = from;
      while (to < file.length && to - from < LONGEST && !isRun(file, to)) {
        to++;
      }
      input.writeBytes(
          ByteBuffer.allocate(2 * Short.BYTES)
              .putShort((short) (from - at))
              .putShort((short) (to - from))
              .array());
      input.write(file, from, to - from);
      at = to;
    }
    return input.toByteArray();
  }

  private static boolean isRun(byte[] file, int at) {
    int to = Math.min(file.length, at + RUN);
    return Arrays.equals(file, at, to, new byte[to - at], 0, to - at);
  }
}
