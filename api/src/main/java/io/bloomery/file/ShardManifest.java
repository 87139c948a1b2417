package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Sharding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The manifest of a sharded filter: its expected keys and rate as a whole, and the entry of each
 * file. {@code docs/FORMAT.md} describes every byte.
 */
record ShardManifest(long expectedKeys, double falsePositiveRate, List<ShardEntry> entries) {
  // decisions.md#a-manifest-has-the-checksums-of-shards-not-only-their-number

  private static final byte[] MAGIC = "BLOOMSHD".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int RESERVED = 7;
  private static final int PREFIX = MAGIC.length + 1 + RESERVED + 3 * Long.BYTES;
  private static final int ENTRY = Long.BYTES + 2 * Integer.BYTES;

  ShardManifest {
    entries = List.copyOf(entries);
  }

  /** Returns whether bytes begin like a manifest of any version. */
  static boolean begins(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private static int size(int shards) {
    return (int) HeaderFormat.align(PREFIX + (long) ENTRY * shards + Integer.BYTES);
  }

  int size() {
    return size(entries.size());
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(size()).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put((byte) VERSION).position(MAGIC.length + 1 + RESERVED);
    out.putLong(expectedKeys).putDouble(falsePositiveRate).putLong(entries.size());
    for (ShardEntry entry : entries) {
      out.putLong(entry.length()).putInt(entry.headerChecksum()).putInt(entry.trailerChecksum());
    }
    int last = out.capacity() - Integer.BYTES;
    return out.putInt(last, crc(out.array(), last)).array();
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Reads a manifest from a stream with no byte after it. */
  static ShardManifest read(InputStream in) throws IOException {
    byte[] prefix = in.readNBytes(PREFIX);
    if (!begins(prefix)) {
      throw new FilterFormatException(
          Reason.NOT_A_FILTER, 0, "not a manifest of shards: it must start with 'BLOOMSHD'");
    }
    checkLength(prefix.length, PREFIX);
    ByteBuffer start = ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN);
    start.position(MAGIC.length);
    int version = Byte.toUnsignedInt(start.get());
    if (version != VERSION) {
      throw new FilterFormatException(
          Reason.UNSUPPORTED_VERSION,
          MAGIC.length,
          "manifest version must be "
              + VERSION
              + ", but is "
              + version
              + "; read it with the release of Bloomery that wrote it, or a newer one");
    }
    long shards = start.getLong(PREFIX - Long.BYTES);
    if (shards < 1 || shards > Sharding.MAX_SHARDS) {
      throw new FilterFormatException(
          Reason.INVALID,
          PREFIX - Long.BYTES,
          "shards must be from 1 to " + Sharding.MAX_SHARDS + ", but are " + shards);
    }
    int size = size((int) shards);
    // Not allocated before the bytes are there.
    byte[] rest = in.readNBytes(size - PREFIX);
    checkLength(PREFIX + rest.length, size);
    byte[] bytes = Arrays.copyOf(prefix, size);
    System.arraycopy(rest, 0, bytes, PREFIX, rest.length);
    if (in.read() >= 0) {
      throw new FilterFormatException(
          Reason.TRAILING_BYTES, size, "the manifest ends here, but more bytes follow");
    }
    return decode(bytes, (int) shards);
  }

  private static void checkLength(int length, int size) throws FilterFormatException {
    if (length < size) {
      throw new FilterFormatException(
          Reason.TRUNCATED, length, "ends here, but must have " + size + " bytes");
    }
  }

  private static ShardManifest decode(byte[] bytes, int shards) throws FilterFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int last = bytes.length - Integer.BYTES;
    if (in.getInt(last) != crc(bytes, last)) {
      throw new FilterFormatException(
          Reason.DAMAGED, 0, "manifest damaged: its checksum does not match");
    }
    mustBeZero(in, MAGIC.length + 1, RESERVED);
    int specAt = MAGIC.length + 1 + RESERVED;
    in.position(specAt);
    long keys = in.getLong();
    double rate = in.getDouble();
    try {
      FilterSpec.of(keys, rate);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(specAt, e);
    }
    in.position(PREFIX);
    List<ShardEntry> entries = new ArrayList<>(shards);
    for (int i = 0; i < shards; i++) {
      int at = in.position();
      ShardEntry entry = new ShardEntry(in.getLong(), in.getInt(), in.getInt());
      if (entry.length() < 2 * HeaderFormat.ALIGNMENT
          || entry.length() % HeaderFormat.ALIGNMENT != 0) {
        throw new FilterFormatException(
            Reason.INVALID,
            at,
            "length of a shard must be a multiple of "
                + HeaderFormat.ALIGNMENT
                + " from "
                + 2 * HeaderFormat.ALIGNMENT
                + " on, but is "
                + entry.length());
      }
      entries.add(entry);
    }
    mustBeZero(in, in.position(), last - in.position());
    return new ShardManifest(keys, rate, entries);
  }

  private static void mustBeZero(ByteBuffer in, int from, int count) throws FilterFormatException {
    for (int at = from; at < from + count; at++) {
      if (in.get(at) != 0) {
        throw new FilterFormatException(Reason.INVALID, at, "a reserved byte must be zero");
      }
    }
  }
}
