package io.bloomery.interop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** HighwayHash of 128 bits with the key of Redisson: the state of one hash at a time. */
final class HighwayHash {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long[] KEY = {
    0x9e3779b97f4a7c15L, 0xf39cc0605cedc834L, 0x1082276bf3a27251L, 0xf86c6a11d0c18e95L
  };
  private static final long[] MUL_0 = {
    0xdbe6d5d5fe4cce2fL, 0xa4093822299f31d0L, 0x13198a2e03707344L, 0x243f6a8885a308d3L
  };
  private static final long[] MUL_1 = {
    0x3bd39e10cb0ef593L, 0xc0acf169b5f18a8cL, 0xbe5466cf34e90c6cL, 0x452821e638d01377L
  };
  private static final int PACKET = 32;
  private static final long LOW = 0xffff_ffffL;

  private final long[] v0 = new long[4];
  private final long[] v1 = new long[4];
  private final long[] mul0 = new long[4];
  private final long[] mul1 = new long[4];
  private final byte[] last = new byte[PACKET];

  /** Sets h1 and h2 of an item to the hash of its bytes. */
  void hash(Item item) {
    for (int i = 0; i < 4; i++) {
      mul0[i] = MUL_0[i];
      mul1[i] = MUL_1[i];
      v0[i] = MUL_0[i] ^ KEY[i];
      v1[i] = MUL_1[i] ^ Long.rotateLeft(KEY[i], 32);
    }
    int whole = item.length & -PACKET;
    for (int at = 0; at < whole; at += PACKET) {
      update(item.bytes, at);
    }
    if (whole < item.length) {
      updateLast(item.bytes, whole, item.length - whole);
    }
    for (int i = 0; i < 6; i++) {
      update(
          Long.rotateLeft(v0[2], 32),
          Long.rotateLeft(v0[3], 32),
          Long.rotateLeft(v0[0], 32),
          Long.rotateLeft(v0[1], 32));
    }
    item.h1 = v0[0] + mul0[0] + v1[2] + mul1[2];
    item.h2 = v0[1] + mul0[1] + v1[3] + mul1[3];
  }

  private void update(byte[] bytes, int at) {
    update(
        (long) LONGS.get(bytes, at),
        (long) LONGS.get(bytes, at + 8),
        (long) LONGS.get(bytes, at + 16),
        (long) LONGS.get(bytes, at + 24));
  }

  private void updateLast(byte[] bytes, int from, int size) {
    int odd = size & 3;
    int even = size - odd;
    for (int i = 0; i < 4; i++) {
      v0[i] += ((long) size << 32) + size;
      int low = Integer.rotateLeft((int) v1[i], size);
      int high = Integer.rotateLeft((int) (v1[i] >>> 32), size);
      v1[i] = ((long) high << 32) | (low & LOW);
    }
    Arrays.fill(last, (byte) 0);
    System.arraycopy(bytes, from, last, 0, even);
    if ((size & 16) != 0) {
      System.arraycopy(bytes, from + size - 4, last, 28, 4);
    } else if (odd != 0) {
      last[16] = bytes[from + even];
      last[17] = bytes[from + even + (odd >>> 1)];
      last[18] = bytes[from + size - 1];
    }
    update(last, 0);
  }

  private void update(long a, long b, long c, long d) {
    v1[0] += mul0[0] + a;
    v1[1] += mul0[1] + b;
    v1[2] += mul0[2] + c;
    v1[3] += mul0[3] + d;
    for (int i = 0; i < 4; i++) {
      mul0[i] ^= (v1[i] & LOW) * (v0[i] >>> 32);
      v0[i] += mul1[i];
      mul1[i] ^= (v0[i] & LOW) * (v1[i] >>> 32);
    }
    zip(v1, v0, 0);
    zip(v1, v0, 2);
    zip(v0, v1, 0);
    zip(v0, v1, 2);
  }

  /** Adds the bytes of two words of one array, in another order, to those of the other. */
  private static void zip(long[] of, long[] to, int i) {
    long x = of[i + 1];
    long y = of[i];
    to[i] +=
        (((y & 0xff000000L) | (x & 0xff00000000L)) >>> 24)
            | (((y & 0xff0000000000L) | (x & 0xff000000000000L)) >>> 16)
            | (y & 0xff0000L)
            | ((y & 0xff00L) << 32)
            | ((x & 0xff00000000000000L) >>> 8)
            | (y << 56);
    to[i + 1] +=
        (((x & 0xff000000L) | (y & 0xff00000000L)) >>> 24)
            | (x & 0xff0000L)
            | ((x & 0xff0000000000L) >>> 16)
            | ((x & 0xff00L) << 24)
            | ((y & 0xff000000000000L) >>> 8)
            | ((x & 0xffL) << 48)
            | (y & 0xff00000000000000L);
  }
}
