package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.Names;
import io.bloomery.internal.file.LiveControl;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The encoding and decoding of headers. {@code docs/FORMAT.md} describes every byte. */
final class HeaderFormat {

  static final int VERSION = 1;

  /**
   * The sizes of payload and envelope are multiples of this, so that a mapped table is aligned to a
   * cache line.
   */
  static final int ALIGNMENT = 64;

  /** The number of bytes that determine the length of the whole header. */
  static final int PREFIX = 16;

  /** The offset of the version, after the magic number. */
  static final int VERSION_AT = 8;

  /** The offset of the variant, after three numbers. */
  static final int VARIANT_AT = PREFIX + 3 * Long.BYTES;

  private static final byte[] MAGIC = "BLOOMERY".getBytes(StandardCharsets.US_ASCII);

  // Recognised only for the message: bloomery-window reads these files.
  private static final byte[] WINDOW_MAGIC = "BLOOMWIN".getBytes(StandardCharsets.US_ASCII);

  static final int MAX_LENGTH = 8192;
  private static final long MAX_PAYLOAD = 1L << 62;
  private static final int MAX_VARIANT_LENGTH = 64;
  private static final int MAX_NUMBER_NAME_LENGTH = 32;
  private static final int MAX_NUMBERS = 64;
  private static final int MAX_HASH_ID_LENGTH = 255;

  private HeaderFormat() {}

  static byte[] encode(FilterHeader header) {
    FilterSpec spec = header.spec();
    int size = size(header);
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put((byte) VERSION).put((byte) 0).putShort((short) size).putInt(0);
    out.putLong(header.payloadSize());
    out.putLong(spec.expectedKeys()).putDouble(spec.falsePositiveRate());
    putName(out, header.variant());
    putName(out, spec.hashId());
    out.put((byte) header.layout().toMap().size());
    for (Map.Entry<String, Long> number : header.layout().toMap().entrySet()) {
      putName(out, number.getKey());
      out.putLong(number.getValue());
    }
    out.put((byte) spec.attributes().size());
    for (Map.Entry<String, String> attribute : spec.attributes().entrySet()) {
      putName(out, attribute.getKey());
      byte[] bytes = attribute.getValue().getBytes(StandardCharsets.UTF_8);
      out.putShort((short) bytes.length).put(bytes);
    }
    return out.putInt(size - Integer.BYTES, crc(out.array(), size - Integer.BYTES)).array();
  }

  /** Returns the checksum at the end of a header. */
  static int checksum(FilterHeader header) {
    byte[] bytes = encode(header);
    return ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt(bytes.length - Integer.BYTES);
  }

  /** Returns the size of a header in bytes. */
  static int size(FilterHeader header) {
    FilterSpec spec = header.spec();
    int names = 1 + header.variant().length() + 1 + spec.hashId().length();
    int numbers = 0;
    for (String name : header.layout().toMap().keySet()) {
      numbers += 1 + name.length() + Long.BYTES;
    }
    int attributes = 0;
    for (Map.Entry<String, String> attribute : spec.attributes().entrySet()) {
      attributes += sizeOfAttribute(attribute);
    }
    return (int)
        align(PREFIX + 3 * Long.BYTES + names + 1 + numbers + 1 + attributes + Integer.BYTES);
  }

  private static int sizeOfAttribute(Map.Entry<String, String> attribute) {
    int textLength = attribute.getValue().getBytes(StandardCharsets.UTF_8).length;
    return 1 + attribute.getKey().length() + Short.BYTES + textLength;
  }

