package io.bloomery.interop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash functions of other systems. They are implemented here, since each differs from the
 * function it is named after, or has a seed for each item, for which hash libraries allocate an
 * object.
 */
final class Hashes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;
  private static final long FAST = 0x880355f21e6d1965L;
  private static final long M64A = 0xc6a4a7935bd1e995L;

  private Hashes() {}

  private static long fmix64(long k) {
    k ^= k >>> 33;
    k *= 0xff51afd7ed558ccdL;
    k ^= k >>> 33;
    k *= 0xc4ceb9fe1a85ec53L;
    return k ^ k >>> 33;
  }

  /** Sets h1 and h2 to murmur3_x64_128 with seed 0. */
  static void murmur128(Item item) {
    murmur128(item, item.length, 0xff);
  }

  /** The same for the bytes followed by a byte 1, the second hash of bits-and-blooms. */
  static void murmur128AndOne(Item item) {
    item.bytes[item.length] = 1;
    murmur128(item, item.length + 1, 0xff);
  }

  /** Cassandra's variant: negative bytes of the tail are sign-extended. */
  static void cassandra128(Item item) {
    murmur128(item, item.length, -1);
  }

  // The mask makes a byte of the tail unsigned, or keeps its sign.
  private static void murmur128(Item item, int length, long mask) {
    byte[] b = item.bytes;
    long h1 = 0;
    long h2 = 0;
    int i = 0;
    for (; i <= length - 16; i += 16) {
      long k1 = (long) LONGS.get(b, i);
      long k2 = (long) LONGS.get(b, i + 8);
      h1 ^= Long.rotateLeft(k1 * C1, 31) * C2;
      h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
      h2 ^= Long.rotateLeft(k2 * C2, 33) * C1;
      h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    long k1 = 0;
    long k2 = 0;
    for (int j = 0; i + j < length; j++) {
      long tail = (b[i + j] & mask) << (8 * (j & 7));
      if (j < 8) {
        k1 ^= tail;
      } else {
        k2 ^= tail;
      }
    }
    h2 ^= Long.rotateLeft(k2 * C2, 33) * C1 ^ length;
    h1 ^= Long.rotateLeft(k1 * C1, 31) * C2 ^ length;
    h1 += h2;
    h2 += h1;
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    item.h1 = h1 + h2;
    item.h2 = h2 + item.h1;
  }

  private static int spark(int h, int word) {
    int k = Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
    return Integer.rotateLeft(h ^ k, 13) * 5 + 0xe6546b64;
  }

  /** Spark's variant of 32-bit murmur3, with a whole round for each byte of the tail. */
  static int spark32(Item item, int seed) {
    int h = seed;
    if (item.length == Long.BYTES) {
      // Most keys of Spark are longs, for which loops of two steps would cost as much as the steps.
      long word = (long) LONGS.get(item.bytes, 0);
      h = spark(spark(h, (int) word), (int) (word >>> Integer.SIZE));
    } else {
      int i = 0;
      for (; i <= item.length - 4; i += 4) {
        h = spark(h, (int) INTS.get(item.bytes, i));
      }
      for (; i < item.length; i++) {
        h = spark(h, item.bytes[i]);
      }
    }
    h ^= item.length;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    return h ^ h >>> 16;
  }

  private static long round(long a, long x) {
    return Long.rotateLeft(a + x * P2, 31) * P1;
  }

  /** XXH64. */
  static long xxh64(Item item, long seed) {
    byte[] b = item.bytes;
    int length = item.length;
    int i = 0;
    long h;
    if (length >= 32) {
      long v0 = seed + P1 + P2;
      long v1 = seed + P2;
      long v2 = seed;
      long v3 = seed - P1;
      for (; i <= length - 32; i += 32) {
        v0 = round(v0, (long) LONGS.get(b, i));
        v1 = round(v1, (long) LONGS.get(b, i + 8));
        v2 = round(v2, (long) LONGS.get(b, i + 16));
        v3 = round(v3, (long) LONGS.get(b, i + 24));
      }
      h =
          Long.rotateLeft(v0, 1)
              + Long.rotateLeft(v1, 7)
              + Long.rotateLeft(v2, 12)
              + Long.rotateLeft(v3, 18);
      h = (h ^ round(0, v0)) * P1 + P4;
      h = (h ^ round(0, v1)) * P1 + P4;
      h = (h ^ round(0, v2)) * P1 + P4;
      h = (h ^ round(0, v3)) * P1 + P4;
    } else {
      h = seed + P5;
    }
    h += length;
    for (; i <= length - 8; i += 8) {
      h = Long.rotateLeft(h ^ round(0, (long) LONGS.get(b, i)), 27) * P1 + P4;
    }
    if (i <= length - 4) {
      h = Long.rotateLeft(h ^ ((int) INTS.get(b, i) & 0xffffffffL) * P1, 23) * P2 + P3;
      i += 4;
    }
    for (; i < length; i++) {
      h = Long.rotateLeft(h ^ (b[i] & 0xff) * P5, 11) * P1;
    }
    h ^= h >>> 33;
    h *= P2;
    h ^= h >>> 29;
    h *= P3;
    return h ^ h >>> 32;
  }

  /** Returns the bytes from an index on, fewer than eight, as a little-endian number. */
  private static long tail(Item item, int from) {
    long tail = 0;
    for (int i = from; i < item.length; i++) {
      tail |= (item.bytes[i] & 0xffL) << (8 * (i - from));
    }
    return tail;
  }

  /** MurmurHash64A, the hash of RedisBloom. */
  static long murmur64a(Item item, long seed) {
    long h = seed ^ item.length * M64A;
    int i = 0;
    for (; i <= item.length - 8; i += 8) {
      long k = (long) LONGS.get(item.bytes, i) * M64A;
      k ^= k >>> 47;
      h = (h ^ k * M64A) * M64A;
    }
    if (i < item.length) {
      h = (h ^ tail(item, i)) * M64A;
    }
    h ^= h >>> 47;
    h *= M64A;
    return h ^ h >>> 47;
  }

  /** The hash of Hive and ORC: Wang's hash for longs, their own murmur variant for bytes. */
  static long hive(Item item) {
    return item.isLong ? wang64(item.value) : hiveMurmur64(item);
  }

  /** The murmur variant of Hive and ORC, which is not a half of murmur3_x64_128. */
  static long hiveMurmur64(Item item) {
    long h = 104729;
    int i = 0;
    for (; i <= item.length - 8; i += 8) {
      h ^= Long.rotateLeft((long) LONGS.get(item.bytes, i) * C1, 31) * C2;
      h = Long.rotateLeft(h, 27) * 5 + 0x52dce729;
    }
    h ^= Long.rotateLeft(tail(item, i) * C1, 31) * C2;
    return fmix64(h ^ item.length);
  }

  /** Thomas Wang's hash with arithmetic shifts. */
  static long wang64(long k) {
    k = ~k + (k << 21);
    k ^= k >> 24;
    k = k + (k << 3) + (k << 8);
    k ^= k >> 14;
    k = k + (k << 2) + (k << 4);
    k ^= k >> 28;
    return k + (k << 31);
  }

  /**
   * The 32-bit murmur2 of Hadoop, whose last one to three bytes are signed and the highest first.
   */
  static int hadoopMurmur(Item item, int seed) {
    int m = 0x5bd1e995;
    int h = seed ^ item.length;
    int i = 0;
    for (; i <= item.length - 4; i += 4) {
      int k = (int) INTS.get(item.bytes, i) * m;
      h = h * m ^ (k ^ k >>> 24) * m;
    }
    if (i < item.length) {
      for (; i < item.length; i++) {
        h ^= item.bytes[i] << (8 * (item.length - 1 - i));
      }
      h *= m;
    }
    h = (h ^ h >>> 13) * m;
    return h ^ h >>> 15;
  }

  /** Bob Jenkins' {@code lookup3} of at least one byte, the other hash of Hadoop. */
  static int lookup3(Item item, int seed) {
    int a = 0xdeadbeef + item.length + seed;
    int b = a;
    int c = a;
    int i = 0;
    for (; i < item.length - 12; i += 12) {
      a += (int) INTS.get(item.bytes, i);
      b += (int) INTS.get(item.bytes, i + 4);
      c += (int) INTS.get(item.bytes, i + 8);
      a = a - c ^ Integer.rotateLeft(c, 4);
      c += b;
      b = b - a ^ Integer.rotateLeft(a, 6);
      a += c;
      c = c - b ^ Integer.rotateLeft(b, 8);
      b += a;
      a = a - c ^ Integer.rotateLeft(c, 16);
      c += b;
      b = b - a ^ Integer.rotateLeft(a, 19);
      a += c;
      c = c - b ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    a += upToFour(item, i);
    b += upToFour(item, i + 4);
    c += upToFour(item, i + 8);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  /** Returns the bytes from an index on, four if there are, as a little-endian number. */
  private static int upToFour(Item item, int from) {
    int number = 0;
    for (int i = from; i < Math.min(from + 4, item.length); i++) {
      number |= (item.bytes[i] & 0xff) << (8 * (i - from));
    }
    return number;
  }

  private static long fastMix(long h) {
    h ^= h >>> 23;
    h *= 0x2127599bf4325c37L;
    return h ^ h >>> 47;
  }

  /** Kudu's 32-bit FastHash, which replaces the empty item by a number. */
  static int fast32(Item item, int seed) {
    if (item.length == 0) {
      item.addLittleEndian(0x7dca7eee);
    }
    long h = (seed & 0xffffffffL) ^ item.length * FAST;
    int i = 0;
    for (; i <= item.length - 8; i += 8) {
      h = (h ^ fastMix((long) LONGS.get(item.bytes, i))) * FAST;
    }
    if (i < item.length) {
      h = (h ^ fastMix(tail(item, i))) * FAST;
    }
    h = fastMix(h);
    return (int) (h - (h >>> 32));
  }

  /** SipHash-1-3 of a slice of bytes as Rust hashes it: the number of bytes, then these. */
  static long rustSip13(Item item, long key0, long key1) {
    byte[] b = item.bytes;
    int length = item.length;
    long v0 = key0 ^ 0x736f6d6570736575L;
    long v1 = key1 ^ 0x646f72616e646f6dL;
    long v2 = key0 ^ 0x6c7967656e657261L;
    long v3 = key1 ^ 0x7465646279746573L;
    int end = length & ~7;
    // The number of bytes, then words, the rest with the length of all, and three rounds to end.
    for (int i = -8; i <= end + 24; i += 8) {
      long m =
          i < 0
              ? length
              : i < end
                  ? (long) LONGS.get(b, i)
                  : i == end ? tail(item, end) | (long) (length + 8) << 56 : 0;
      v2 ^= i == end + 8 ? 0xff : 0;
      v3 ^= m;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= m;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** FNV-1, not 1a. */
  static long fnv1(Item item) {
    long h = 0xcbf29ce484222325L;
    for (int i = 0; i < item.length; i++) {
      h = h * 0x100000001b3L ^ (item.bytes[i] & 0xff);
    }
    return h;
  }
}
