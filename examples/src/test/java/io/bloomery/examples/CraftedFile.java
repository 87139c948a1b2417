package io.bloomery.examples;

import io.bloomery.filter.FilterSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32C;

/** Envelopes as docs/FORMAT.md has them, of content that no filter of ours need have written. */
final class CraftedFile {

  private static final int MEBIBYTE = 1 << 20;
  private static final int ALIGNMENT = 64;
  private static final int MAX_HEADER = 8192;

  private CraftedFile() {}

  /** Returns a file without attributes and with the right checksums. */
  static byte[] of(
      String variant, FilterSpec spec, SortedMap<String, Long> layout, long... payload) {
    ByteBuffer head = ByteBuffer.allocate(MAX_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    head.put("BLOOMERY".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    head.putLong(16, (long) payload.length * Long.BYTES).putLong(24, spec.expectedKeys());
    head.putDouble(32, spec.falsePositiveRate());
    head.position(40);
    putName(head, variant);
    putName(head, spec.hashId());
    head.put((byte) layout.size());
    for (Map.Entry<String, Long> number : layout.entrySet()) {
      putName(head, number.getKey());
      head.putLong(number.getValue());
    }
    head.put((byte) 0);
    int header = aligned(head.position() + Integer.BYTES);
    head.putShort(10, (short) header);
    int size = payload.length * Long.BYTES;
    int mebibytes = (size + MEBIBYTE - 1) / MEBIBYTE;
    byte[] bytes =
        Arrays.copyOf(head.array(), aligned(header + size + Integer.BYTES * (mebibytes + 1)));
    Arrays.fill(bytes, header, bytes.length, (byte) 0);
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < payload.length; i++) {
      file.putLong(header + i * Long.BYTES, payload[i]);
    }
    mendChecksums(bytes);
    return bytes;
  }

  private static void putName(ByteBuffer head, String name) {
    head.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
  }

  private static int aligned(int size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Makes the checksums of a changed file right again. */
  static void mendChecksums(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int header = file.getShort(10);
    int trailer = header + (int) file.getLong(16);
    file.putInt(header - 4, crc(bytes, 0, header - 4));
    for (int i = 0; header + i * MEBIBYTE < trailer; i++) {
      int from = header + i * MEBIBYTE;
      file.putInt(trailer + 4 * i, crc(bytes, from, Math.min(from + MEBIBYTE, trailer)));
    }
    file.putInt(bytes.length - 4, crc(bytes, trailer, bytes.length - 4));
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
