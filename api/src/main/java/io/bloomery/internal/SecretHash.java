package io.bloomery.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * 64-bit SipHash-2-4 with a key derived from a secret: without the secret its values cannot be
 * predicted, and so keys cannot be chosen by their hashes.
 *
 * <p>The key is the first half of HMAC-SHA-256 of the secret under one label. The fingerprint,
 * which distinguishes secrets publicly, is the first quarter of HMAC-SHA-256 under another: neither
 * reveals anything about the other, or about a secret that is random. Of the secret and the values
 * derived from it, only the key of SipHash is retained.
 *
 * <p>The value is that of the reference implementation, its eight bytes read little-endian. Hashing
 * allocates nothing. Instances are immutable and thread-safe. Sources: Aumasson, Bernstein, 2012,
 * "SipHash: a fast short-input PRF", doi.org/10.1007/978-3-642-34931-7_28; RFC 2104 (HMAC); RFC
 * 5869 (HKDF, of which this is the step "extract", with the label as salt).
 */
public final class SecretHash {
  /** The minimum length of a secret in bytes: that of the key of SipHash. */
  public static final int MIN_SECRET = 16;

  /**
   * The maximum length of a secret in bytes; a longer one is probably a mistake, such as a wrong
   * file.
   */
  public static final int MAX_SECRET = 1 << 12;

  private static final String KEY_LABEL = "bloomery/siphash-2-4/key/v1";
  private static final String FINGERPRINT_LABEL = "bloomery/siphash-2-4/fingerprint/v1";
  private static final int BLOCK = 64; // the block size of SHA-256

  private static final long INITIAL_0 = 0x736f6d6570736575L;
  private static final long INITIAL_1 = 0x646f72616e646f6dL;
  private static final long INITIAL_2 = 0x6c7967656e657261L;
  private static final long INITIAL_3 = 0x7465646279746573L;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle EIGHT_BYTES_OF_BUFFER =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long key0;
  private final long key1;
  private final String fingerprint;

  SecretHash(long key0, long key1, String fingerprint) {
    this.key0 = key0;
    this.key1 = key1;
    this.fingerprint = fingerprint;
  }

  /**
   * Creates the hash function of a secret, which is not retained and may be wiped.
   *
   * @throws IllegalArgumentException if it has less than {@value #MIN_SECRET} or more than {@value
   *     #MAX_SECRET} bytes
   */
  public static SecretHash of(byte[] secret) {
    Objects.requireNonNull(secret, "secret");
    if (secret.length < MIN_SECRET || secret.length > MAX_SECRET) {
      throw new IllegalArgumentException(
          "secret must have from "
              + MIN_SECRET
              + " to "
              + MAX_SECRET
              + " bytes, but has "
              + secret.length
              + "; draw 32 with java.security.SecureRandom and keep them");
    }
    byte[] key = hmac(KEY_LABEL, secret);
    byte[] name = hmac(FINGERPRINT_LABEL, secret);
    try {
      return new SecretHash(
          (long) EIGHT_BYTES.get(key, 0),
          (long) EIGHT_BYTES.get(key, Long.BYTES),
          HexFormat.of().formatHex(name, 0, Long.BYTES));
    } finally {
      Arrays.fill(key, (byte) 0);
      Arrays.fill(name, (byte) 0);
    }
  }

  // javax.crypto.Mac is not used, because it retains arrays from which the key can be computed. The
  // secret is the message of HMAC, not its key, because trailing zeros of a key have no effect.
  private static byte[] hmac(String label, byte[] secret) {
    MessageDigest sha = sha256();
    byte[] block = Arrays.copyOf(label.getBytes(StandardCharsets.US_ASCII), BLOCK);
    byte[] inner = {};
    try {
      mask(block, 0x36);
      sha.update(block);
      inner = sha.digest(secret);
      mask(block, 0x36 ^ 0x5c);
      sha.update(block);
      return sha.digest(inner);
    } finally {
      Arrays.fill(inner, (byte) 0);
      sha.reset(); // also wipes its internal buffer
    }
  }