  private static void putName(ByteBuffer out, String name) {
    out.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the length of the whole header, given its first {@link #PREFIX} bytes. */
  static int length(byte[] prefix) throws FilterFormatException {
    ByteBuffer in = ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    checkMagic(magic);
    int version = Byte.toUnsignedInt(in.get());
    if (version != VERSION) {
      throw new FilterFormatException(
          Reason.UNSUPPORTED_VERSION,
          VERSION_AT,
          "format version must be "
              + VERSION
              + ", but is "
              + version
              + "; read it with the release of Bloomery that wrote it, or a newer one");
    }
    mustBeZero(in, 1);
    int length = Short.toUnsignedInt(in.getShort());
    if (length < ALIGNMENT || length > MAX_LENGTH || length % ALIGNMENT != 0) {
      throw new FilterFormatException(
          Reason.INVALID,
          10,
          "header length must be a multiple of 64 up to " + MAX_LENGTH + ", but is " + length);
    }
    mustBeZero(in, Integer.BYTES);
    return length;
  }

  /** Returns the error of a file that ends after {@code size} bytes of its prefix. */
  static FilterFormatException cut(byte[] prefix, int size) throws FilterFormatException {
    if (size == 0) {
      return new FilterFormatException(Reason.TRUNCATED, 0, "not a Bloomery filter: it is empty");
    }
    byte[] magic = MAGIC.clone();
    System.arraycopy(prefix, 0, magic, 0, Math.min(size, magic.length));
    checkMagic(magic);
    return new FilterFormatException(
        Reason.TRUNCATED, size, "ends here, in the middle of a filter");
  }

  private static void checkMagic(byte[] magic) throws FilterFormatException {
    if (Arrays.equals(magic, WINDOW_MAGIC)) {
      throw new FilterFormatException(
          Reason.OTHER_KIND,
          0,
          "not a Bloomery filter, but a window: open it with SlidingBloomFilter, of"
              + " bloomery-window");
    }
    if (LiveControl.begins(magic)) {
      throw new FilterFormatException(
          Reason.OTHER_KIND,
          0,
          "a live filter or window, which is changed by openLive, not by update, and read by its"
              + " path, not from a stream");
    }
    if (ShardManifest.begins(magic)) {
      throw new FilterFormatException(
          Reason.OTHER_KIND,
          0,
          "not a Bloomery filter, but the manifest of one in shards: open the folder that it is in");
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw new FilterFormatException(
          Reason.NOT_A_FILTER, 0, "not a Bloomery filter: it must start with 'BLOOMERY'");
    }
  }

  static FilterHeader decode(byte[] bytes) throws FilterFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int checked = bytes.length - Integer.BYTES;
    if (in.getInt(checked) != crc(bytes, checked)) {
      throw new FilterFormatException(
          Reason.DAMAGED, checked, "header damaged: its checksum does not match");
    }
    in.limit(checked).position(PREFIX);
    try {
      FilterHeader header = decodeFields(in);
      mustBeZero(in, in.remaining());
      if (size(header) != bytes.length) {
        throw new FilterFormatException(Reason.INVALID, 10, "header longer than its content");
      }
      return header;
    } catch (BufferUnderflowException e) {
      throw new FilterFormatException(
          Reason.INVALID, in.position(), "header too short for its content");
    }
  }

  private static FilterHeader decodeFields(ByteBuffer in) throws FilterFormatException {
    long payloadSize = in.getLong();
    if (payloadSize < 0 || payloadSize > MAX_PAYLOAD || payloadSize % Long.BYTES != 0) {
      throw new FilterFormatException(
          Reason.INVALID,
          PREFIX,
          "payload size must be a multiple of 8 up to 2^62, but is " + payloadSize);
    }
    int specAt = in.position();
    long expectedKeys = in.getLong();
    double rate = in.getDouble();
    String variant = getName(in, MAX_VARIANT_LENGTH);
    String hashId = getName(in, MAX_HASH_ID_LENGTH);
    FilterSpec spec;
    try {
      spec = FilterSpec.of(expectedKeys, rate, hashId);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(specAt, e);
    }
    SortedMap<String, Long> layout = getNumbers(in);
    int attributesAt = in.position();
    SortedMap<String, String> attributes = getAttributes(in);
    try {
      return new FilterHeader(
          variant, spec.withAttributes(attributes), FilterLayout.of(layout), payloadSize);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(attributesAt, e);
    }
  }

  private static SortedMap<String, Long> getNumbers(ByteBuffer in) throws FilterFormatException {
    int at = in.position();
    int count = Byte.toUnsignedInt(in.get());
    if (count > MAX_NUMBERS) {
      throw new FilterFormatException(
          Reason.INVALID, at, "layout must have at most 64 numbers, but has " + count);
    }
    SortedMap<String, Long> layout = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      int nameAt = in.position();
      String name = getName(in, MAX_NUMBER_NAME_LENGTH);
      if (!layout.isEmpty() && layout.lastKey().compareTo(name) >= 0) {
        throw new FilterFormatException(
            Reason.INVALID,
            nameAt,
            "layout must be in the order of its names, but has '" + name + "' too late");
      }
      layout.put(name, in.getLong());
    }
    return layout;
  }

  private static SortedMap<String, String> getAttributes(ByteBuffer in)
      throws FilterFormatException {
    int at = in.position();
    int count = Byte.toUnsignedInt(in.get());
    if (count > Attributes.MAX_COUNT) {
      throw new FilterFormatException(
          Reason.INVALID,
          at,
          "attributes must be at most " + Attributes.MAX_COUNT + ", but are " + count);
    }
    SortedMap<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      int nameAt = in.position();
      String name = getName(in, Attributes.MAX_NAME_LENGTH);
      if (!attributes.isEmpty() && attributes.lastKey().compareTo(name) >= 0) {
        throw new FilterFormatException(
            Reason.INVALID,
            nameAt,
            "attributes must be in the order of names, but '" + name + "' comes too late");
      }
      attributes.put(name, getText(in));
    }
    return attributes;
  }

  private static String getText(ByteBuffer in) throws FilterFormatException {
    int at = in.position();
    int length = Short.toUnsignedInt(in.getShort());
    if (length > in.remaining()) {
      throw new FilterFormatException(
          Reason.INVALID, at, "header too short for a text of " + length + " bytes");
    }
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new FilterFormatException(
          Reason.INVALID, at + Short.BYTES, "text of an attribute must be UTF-8");
    }
  }

  private static String getName(ByteBuffer in, int maxLength) throws FilterFormatException {
    int at = in.position();
    byte[] bytes = new byte[Byte.toUnsignedInt(in.get())];
    in.get(bytes);
    String name = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!Names.isName(name, maxLength)) {
      throw new FilterFormatException(
          Reason.INVALID, at, "a name must be 1 to " + maxLength + " printable ASCII characters");
    }
    return name;
  }

  private static void mustBeZero(ByteBuffer in, int count) throws FilterFormatException {
    for (int i = 0; i < count; i++) {
      int at = in.position();
      if (in.get() != 0) {
        throw new FilterFormatException(Reason.INVALID, at, "a reserved byte must be zero");
      }
    }
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  static long align(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
