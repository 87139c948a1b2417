package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads a filter from header, payload and trailer, and nothing behind them. */
final class EnvelopeReader implements PayloadInput {

  /** The length of a stream that does not tell. */
  static final long UNKNOWN = -1;

  private static final int CHUNK_WORDS = 1 << 12;
  private static final int PART_WORDS = 1 << 17;

  private final InputStream in;
  private final Trailer trailer = new Trailer();
  private final boolean lengthKnown;
  private Header header;
  private long offset;

  private EnvelopeReader(InputStream in, boolean lengthKnown) {
    this.in = in;
    this.lengthKnown = lengthKnown;
  }

  /**
   * Reads one filter.
   *
   * @param length how many bytes there are in all, which must be exactly the filter's, or {@link
   *     #UNKNOWN}
   */
  static Filter read(InputStream in, long length, Catalog catalog, ThreadMode mode)
      throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, length != UNKNOWN);
    reader.readHeader(length);
    return reader.readFilter(catalog, mode);
  }

  /** Reads the header of a filter that has {@code length} bytes in all. */
  static Header header(InputStream in, long length) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, true);
    reader.readHeader(length);
    return reader.header;
  }

  private void readHeader(long length) throws IOException {
    if (length == 0) {
      throw new FilterFormatException(0, "not a Bloomery filter: it is empty");
    }
    byte[] prefix = new byte[Header.PREFIX];
    readFully(prefix, 0);
    int size = Header.length(prefix);
    byte[] bytes = new byte[size];
    System.arraycopy(prefix, 0, bytes, 0, prefix.length);
    readFully(bytes, prefix.length);
    header = Header.decode(bytes);
    long total = size + header.payloadSize() + Trailer.size(header.payloadSize());
    if (length != UNKNOWN && length < total) {
      throw new FilterFormatException(length, "ends here, but must have " + total + " bytes");
    }
    if (length != UNKNOWN && length > total) {
      throw new FilterFormatException(
          total, "the filter ends here, but " + (length - total) + " more bytes follow");
    }
  }

  private void readFully(byte[] bytes, int from) throws IOException {
    int read = in.readNBytes(bytes, from, bytes.length - from);
    offset += read;
    if (read < bytes.length - from) {
      throw new FilterFormatException(offset, "ends here, in the middle of a filter");
    }
  }

  private Filter readFilter(Catalog catalog, ThreadMode mode) throws IOException {
    if (!catalog.has(header.variant())) {
      throw new FilterFormatException(
          Header.PREFIX + 3 * Long.BYTES, catalog.unknown(header.variant()));
    }
    Filter filter = catalog.get(header.variant()).read(header.spec(), header.layout(), this, mode);
    long payloadEnd = header.size() + header.payloadSize();
    if (offset != payloadEnd) {
      throw malformed("content must end at byte " + payloadEnd + " for this layout, but ends here");
    }
    byte[] found = new byte[(int) Trailer.size(header.payloadSize())];
    readFully(found, 0);
    trailer.check(found, header.size());
    return filter;
  }

  @Override
  public long size() {
    return header.payloadSize();
  }

  @Override
  public long[] readLongs(long count) throws IOException {
    long left = header.size() + header.payloadSize() - offset;
    if (count < 0 || count > left / Long.BYTES) {
      throw malformed("content must have " + count + " more words, but has " + left + " bytes");
    }
    long heap = Runtime.getRuntime().maxMemory();
    if (count * Long.BYTES > heap) {
      throw malformed(
          "content needs " + count * Long.BYTES + " bytes, but the heap is limited to " + heap);
    }
    return lengthKnown ? readWords((int) count) : readUntrusted((int) count);
  }

  private long[] readWords(int count) throws IOException {
    long[] words = new long[count];
    byte[] bytes = new byte[Math.min(count, CHUNK_WORDS) * Long.BYTES];
    LongBuffer chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    for (int at = 0; at < count; at += CHUNK_WORDS) {
      int step = Math.min(CHUNK_WORDS, count - at);
      if (step * Long.BYTES < bytes.length) {
        bytes = new byte[step * Long.BYTES];
        chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
      }
      readFully(bytes, 0);
      trailer.update(bytes, bytes.length);
      chunk.get(0, words, at, step);
    }
    return words;
  }

  // Nothing is allocated on the word of the header alone: a stream that ends early has cost no more
  // than it was long.
  private long[] readUntrusted(int count) throws IOException {
    List<long[]> parts = new ArrayList<>();
    for (int left = count; left > 0; left -= PART_WORDS) {
      parts.add(readWords(Math.min(left, PART_WORDS)));
    }
    long[] words = new long[count];
    for (int i = 0; i < parts.size(); i++) {
      System.arraycopy(parts.get(i), 0, words, i * PART_WORDS, parts.get(i).length);
    }
    return words;
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(offset, reason);
  }
}
