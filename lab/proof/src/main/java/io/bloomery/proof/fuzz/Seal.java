package io.bloomery.proof.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Corrects the checksums of inputs, where their lengths imply them: no mutant would pass them, and
 * no fuzzer see what is behind. Offsets are those of {@code docs/FORMAT.md}.
 */
final class Seal {

  static final int BLOCK = 4096;
  static final int CONTROL = 3 * BLOCK;

  private static final byte[] MAGIC = "BLOOMERY".getBytes(StandardCharsets.US_ASCII);
  private static final int ALIGNMENT = 64;
  private static final int SHORTEST_ENVELOPE = 2 * ALIGNMENT;
  private static final int HEADER_LENGTH_AT = 10;
  private static final int PAYLOAD_LENGTH_AT = 16;
  private static final int CHECKED_TOGETHER = 1 << 20;
  private static final int WINDOW_HEADER = 192;
  private static final int GENERATIONS = 3;
  private static final int KIND_AT = 9;
  private static final int WINDOW = 2;

  private final byte[] bytes;
  private final ByteBuffer buffer;

  private Seal(byte[] input) {
    this.bytes = input.clone();
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns whether bytes begin as an envelope does. */
  static boolean isEnvelope(byte[] bytes) {
    return bytes.length > MAGIC.length && Arrays.equals(MAGIC, Arrays.copyOf(bytes, MAGIC.length));
  }

  /** Returns the length of the header of an envelope, or 0 if there is none. */
  static int header(byte[] bytes) {
    return bytes.length < SHORTEST_ENVELOPE ? 0 : new Seal(bytes).headerAt(0);
  }

  private int headerAt(int from) {
    return Short.toUnsignedInt(buffer.getShort(from + HEADER_LENGTH_AT));
  }

  /** Returns a copy of an envelope with correct checksums. */
  static byte[] envelope(byte[] input) {
    Seal seal = new Seal(input);
    seal.envelope(0);
    return seal.bytes;
  }

  /** Returns a copy of a saved window with correct checksums. */
  static byte[] window(byte[] input) {
    Seal seal = new Seal(input);
    seal.sum(0, WINDOW_HEADER);
    long at = WINDOW_HEADER;
    for (int i = 0; i < GENERATIONS && input.length >= WINDOW_HEADER; i++) {
      seal.envelope(at);
      at += seal.buffer.getLong(80 + 24 * i);
    }
    return seal.bytes;
  }

  /** Returns a copy of a live filter or window with correct checksums. */
  static byte[] live(byte[] input) {
    Seal seal = new Seal(input);
    for (int at = 0; at < CONTROL; at += BLOCK) {
      seal.sum(at, BLOCK);
    }
    if (input.length > KIND_AT && input[KIND_AT] == WINDOW) {
      seal.liveWindow();
    } else {
      seal.envelope(CONTROL);
    }
    return seal.bytes;
  }

  private void liveWindow() {
    int tables = 2 * CONTROL;
    for (int at = CONTROL; at < tables; at += BLOCK) {
      sum(at, BLOCK);
    }
    if (bytes.length < tables) {
      return;
    }
    int table = (bytes.length - tables) / GENERATIONS;
    for (int at = tables; at + table <= bytes.length && table > BLOCK; at += table) {
      sum(at, BLOCK);
      envelope(at + BLOCK);
    }
  }

  /** Returns a copy of a block with a correct checksum in its last four bytes. */
  static byte[] block(byte[] input) {
    Seal seal = new Seal(input);
    seal.sum(0, input.length);
    return seal.bytes;
  }

  /** Corrects the checksum in the last four bytes of a block. */
  private void sum(int from, int length) {
    if (length >= Integer.BYTES && from + length <= bytes.length) {
      sum(from, from + length - Integer.BYTES, from + length - Integer.BYTES);
    }
  }

  private void sum(int from, int to, int at) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    buffer.putInt(at, (int) crc.getValue());
  }

  private void envelope(long at) {
    if (at < 0 || at > bytes.length - SHORTEST_ENVELOPE) {
      return;
    }
    int from = (int) at;
    int header = headerAt(from);
    sum(from, header);
    long payload = buffer.getLong(from + PAYLOAD_LENGTH_AT);
    if (payload < 0 || payload > bytes.length - from - header) {
      return;
    }
    int trailer = from + header + (int) payload;
    int sums = (int) ((payload + CHECKED_TOGETHER - 1) / CHECKED_TOGETHER);
    int end = trailer + Integer.BYTES * (sums + 1);
    end = from + (end - from + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (end > bytes.length) {
      return;
    }
    for (int i = 0; i < sums; i++) {
      int part = from + header + i * CHECKED_TOGETHER;
      sum(part, Math.min(part + CHECKED_TOGETHER, trailer), trailer + i * Integer.BYTES);
    }
    sum(trailer, end - trailer);
  }
}