  private static void mask(byte[] block, int mask) {
    for (int i = 0; i < block.length; i++) {
      block[i] ^= (byte) mask;
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns 16 lower-case hexadecimal digits that identify the secret and may be published. */
  public String fingerprint() {
    return fingerprint;
  }

  /** Returns the hash of a range of an array. */
  public long hash(byte[] bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    return hash(bytes, from, length, Bytes.OF_ARRAY);
  }

  /** Returns the hash of the remaining bytes of a buffer, whose position is not changed. */
  public long hash(ByteBuffer bytes) {
    return hash(bytes, bytes.position(), bytes.remaining(), Bytes.OF_BUFFER);
  }

  /** Access to a sequence of bytes, by words of eight, little-endian, and by single bytes. */
  private interface Bytes<S> {

    Bytes<byte[]> OF_ARRAY =
        new Bytes<>() {
          @Override
          public long eight(byte[] source, int at) {
            return (long) EIGHT_BYTES.get(source, at);
          }

          @Override
          public byte one(byte[] source, int at) {
            return source[at];
          }
        };

    Bytes<ByteBuffer> OF_BUFFER =
        new Bytes<>() {
          @Override
          public long eight(ByteBuffer source, int at) {
            return (long) EIGHT_BYTES_OF_BUFFER.get(source, at);
          }

          @Override
          public byte one(ByteBuffer source, int at) {
            return source.get(at);
          }
        };

    long eight(S source, int at);

    byte one(S source, int at);
  }

  // Here and below, the state is in local variables, because an object for it would be allocated
  // wherever escape analysis does not remove it.
  private <S> long hash(S source, int from, int length, Bytes<S> bytes) {
    long v0 = INITIAL_0 ^ key0;
    long v1 = INITIAL_1 ^ key1;
    long v2 = INITIAL_2 ^ key0;
    long v3 = INITIAL_3 ^ key1;
    int rest = from + (length & -Long.BYTES);
    for (int at = from; at < rest; at += Long.BYTES) {
      long word = bytes.eight(source, at);
      v3 ^= word;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    long word = 0;
    for (int at = from + length - 1; at >= rest; at--) {
      word = word << Byte.SIZE | (bytes.one(source, at) & 0xff);
    }
    return finish(v0, v1, v2, v3, word, length);
  }

  /** Returns the hash of a text's bytes in UTF-8, as encoded by {@link Utf8#encode}. */
  public long hash(CharSequence text) {
    long v0 = INITIAL_0 ^ key0;
    long v1 = INITIAL_1 ^ key1;
    long v2 = INITIAL_2 ^ key0;
    long v3 = INITIAL_3 ^ key1;
    int chars = text.length();
    int mixed = 0; // the index from which to try eight ASCII chars again
    int bytes = 0;
    long word = 0;
    for (int at = 0; at < chars; ) {
      long next = -1;
      int size = Long.BYTES;
      if (at >= mixed && at <= chars - Long.BYTES) {
        next = Utf8.eightOfAscii(text, at);
        mixed = at + Long.BYTES;
      }
      if (next >= 0) {
        at += Long.BYTES;
      } else {
        int character = Utf8.character(text, at);
        next = Integer.toUnsignedLong(character);
        size = Utf8.size(character);
        at += 1 + size / 4; // a character of four bytes has two chars
      }
      int filled = bytes & (Long.BYTES - 1);
      int room = Long.BYTES - filled;
      word |= next << (filled * Byte.SIZE);
      bytes += size;
      if (size >= room) {
        v3 ^= word;
        for (int round = 0; round < 2; round++) {
          v0 += v1;
          v2 += v3;
          v1 = Long.rotateLeft(v1, 13) ^ v0;
          v3 = Long.rotateLeft(v3, 16) ^ v2;
          v0 = Long.rotateLeft(v0, 32) + v3;
          v2 += v1;
          v1 = Long.rotateLeft(v1, 17) ^ v2;
          v3 = Long.rotateLeft(v3, 21) ^ v0;
          v2 = Long.rotateLeft(v2, 32);
        }
        v0 ^= word;
        // Shifted in two steps, because a single shift by 64 has no effect.
        word = next >>> (room * 4) >>> (room * 4);
      }
    }
    return finish(v0, v1, v2, v3, word, bytes);
  }

  /** Returns the hash of the eight bytes of a long, little-endian. */
  public long hash(long number) {
    return hashWords(1, number, 0);
  }

  /** Returns the hash of the sixteen bytes of two longs, each little-endian. */
  public long hash(long first, long second) {
    return hashWords(2, first, second);
  }

  private long hashWords(int words, long first, long second) {
    long v0 = INITIAL_0 ^ key0;
    long v1 = INITIAL_1 ^ key1;
    long v2 = INITIAL_2 ^ key0;
    long v3 = INITIAL_3 ^ key1;
    for (int i = 0; i < words; i++) {
      long word = i == 0 ? first : second;
      v3 ^= word;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    return finish(v0, v1, v2, v3, 0, words * Long.BYTES);
  }

  /**
   * Hashes the last word, which contains the remaining bytes and the length, and returns the
   * result.
   */
  private static long finish(long v0, long v1, long v2, long v3, long rest, int length) {
    long word = rest | (long) length << 56;
    v3 ^= word;
    for (int round = 0; round < 6; round++) {
      if (round == 2) {
        v0 ^= word;
        v2 ^= 0xff;
      }
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32) + v3;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** Returns a new incremental hash. */
  public Stream stream() {
    return new Stream(this);
  }

  /** An incremental hash: equals the hash of all bytes at once. Not thread-safe. */
  public static final class Stream {

    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long rest;
    private int length; // of all bytes; only its lower eight bits matter

    private Stream(SecretHash hash) {
      v0 = INITIAL_0 ^ hash.key0;
      v1 = INITIAL_1 ^ hash.key1;
      v2 = INITIAL_2 ^ hash.key0;
      v3 = INITIAL_3 ^ hash.key1;
    }

    /** Adds a range of an array. */
    public Stream put(byte[] bytes, int from, int length) {
      Objects.checkFromIndexSize(from, length, bytes.length);
      int to = from + length;
      int at = from;
      while (at < to && (this.length & (Long.BYTES - 1)) != 0) {
        putOne(bytes[at++]);
      }
      for (; at <= to - Long.BYTES; at += Long.BYTES) {
        putWord((long) EIGHT_BYTES.get(bytes, at));
        this.length += Long.BYTES;
      }
      while (at < to) {
        putOne(bytes[at++]);
      }
      return this;
    }

    private void putOne(byte next) {
      int filled = length & (Long.BYTES - 1);
      rest |= (next & 0xffL) << (filled * Byte.SIZE);
      length++;
      if (filled == Long.BYTES - 1) {
        putWord(rest);
        rest = 0;
      }
    }

    private void putWord(long word) {
      v3 ^= word;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }

    /** Returns the hash of the bytes added so far; more may follow. */
    public long get() {
      return finish(v0, v1, v2, v3, rest, length);
    }
  }

  /** Returns the fingerprint, but nothing about the key. */
  @Override
  public String toString() {
    return "siphash-2-4/secret=" + fingerprint;
  }
}
