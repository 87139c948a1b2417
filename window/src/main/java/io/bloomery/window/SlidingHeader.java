package io.bloomery.window;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The header of the file of a window, before its three filters. {@code docs/FORMAT.md} describes
 * every byte.
 *
 * @param keys the number of keys remembered, or expected for each time
 * @param rate the rate of the whole window
 * @param nanos the time, or {@link Extent#BY_KEYS}
 * @param isOdd whether an odd number of generations was begun before the youngest
 * @param written the time of writing, in nanoseconds since 1970
 * @param age the age of the youngest at that time, in nanoseconds
 * @param generations the generations, the youngest first
 */
record SlidingHeader(
    long keys,
    double rate,
    long nanos,
    boolean isOdd,
    long written,
    long age,
    List<Counts> generations) {

  /**
   * The counts of a generation, and the length of its filter.
   *
   * @param taken the number of distinct keys put into it
   * @param unknown the number of these that no generation remembered before
   * @param length the number of bytes of its filter in the file
   */
  record Counts(long taken, long unknown, long length) {}

  static final int SIZE = 192;

  static final String MAGIC = "BLOOMWIN";

  private static final int VERSION = 1;
  private static final int VERSION_AT = 8;
  private static final int KEYS_AT = 16;
  private static final int RATE_AT = 24;
  private static final int NANOS_AT = 32;
  private static final int ODD_AT = 40;
  private static final int WRITTEN_AT = 48;
  private static final int AGE_AT = 56;
  private static final int GENERATIONS_AT = 64;
  private static final int COUNTS_SIZE = 24;
  private static final int PADDING_AT = GENERATIONS_AT + Extent.GENERATIONS * COUNTS_SIZE;
  private static final int CRC_AT = SIZE - Integer.BYTES;

  // The size of three of them and this header fits in a long.
  private static final long LONGEST_FILTER = Long.MAX_VALUE / 4;

  static SlidingHeader of(
      long keys,
      double rate,
      long nanos,
      boolean isOdd,
      long written,
      long age,
      List<Generation> youngestFirst) {
    List<Counts> counts =
        youngestFirst.stream()
            .map(
                generation ->
                    new Counts(
                        generation.taken,
                        generation.unknown,
                        FilterFiles.serializedSize(generation.filter)))
            .toList();
    return new SlidingHeader(keys, rate, nanos, isOdd, written, age, counts);
  }

  Extent extent() {
    return new Extent(keys, nanos);
  }

  /** Returns the size of the file in bytes. */
  long fileSize() {
    return SIZE + generations.stream().mapToLong(Counts::length).sum();
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC.getBytes(StandardCharsets.US_ASCII)).put((byte) VERSION);
    out.position(KEYS_AT);
    out.putLong(keys).putDouble(rate).putLong(nanos);
    out.putLong(isOdd ? 1 : 0).putLong(written).putLong(age);
    for (Counts counts : generations) {
      out.putLong(counts.taken()).putLong(counts.unknown()).putLong(counts.length());
    }
    return out.putInt(CRC_AT, crc(out.array())).array();
  }

  private static int crc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC_AT);
    return (int) crc.getValue();
  }

  /** Returns whether a file begins as that of a window does. */
  static boolean begins(byte[] bytes) {
    return new String(bytes, 0, Math.min(bytes.length, VERSION_AT), StandardCharsets.ISO_8859_1)
        .equals(MAGIC);
  }

  /**
   * Reads a header.
   *
   * @throws FilterFormatException if it is not a valid header; at byte 0 or that of the version if
   *     it has another format
   */
  static SlidingHeader decode(byte[] bytes) throws FilterFormatException {
    if (!begins(bytes)) {
      throw new FilterFormatException(
          Reason.NOT_A_FILTER,
          0,
          "not a window: it must start with '" + MAGIC + "'; a filter is opened by Bloomery");
    }
    if (bytes.length < SIZE) {
      throw new FilterFormatException(
          Reason.TRUNCATED, bytes.length, "ends here, in the middle of a window's header");
    }
    if (bytes[VERSION_AT] != VERSION) {
      throw new FilterFormatException(
          Reason.UNSUPPORTED_VERSION,
          VERSION_AT,
          "version of a window must be "
              + VERSION
              + ", but is "
              + Byte.toUnsignedInt(bytes[VERSION_AT])
              + "; read it with the release of Bloomery that wrote it, or a newer one");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(CRC_AT) != crc(bytes)) {
      throw new FilterFormatException(
          Reason.DAMAGED, 0, "header damaged: its checksum does not match");
    }
    checkZero(in, VERSION_AT + 1, KEYS_AT);
    checkZero(in, PADDING_AT, CRC_AT);
    return decode(in);
  }

  private static void checkZero(ByteBuffer in, int from, int to) throws FilterFormatException {
    for (int i = from; i < to; i++) {
      require(in.get(i) == 0, i, "reserved byte must be zero, but is " + in.get(i));
    }
  }

  private static void require(boolean holds, int at, String reason) throws FilterFormatException {
    if (!holds) {
      throw new FilterFormatException(Reason.INVALID, at, reason);
    }
  }

  private static SlidingHeader decode(ByteBuffer in) throws FilterFormatException {
    long keys = in.getLong(KEYS_AT);
    double rate = in.getDouble(RATE_AT);
    try {
      FilterSpec.of(keys, rate);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(KEYS_AT, e);
    }
    long nanos = in.getLong(NANOS_AT);
    require(
        nanos == Extent.BY_KEYS
            || (nanos >= Extent.SHORTEST.toNanos() && nanos <= Extent.LONGEST.toNanos()),
        NANOS_AT,
        "time must be 0, or from 10^6 to 2.16 * 10^18 ns, but is " + nanos);
    Extent extent = new Extent(keys, nanos);
    long odd = in.getLong(ODD_AT);
    require(odd == 0 || odd == 1, ODD_AT, "parity must be 0 or 1, but is " + odd);
    long written = in.getLong(WRITTEN_AT);
    require(written >= 0, WRITTEN_AT, "time of writing must not be negative, but is " + written);
    long age = in.getLong(AGE_AT);
    require(
        age >= 0 && (extent.isByTime() ? age < extent.step() : age == 0),
        AGE_AT,
        "age must be from 0 to less than half of the time, but is " + age);
    Counts[] counts = new Counts[Extent.GENERATIONS];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = counts(in, GENERATIONS_AT + i * COUNTS_SIZE);
    }
    if (!extent.isByTime()) {
      checkClosed(counts, extent, odd == 1);
    }
    return new SlidingHeader(keys, rate, nanos, odd == 1, written, age, List.of(counts));
  }

  private static Counts counts(ByteBuffer in, int at) throws FilterFormatException {
    long taken = in.getLong(at);
    long unknown = in.getLong(at + Long.BYTES);
    long length = in.getLong(at + 2 * Long.BYTES);
    require(
        0 <= unknown && unknown <= taken,
        at,
        "a generation must have from 0 to all its keys new, but has " + unknown + " of " + taken);
    require(
        length > 0 && length <= LONGEST_FILTER,
        at + 2 * Long.BYTES,
        "a filter must have from 1 to " + LONGEST_FILTER + " bytes, but has " + length);
    return new Counts(taken, unknown, length);
  }

  /** Checks the counts of the closed generations in a window that counts keys. */
  private static void checkClosed(Counts[] counts, Extent extent, boolean isOdd)
      throws FilterFormatException {
    for (int i = 0; i < counts.length; i++) {
      long taken = counts[i].taken();
      long unknown = counts[i].unknown();
      long most = extent.newKeysOf(isOdd == (i % 2 == 0));
      boolean isFull = taken == extent.keys() || unknown == most;
      boolean isWithin = taken <= extent.keys() && unknown <= most;
      boolean isEmpty = taken == 0 && counts[Extent.GENERATIONS - 1].taken() == 0;
      require(
          isWithin && (i == 0 ? !isFull : isFull || isEmpty),
          GENERATIONS_AT + i * COUNTS_SIZE,
          "a generation must be closed by "
              + extent.keys()
              + " keys or "
              + most
              + " new ones, and only the youngest may have fewer, but this one has "
              + taken
              + " and "
              + unknown);
    }
  }
}
