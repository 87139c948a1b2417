package io.bloomery.conformance.hostile;

import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.filter.FilterLayout;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The parts of a serialised filter, which can be changed and reassembled with correct checksums
 * whatever else is wrong.
 *
 * <p>Written independently from {@code docs/FORMAT.md}, so that it detects a mistake that reader
 * and writer share.
 *
 * @param rate the bits of the requested rate
 * @param announced the announced length of the payload
 * @param payload the payload that is present
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Envelope(
    String variant,
    String hashId,
    long keys,
    long rate,
    FilterLayout layout,
    long announced,
    byte[] payload) {

  private static final int ALIGNMENT = 64;
  private static final int SHORTEST_HEADER = 64;
  private static final int MAX_HEADER_LENGTH = 8192;
  private static final int VERSION_AT = 8;
  private static final int HEADER_LENGTH_AT = 10;
  private static final int PAYLOAD_LENGTH_AT = 16;
  private static final int KEYS_AT = 24;
  private static final int RATE_AT = 32;
  private static final int NAMES_AT = 40;
  private static final int CHECKED_TOGETHER = 1 << 20;
  private static final byte VERSION = 1;

  /** A field of a header: a number of one, two, four or eight bytes, or a part of a name. */
  record Field(String name, int at, int size) {}

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the announced number of bytes of payload, or 0 if the input is too short for it. */
  static long announced(byte[] bytes) {
    return bytes.length < KEYS_AT ? 0 : littleEndian(bytes).getLong(PAYLOAD_LENGTH_AT);
  }

  /** Parses a valid filter. */
  static Envelope of(byte[] bytes) {
    ByteBuffer in = littleEndian(bytes);
    int header = headerLength(bytes);
    int payload = Math.toIntExact(in.getLong(PAYLOAD_LENGTH_AT));
    in.position(NAMES_AT);
    String variant = name(in);
    String hashId = name(in);
    Map<String, Long> layout = new HashMap<>();
    for (int left = in.get(); left > 0; left--) {
      String name = name(in);
      layout.put(name, in.getLong());
    }
    return new Envelope(
        variant,
        hashId,
        in.getLong(KEYS_AT),
        in.getLong(RATE_AT),
        FilterLayout.of(layout),
        payload,
        Arrays.copyOfRange(bytes, header, header + payload));
  }

  private static String name(ByteBuffer in) {
    byte[] name = new byte[Byte.toUnsignedInt(in.get())];
    in.get(name);
    return new String(name, StandardCharsets.US_ASCII);
  }

  static int headerLength(byte[] bytes) {
    return Short.toUnsignedInt(littleEndian(bytes).getShort(HEADER_LENGTH_AT));
  }

  /** Returns every field of the header of a valid filter. */
  static List<Field> fields(byte[] bytes) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("magic", 0, Long.BYTES));
    fields.add(new Field("version", VERSION_AT, 1));
    fields.add(new Field("reserved", 9, 1));
    fields.add(new Field("header length", HEADER_LENGTH_AT, Short.BYTES));
    fields.add(new Field("reserved", 12, Integer.BYTES));
    fields.add(new Field("payload length", PAYLOAD_LENGTH_AT, Long.BYTES));
    fields.add(new Field("expected keys", KEYS_AT, Long.BYTES));
    fields.add(new Field("rate", RATE_AT, Long.BYTES));
    ByteBuffer in = littleEndian(bytes).position(NAMES_AT);
    addName(fields, "variant", in);
    addName(fields, "hash id", in);
    fields.add(new Field("count of numbers", in.position(), 1));
    for (int left = in.get(); left > 0; left--) {
      addName(fields, "name of a number", in);
      fields.add(new Field("number", in.position(), Long.BYTES));
      in.getLong();
    }
    int checksum = headerLength(bytes) - Integer.BYTES;
    for (int at = in.position(); at < checksum; at++) {
      fields.add(new Field("padding", at, 1));
    }
    fields.add(new Field("header checksum", checksum, Integer.BYTES));
    return fields;
  }

  private static void addName(List<Field> fields, String what, ByteBuffer in) {
    int at = in.position();
    int length = Byte.toUnsignedInt(in.get());
    fields.add(new Field("length of " + what, at, 1));
    fields.add(new Field(what, at + 1, 1));
    fields.add(new Field(what, at + length, 1));
    in.position(at + 1 + length);
  }

  /**
   * Returns the bytes with a field set to the lowest bytes of a value; checksums are not updated.
   */
  static byte[] with(byte[] bytes, Field field, long value) {
    byte[] changed = bytes.clone();
    byte[] all = new byte[Long.BYTES];
    littleEndian(all).putLong(value);
    System.arraycopy(all, 0, changed, field.at(), field.size());
    return changed;
  }

  /** Returns the value of a field, unsigned if it is shorter than eight bytes. */
  static long get(byte[] bytes, Field field) {
    byte[] all = new byte[Long.BYTES];
    System.arraycopy(bytes, field.at(), all, 0, field.size());
    return littleEndian(all).getLong();
  }

  /** Returns the payload that is present, as words. */
  long[] words() {
    long[] words = new long[payload.length / Long.BYTES];
    littleEndian(payload).asLongBuffer().get(words);
    return words;
  }

  Envelope withNames(String otherVariant, String otherHashId) {
    return new Envelope(otherVariant, otherHashId, keys, rate, layout, announced, payload);
  }

  Envelope withSpec(long otherKeys, long otherRate) {
    return new Envelope(variant, hashId, otherKeys, otherRate, layout, announced, payload);
  }

  Envelope withLayout(FilterLayout other) {
    return new Envelope(variant, hashId, keys, rate, other, announced, payload);
  }

  Envelope withAnnounced(long other) {
    return new Envelope(variant, hashId, keys, rate, layout, other, payload);
  }

  /** Returns an envelope with a different payload and its length announced. */
  Envelope withPayload(byte[] other) {
    return new Envelope(variant, hashId, keys, rate, layout, other.length, other);
  }

  /** Returns an envelope with the layout, the announced length and the payload of a mutant. */
  Envelope with(Mutant mutant) {
    byte[] other = new byte[Long.BYTES * mutant.words().length];
    littleEndian(other).asLongBuffer().put(mutant.words());
    return new Envelope(variant, hashId, keys, rate, mutant.layout(), mutant.size(), other);
  }

  /** Returns the serialised envelope, with correct checksums and lengths of header and trailer. */
  byte[] toBytes() {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    putName(names, variant);
    putName(names, hashId);
    names.write(layout.toMap().size());
    layout
        .toMap()
        .forEach(
            (name, number) -> {
              putName(names, name);
              byte[] value = new byte[Long.BYTES];
              littleEndian(value).putLong(number);
              names.writeBytes(value);
            });
    int header = aligned(NAMES_AT + names.size() + Integer.BYTES);
    int sums = (payload.length + CHECKED_TOGETHER - 1) / CHECKED_TOGETHER;
    byte[] bytes = new byte[aligned(header + payload.length + Integer.BYTES * (sums + 1))];
    ByteBuffer out = littleEndian(bytes);
    out.put("BLOOMERY".getBytes(StandardCharsets.US_ASCII));
    out.put(VERSION_AT, VERSION);
    out.putShort(HEADER_LENGTH_AT, (short) header);
    out.putLong(PAYLOAD_LENGTH_AT, announced);
    out.putLong(KEYS_AT, keys);
    out.putLong(RATE_AT, rate);
    out.position(NAMES_AT).put(names.toByteArray());
    out.position(header).put(payload);
    sealHeader(bytes);
    sealTrailer(bytes, header, payload.length);
    return bytes;
  }

  private static void putName(ByteArrayOutputStream out, String name) {
    out.write(name.length());
    out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
  }

  private static int aligned(int size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Corrects the checksums at the positions that the lengths in the header imply. */
  static void seal(byte[] bytes) {
    if (bytes.length < KEYS_AT) {
      return;
    }
    sealHeader(bytes);
    int header = headerLength(bytes);
    long payload = littleEndian(bytes).getLong(PAYLOAD_LENGTH_AT);
    if (payload >= 0 && payload <= bytes.length - header) {
      sealTrailer(bytes, header, (int) payload);
    }
  }

  private static void sealHeader(byte[] bytes) {
    int header = headerLength(bytes);
    if (header >= SHORTEST_HEADER && header <= Math.min(MAX_HEADER_LENGTH, bytes.length)) {
      int at = header - Integer.BYTES;
      littleEndian(bytes).putInt(at, crc(bytes, 0, at));
    }
  }

  private static void sealTrailer(byte[] bytes, int header, int payload) {
    int sums = (payload + CHECKED_TOGETHER - 1) / CHECKED_TOGETHER;
    int start = header + payload;
    int end = aligned(start + Integer.BYTES * (sums + 1));
    if (end > bytes.length) {
      return;
    }
    ByteBuffer out = littleEndian(bytes);
    for (int i = 0; i < sums; i++) {
      int from = header + i * CHECKED_TOGETHER;
      int to = Math.min(from + CHECKED_TOGETHER, start);
      out.putInt(start + i * Integer.BYTES, crc(bytes, from, to));
    }
    out.putInt(end - Integer.BYTES, crc(bytes, start, end - Integer.BYTES));
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
