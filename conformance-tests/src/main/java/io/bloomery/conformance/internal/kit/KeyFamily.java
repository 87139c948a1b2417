package io.bloomery.conformance.internal.kit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * A family of similar keys, as in real data, or as constructed by someone who knows weak hash
 * functions.
 *
 * @param name the property that they share
 * @param hasher the hasher of the keys
 * @param size the number of keys
 * @param keys returns a key by its number; all are distinct
 */
public record KeyFamily<K>(
    String name, KeyHasher<? super K> hasher, int size, IntFunction<K> keys) {

  private static final int MANY = 300_000;
  private static final int COLLIDING_PAIRS = 15;

  public K key(int number) {
    return keys.apply(number);
  }

  public static List<KeyFamily<?>> all() {
    List<KeyFamily<?>> families = new ArrayList<>();
    KeyHasher<Integer> ints = KeyHasher.ints();
    KeyHasher<Long> longs = KeyHasher.longs();
    families.add(many("ints", ints, i -> i));
    families.add(many("longs", longs, i -> (long) i));
    families.add(many("negative longs", longs, i -> -1L - i));
    families.add(many("even longs", longs, i -> 2L * i));
    for (int shift = 7; shift < 48; shift += 8) {
      int zeros = shift;
      int different = (int) Math.min(MANY, 1L << (Long.SIZE - shift));
      families.add(
          new KeyFamily<>("multiples of 2^" + shift, longs, different, i -> (long) i << zeros));
    }
    families.add(many("longs of two equal halves", longs, i -> (long) i << 32 | i));
    families.add(many("longs of equal low halves", longs, i -> (long) i << 32 | 0x1234_5678));
    families.add(many("doubles", longs, i -> Double.doubleToLongBits(i)));
    families.add(many("uuids", KeyHasher.uuids(), i -> new UUID(0, i)));
    families.add(many("decimal numbers", KeyHasher.strings(), Integer::toString));
    families.add(many("ints of four bytes", KeyHasher.byteArrays(), KeyFamily::bigEndian));
    String kilobyte = "https://example.org/a/path/that/every/key/shares/".repeat(21);
    families.add(many("shared prefix of a KiB", KeyHasher.strings(), i -> kilobyte + i));
    families.add(many("shared suffix", KeyHasher.strings(), i -> i + "@mail.example.org"));
    families.add(many("equal first 16 bytes", KeyHasher.strings(), i -> "0123456789abcdef" + i));
    families.add(
        new KeyFamily<>("zeros of every length", KeyHasher.byteArrays(), 6_000, byte[]::new));
    families.add(
        new KeyFamily<>("one bit in 4 KiB", KeyHasher.byteArrays(), 1 << 15, KeyFamily::oneBit));
    families.add(many("two bits in 128 bytes", KeyHasher.byteArrays(), KeyFamily::twoBits));
    families.add(many("bytes of 0x80 and more", KeyHasher.byteArrays(), KeyFamily::highBytes));
    families.add(
        new KeyFamily<>(
            "equal String.hashCode",
            KeyHasher.strings(),
            1 << COLLIDING_PAIRS,
            KeyFamily::colliding));
    // Unpaired surrogates cannot be encoded in UTF-8, and must not all become the same question
    // mark.
    families.add(
        new KeyFamily<>(
            "lone surrogates",
            KeyHasher.strings(),
            1 << 20,
            i -> surrogate(i >> 10) + surrogate(i)));
    return families;
  }

  private static <K> KeyFamily<K> many(
      String name, KeyHasher<? super K> hasher, IntFunction<K> keys) {
    return new KeyFamily<>(name, hasher, MANY, keys);
  }

  private static byte[] bigEndian(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.BIG_ENDIAN).putInt(number).array();
  }

  private static byte[] oneBit(int number) {
    byte[] bytes = new byte[1 << 12];
    bytes[number / Byte.SIZE] = (byte) (1 << number % Byte.SIZE);
    return bytes;
  }

  /** Returns a key with two bits set, which are in different halves and count up there. */
  private static byte[] twoBits(int number) {
    byte[] bytes = new byte[128];
    int half = Byte.SIZE * bytes.length / 2;
    int low = number % half;
    int high = half + (number / half) % half;
    bytes[low / Byte.SIZE] = (byte) (1 << low % Byte.SIZE);
    bytes[high / Byte.SIZE] |= (byte) (1 << high % Byte.SIZE);
    // There are 2^18 such pairs; further keys use an additional byte.
    bytes[bytes.length / 2 - 1] |= (byte) ((number / (half * half)) << 1);
    return bytes;
  }

  private static byte[] highBytes(int number) {
    byte[] bytes = new byte[6];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (0x80 | ((number >>> (7 * i)) & 0x7f));
    }
    return bytes;
  }

  /**
   * Returns a word of "Aa" and "BB", which have equal hash codes, and so do all such words of equal
   * length.
   */
  private static String colliding(int number) {
    byte[] letters = new byte[2 * COLLIDING_PAIRS];
    Arrays.fill(letters, (byte) 'B');
    for (int i = 0; i < COLLIDING_PAIRS; i++) {
      if (((number >>> i) & 1) == 0) {
        letters[2 * i] = 'A';
        letters[2 * i + 1] = 'a';
      }
    }
    return new String(letters, US_ASCII);
  }

  private static String surrogate(int number) {
    return Character.toString((char) (Character.MIN_HIGH_SURROGATE + (number & 0x3ff)));
  }
}
