package io.bloomery.conformance.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Changes to payloads: 64-bit words, little-endian. */
final class PayloadChanges {

  private PayloadChanges() {}

  private static ByteBuffer littleEndian(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
  }

  static long get(byte[] payload, int word) {
    return littleEndian(payload).getLong(word * Long.BYTES);
  }

  static byte[] with(byte[] payload, int word, long value) {
    byte[] changed = payload.clone();
    littleEndian(changed).putLong(word * Long.BYTES, value);
    return changed;
  }

  /** Sets up to four words, half of them among the first, to other numbers. */
  static byte[] replaceWords(byte[] payload, SplittableRandom random) {
    int words = payload.length / Long.BYTES;
    byte[] changed = payload;
    for (int left = Math.min(words, 1 + random.nextInt(4)); left > 0; left--) {
      int word = random.nextInt(random.nextBoolean() ? words : Math.min(words, 24));
      changed = with(changed, word, Evil.instead(get(changed, word), random));
    }
    return changed;
  }

  /** Moves, repeats, omits or adds some words. */
  static byte[] moveParts(byte[] payload, SplittableRandom random) {
    int words = payload.length / Long.BYTES;
    int from = random.nextInt(words + 1);
    int length = Math.min(random.nextInt(8), words - from);
    int to = random.nextInt(words + 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (random.nextInt(4)) {
      case 0 -> {
        write(out, payload, 0, to);
        write(out, payload, from, from + length);
        write(out, payload, to, words);
      }
      case 1 -> {
        write(out, payload, 0, from);
        write(out, payload, from + length, words);
      }
      case 2 -> {
        int middle = Math.min(from, to);
        write(out, payload, middle, words);
        write(out, payload, 0, middle);
      }
      default -> {
        write(out, payload, 0, words);
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
          byte[] word = new byte[Long.BYTES];
          littleEndian(word).putLong(Evil.instead(random.nextInt(words + 1), random));
          out.writeBytes(word);
        }
      }
    }
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, byte[] payload, int from, int to) {
    out.write(payload, from * Long.BYTES, (to - from) * Long.BYTES);
  }
}
