package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The checksums after a payload, computed as the payload is read or written. {@code docs/FORMAT.md}
 * describes every byte.
 */
final class Trailer {
  // decisions.md#checksums-of-each-mib-in-a-trailer-not-in-the-header

  /** The number of bytes of the payload that one checksum covers. */
  static final int CHUNK = 1 << 20;

  private static final String DAMAGED = " damaged: its checksum does not match";

  private static final String RESERVED = "a reserved byte must be zero";

  private final CRC32C crc = new CRC32C();
  private long payloadSize;
  private int[] sums = new int[1];
  private int chunks;

  /** Returns the length of a trailer, which pads the envelope to a multiple of 64 bytes. */
  static long size(long payloadSize) {
    long over = payloadSize % HeaderFormat.ALIGNMENT;
    return HeaderFormat.align(over + Integer.BYTES * (chunks(payloadSize) + 1)) - over;
  }

  private static long chunks(long payloadSize) {
    return payloadSize / CHUNK + (payloadSize % CHUNK == 0 ? 0 : 1);
  }

  /** Adds the next bytes of the payload. */
  void update(byte[] bytes, int length) {
    int from = 0;
    while (from < length) {
      int step = (int) Math.min(length - from, CHUNK - payloadSize % CHUNK);
      crc.update(bytes, from, step);
      from += step;
      payloadSize += step;
      if (payloadSize % CHUNK == 0) {
        finishChunk();
      }
    }
  }

  private void finishChunk() {
    if (chunks == sums.length) {
      sums = Arrays.copyOf(sums, 2 * chunks);
    }
    sums[chunks++] = (int) crc.getValue();
    crc.reset();
  }

  /**
   * Makes a trailer anew for a payload of which some MiB have changed.
   *
   * @param trailer the trailer, whose other checksums are kept
   * @param sum computes the checksum of a MiB by its number, or returns empty to keep it
   */
  static void renew(byte[] trailer, long payloadSize, Renewal sum) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < chunks(payloadSize); i++) {
      OptionalInt renewed = sum.of(i);
      if (renewed.isPresent()) {
        out.putInt(i * Integer.BYTES, renewed.getAsInt());
      }
    }
    int last = trailer.length - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(trailer, 0, last);
    out.putInt(last, (int) crc.getValue());
  }

  /** Returns the checksum of a MiB in a trailer. */
  static int sum(byte[] trailer, int mib) {
    return ByteBuffer.wrap(trailer).order(ByteOrder.LITTLE_ENDIAN).getInt(mib * Integer.BYTES);
  }

  /** The checksums of the MiB of a payload that have changed. */
  interface Renewal {

    /** Returns the checksum of a MiB, or empty if it has not changed. */
    OptionalInt of(int chunk) throws IOException;
  }

  /** Returns the trailer of the payload so far; nothing can be added afterwards. */
  byte[] encode() {
    if (payloadSize % CHUNK != 0) {
      finishChunk();
    }
    ByteBuffer out = ByteBuffer.allocate((int) size(payloadSize)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < chunks; i++) {
      out.putInt(sums[i]);
    }
    int last = out.capacity() - Integer.BYTES;
    crc.reset();
    crc.update(out.array(), 0, last);
    return out.putInt(last, (int) crc.getValue()).array();
  }

  /**
   * Compares the computed trailer with the one in the file.
   *
   * @param payloadStart the offset of the payload
   * @throws FilterFormatException with the first damaged region
   */
  void check(byte[] found, long payloadStart) throws FilterFormatException {
    byte[] expected = encode();
    if (Arrays.equals(found, expected)) {
      return;
    }
    long at = payloadStart + payloadSize;
    ByteBuffer in = ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN);
    checkItself(in, payloadSize, at);
    for (int i = 0; i < chunks; i++) {
      if (in.getInt() != sums[i]) {
        long from = payloadStart + (long) i * CHUNK;
        long to = Math.min(from + CHUNK, at);
        throw new FilterFormatException(
            Reason.DAMAGED,
            from,
            "content damaged, here or in the "
                + (to - from - 1)
                + " bytes behind: its checksum does not match");
      }
    }
    throw new AssertionError("a trailer that differs has a checksum or a reserved byte that does");
  }

  /**
   * Compares the computed trailer with the one in the file. Returns the damaged regions of the
   * payload and of the trailer in ascending order; adjacent ones are joined.
   *
   * @param payloadStart the offset of the payload
   */
  List<DamagedRegion> damage(byte[] found, long payloadStart) {
    byte[] expected = encode();
    if (Arrays.equals(found, expected)) {
      return List.of();
    }
    long payloadEnd = payloadStart + payloadSize;
    int last = found.length - Integer.BYTES;
    ByteBuffer in = ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN);
    crc.reset();
    crc.update(found, 0, last);
    boolean sumsWhole = in.getInt(last) == (int) crc.getValue();
    // If the checksums in the file are damaged, but their own checksum is the one computed from the
    // content, the trailer is damaged and the content is intact.
    boolean contentWhole =
        !sumsWhole && Arrays.equals(found, last, found.length, expected, last, found.length);
    List<DamagedRegion> regions = new ArrayList<>();
    if (!contentWhole) {
      String reason = (sumsWhole ? "content" : "content or trailer") + DAMAGED;
      addDamagedChunks(in, payloadStart, reason, regions);
    }
    if (!sumsWhole || regions.isEmpty()) {
      String reason = sumsWhole ? RESERVED : "trailer" + DAMAGED;
      regions.add(new DamagedRegion(payloadEnd, payloadEnd + found.length, reason));
    }
    return regions;
  }

  private void addDamagedChunks(
      ByteBuffer found, long payloadStart, String reason, List<DamagedRegion> regions) {
    for (int i = 0, first = 0; i <= chunks; i++) {
      if (i < chunks && found.getInt(i * Integer.BYTES) != sums[i]) {
        continue;
      }
      if (first < i) {
        long to = Math.min((long) i * CHUNK, payloadSize);
        regions.add(
            new DamagedRegion(payloadStart + (long) first * CHUNK, payloadStart + to, reason));
      }
      first = i + 1;
    }
  }

  /**
   * Compares a trailer with its own checksum, and checks that its padding is zero.
   *
   * @param found the trailer of a payload of {@code payloadSize} bytes, little-endian; its position
   *     and limit are not changed
   * @param at the offset of the trailer
   */
  static void checkItself(ByteBuffer found, long payloadSize, long at)
      throws FilterFormatException {
    int last = found.limit() - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(found.slice(0, last));
    if (found.getInt(last) != (int) crc.getValue()) {
      throw new FilterFormatException(Reason.DAMAGED, at, "trailer" + DAMAGED);
    }
    for (int i = (int) (Integer.BYTES * chunks(payloadSize)); i < last; i++) {
      if (found.get(i) != 0) {
        throw new FilterFormatException(Reason.INVALID, at + i, RESERVED);
      }
    }
  }
}
