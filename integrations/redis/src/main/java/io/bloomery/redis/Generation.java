package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A generation of a filter: its specification, its partition into chunks, and the servers that may
 * answer queries for it. Each of its chunks begins with a prefix that no chunk of another
 * generation has.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by is(), never changed
record Generation(
    long sequence,
    byte[] id,
    byte[] headerBytes,
    FilterHeader header,
    Chunks chunks,
    String primaries,
    Life life,
    boolean sealed) {

  static final int ID_SIZE = 16;

  /**
   * The number of bytes of an id common to all generations of a filter, which no other filter of
   * its name has.
   */
  static final int FILTER_ID_SIZE = 8;

  private static final byte[] MAGIC = Script.ascii("BLOOMRED");
  private static final int VERSION = 1;
  private static final int SEQUENCE_AT = 24;

  /** Returns the prefix of a chunk. {@code docs/redis.md} describes each. */
  byte[] prefix(int chunk) {
    ByteBuffer out = ByteBuffer.allocate(Chunks.PREFIX).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put((byte) VERSION).put((byte) (sealed ? 1 : 0)).putShort((short) 0);
    out.putInt(chunk).putInt(chunks.count());
    out.put(headerBytes, headerBytes.length - Integer.BYTES, Integer.BYTES);
    out.putLong(sequence).put(id);
    out.putLong(chunks.end(chunk) - chunks.begin(chunk)).putInt(0);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    return out.putInt((int) crc.getValue()).array();
  }

  Generation asSealed() {
    return new Generation(sequence, id, headerBytes, header, chunks, primaries, life, true);
  }

  Generation asNumber(long number) {
    return new Generation(number, id, headerBytes, header, chunks, primaries, life, sealed);
  }

  boolean is(Generation other) {
    return sequence == other.sequence && Arrays.equals(id, other.id);
  }

  boolean isOfFilterOf(Generation other) {
    return Arrays.equals(id, 0, FILTER_ID_SIZE, other.id, 0, FILTER_ID_SIZE);
  }

  /** Returns the number of the generation in the prefix of a chunk, or -1 if it is not a prefix. */
  static long sequence(byte[] prefix) {
    if (prefix.length != Chunks.PREFIX
        || !Arrays.equals(MAGIC, Arrays.copyOf(prefix, MAGIC.length))) {
      return -1;
    }
    return ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN).getLong(SEQUENCE_AT);
  }
}
