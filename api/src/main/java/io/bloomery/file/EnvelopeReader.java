package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.file.FileInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of one filter: its header, payload and trailer, and no byte behind them. */
final class EnvelopeReader implements PayloadInput {

  /** The length of a stream whose length is unknown. */
  static final long UNKNOWN = FileInput.UNKNOWN;

  private static final int BUFFER_WORDS = 1 << 11;
  private static final int MIN_PART = 1 << 10;

  // The number of words of the largest table; some JVMs do not support longer arrays.
  private static final int MAX_ELEMENTS = Integer.MAX_VALUE - 7;

  private final InputStream in;
  private final long present;
  private final Trailer trailer = new Trailer();
  private final FilterHeader header;
  private long offset;
  private byte @Nullable [] buffer; // null before content is read
  private long allocated;

  /**
   * Reads the header.
   *
   * @param present the maximum number of bytes in the stream, or {@link #UNKNOWN}
   */
  private EnvelopeReader(InputStream in, long present) throws IOException {
    this.in = in;
    this.present = present;
    this.header = readHeader();
  }

  /**
   * Reads one filter.
   *
   * @param length the total number of bytes, which must be exactly that of the filter, or {@link
   *     #UNKNOWN}
   */
  static StoredFilter read(InputStream in, long length, Opening opening) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, length);
    reader.checkNothingFollows();
    return reader.readFilter(opening);
  }

  /**
   * Reads one filter and advances the position to its end; an exception leaves the position
   * unchanged.
   */
  static StoredFilter read(ByteBuffer in, Opening opening) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(new BufferInput(in.duplicate()), in.remaining());
    StoredFilter filter = reader.readFilter(opening);
    in.position(in.position() + (int) reader.offset);
    return filter;
  }

  /** Reads the header of a filter of {@code length} bytes in total. */
  static FilterHeader header(InputStream in, long length) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, length);
    reader.checkNothingFollows();
    return reader.header;
  }

  private FilterHeader readHeader() throws IOException {
    byte[] prefix = new byte[HeaderFormat.PREFIX];
    try {
      readFully(prefix, 0, prefix.length);
    } catch (FilterFormatException e) {
      throw HeaderFormat.cut(prefix, (int) offset);
    }
    byte[] bytes = Arrays.copyOf(prefix, HeaderFormat.length(prefix));
    readFully(bytes, prefix.length, bytes.length);
    FilterHeader header = HeaderFormat.decode(bytes);
    if (present != UNKNOWN && present < totalSize(header)) {
      throw new FilterFormatException(
          Reason.TRUNCATED, present, "ends here, but must have " + totalSize(header) + " bytes");
    }
    return header;
  }

  private static long totalSize(FilterHeader header) {
    return header.headerSize() + header.payloadSize() + Trailer.size(header.payloadSize());
  }

  private void checkNothingFollows() throws FilterFormatException {
    long size = totalSize(header);
    if (present > size) {
      throw new FilterFormatException(
          Reason.TRAILING_BYTES,
          size,
          "the filter ends here, but " + (present - size) + " more bytes follow");
    }
  }

  private void readFully(byte[] bytes, int from, int to) throws IOException {
    for (int at = from; at < to; ) {
      int read = in.read(bytes, at, to - at);
      if (read == 0) {
        // Streams should not return zero bytes, but some do; reading a single byte blocks.
        int next = in.read();
        if (next >= 0) {
          bytes[at] = (byte) next;
        }
        read = next < 0 ? -1 : 1;
      }
      if (read < 0) {
        throw new FilterFormatException(
            Reason.TRUNCATED, offset, "ends here, in the middle of a filter");
      }
      at += read;
      offset += read;
    }
  }

  private StoredFilter readFilter(Opening opening) throws IOException {
    try {
      return readWhole(opening);
    } catch (OutOfMemoryError e) {
      // An array did not fit, or those that did left no room for anything else; they are
      // unreachable by now.
      throw ContentTooLargeException.of(header.payloadSize());
    }
  }

  private StoredFilter readWhole(Opening opening) throws IOException {
    VariantProvider provider = opening.provider(header);
    StoredFilter filter =
        Opening.returned(
            provider,
            "read",
            provider.read(
                header.spec(),
                header.layout(),
                this,
                opening.options().mode(),
                opening.options().limits()));
    long payloadEnd = header.headerSize() + header.payloadSize();
    if (offset != payloadEnd) {
      throw malformed("content must end at byte " + payloadEnd + " for this layout, but ends here");
    }
    byte[] found = new byte[(int) Trailer.size(header.payloadSize())];
    readFully(found, 0, found.length);
    trailer.check(found, header.headerSize());
    return filter;
  }

  @Override
  public long size() {
    return header.payloadSize();
  }

  /**
   * The element type of an array. Implemented by classes, because each lambda would add a
   * millisecond to the first read in a JVM.
   */
  private interface Elements<A> {

    Elements<long[]> LONGS = new Longs();

    Elements<int[]> INTS = new Ints();

    Elements<byte[]> BYTES = new Bytes();

    int bytes();

    A array(int length);

    void copy(ByteBuffer from, A array, int at, int count);
  }

  private static final class Longs implements Elements<long[]> {
    @Override
    public int bytes() {
      return Long.BYTES;
    }

    @Override
    public long[] array(int length) {
      return new long[length];
    }

    @Override
    public void copy(ByteBuffer from, long[] array, int at, int count) {
      from.asLongBuffer().get(array, at, count);
    }
  }

  private static final class Ints implements Elements<int[]> {
    @Override
    public int bytes() {
      return Integer.BYTES;
    }

    @Override
    public int[] array(int length) {
      return new int[length];
    }

    @Override
    public void copy(ByteBuffer from, int[] array, int at, int count) {
      from.asIntBuffer().get(array, at, count);
    }
  }

  private static final class Bytes implements Elements<byte[]> {
    @Override
    public int bytes() {
      return Byte.BYTES;
    }

    @Override
    public byte[] array(int length) {
      return new byte[length];
    }

    @Override
    public void copy(ByteBuffer from, byte[] array, int at, int count) {
      from.get(0, array, at, count);
    }
  }

  @Override
  public long[] readLongs(long count) throws IOException {
    return read(count, Elements.LONGS);
  }

  @Override
  public int[] readInts(long count) throws IOException {
    return read(count, Elements.INTS);
  }

  @Override
  public byte[] readBytes(long words) throws IOException {
    return read(Math.min(words, Long.MAX_VALUE / Long.BYTES) * Long.BYTES, Elements.BYTES);
  }

  private <A> A read(long count, Elements<A> elements) throws IOException {
    int inWord = Long.BYTES / elements.bytes();
    long words = count / inWord + (count % inWord == 0 ? 0 : 1);
    long left = header.headerSize() + header.payloadSize() - offset;
    if (count < 0 || words > left / Long.BYTES) {
      throw malformed("content must have " + words + " more words, but has " + left + " bytes");
    }
    if (count > MAX_ELEMENTS || HeapLimit.isBelow(count * elements.bytes())) {
      throw ContentTooLargeException.of(count * elements.bytes());
    }
    return count <= affordable(elements)
        ? readArray((int) count, elements)
        : readInParts((int) count, elements);
  }

  /**
   * Returns the number of elements that may be allocated before more is read. The size in the
   * header alone is not trusted: up to the known length of the input, everything may be allocated;
   * if that is unknown, twice as much as has been read.
   */
  private long affordable(Elements<?> elements) {
    if (present != UNKNOWN) {
      return MAX_ELEMENTS;
    }
    long words = MIN_PART + (2 * (offset - header.headerSize()) - allocated) / Long.BYTES;
    return words * (Long.BYTES / elements.bytes());
  }

  // Each part read allows the allocation of another of the same size, and all together that of the
  // whole array. The heap holds the earlier content, and the parts of this array until they are
  // joined.
  private <A> A readInParts(int count, Elements<A> elements) throws IOException {
    long needed = header.payloadSize() + (long) count * elements.bytes();
    if (HeapLimit.isBelow(needed)) {
      // Rejected before the parts fill a heap that has no room for the whole, which would make
      // other code in this JVM run out of memory first.
      throw ContentTooLargeException.of(needed)
          .or("open the file itself, as a stream does not say how long it is");
    }
    List<A> parts = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int left = count, size; left > 0; left -= size) {
      size = (int) Math.min(left, Math.max(MIN_PART, affordable(elements)));
      parts.add(readArray(size, elements));
      sizes.add(size);
    }
    A array = allocate(count, elements);
    int at = 0;
    for (int i = 0; i < parts.size(); i++) {
      System.arraycopy(parts.get(i), 0, array, at, sizes.get(i));
      at += sizes.get(i);
    }
    return array;
  }

  private <A> A allocate(int count, Elements<A> elements) {
    A array = elements.array(count);
    allocated += (long) count * elements.bytes();
    return array;
  }

  private <A> A readArray(int count, Elements<A> elements) throws IOException {
    A array = allocate(count, elements);
    if (buffer == null) {
      buffer = new byte[(int) Math.min(BUFFER_WORDS * Long.BYTES, header.payloadSize())];
    }
    byte[] bytes = buffer;
    ByteBuffer asBuffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0, step; at < count; at += step) {
      step = Math.min(bytes.length / elements.bytes(), count - at);
      int length = step * elements.bytes();
      int padding = -length & (Long.BYTES - 1);
      readFully(bytes, 0, length + padding);
      trailer.update(bytes, length + padding);
      elements.copy(asBuffer, array, at, step);
      if (padding != 0 && asBuffer.getInt(length) != 0) {
        throw malformed("bits behind the last int must be zero, but are not");
      }
    }
    return array;
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(Reason.INVALID, offset, reason);
  }
}
