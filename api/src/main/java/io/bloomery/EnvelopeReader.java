package io.bloomery;

import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.file.FileInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a filter from header, payload and trailer, and nothing behind them. */
final class EnvelopeReader implements PayloadInput {

  /** The length of a stream that does not tell. */
  static final long UNKNOWN = FileInput.UNKNOWN;

  private static final int BUFFER_WORDS = 1 << 11;
  private static final int MIN_PART = 1 << 10;

  // As many as the largest table has; some JVMs have no longer arrays.
  private static final int MAX_WORDS = Integer.MAX_VALUE - 7;

  private final InputStream in;
  private final long present;
  private final Trailer trailer = new Trailer();
  private final Header header;
  private long offset;
  private byte @Nullable [] buffer; // null before content is read
  private long allocated;

  /**
   * Reads the header from a stream that has at most so many bytes, if that is not {@link #UNKNOWN}.
   */
  private EnvelopeReader(InputStream in, long present) throws IOException {
    this.in = in;
    this.present = present;
    this.header = readHeader();
  }

  /**
   * Reads one filter.
   *
   * @param length how many bytes there are in all, which must be exactly the filter's, or {@link
   *     #UNKNOWN}
   */
  static Filter read(InputStream in, long length, Opening opening) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, length);
    reader.checkNothingFollows();
    return reader.readFilter(opening);
  }

  /** Reads one filter, and nothing behind it; unless it throws, the position is then there. */
  static Filter read(ByteBuffer in, Opening opening) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(new BufferInput(in.duplicate()), in.remaining());
    Filter filter = reader.readFilter(opening);
    in.position(in.position() + (int) reader.offset);
    return filter;
  }

  /** Reads one filter, and nothing behind it. */
  static Filter read(ReadableByteChannel in, Opening opening) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(new ChannelInput(in), UNKNOWN);
    return reader.readFilter(opening);
  }

  /** Reads the header of a filter that has {@code length} bytes in all. */
  static Header header(InputStream in, long length) throws IOException {
    EnvelopeReader reader = new EnvelopeReader(in, length);
    reader.checkNothingFollows();
    return reader.header;
  }

  private Header readHeader() throws IOException {
    if (present == 0) {
      throw new FilterFormatException(0, "not a Bloomery filter: it is empty");
    }
    byte[] prefix = new byte[Header.PREFIX];
    readFully(prefix, 0, prefix.length);
    byte[] bytes = Arrays.copyOf(prefix, Header.length(prefix));
    readFully(bytes, prefix.length, bytes.length);
    Header header = Header.decode(bytes);
    if (present != UNKNOWN && present < totalSize(header)) {
      throw new FilterFormatException(
          present, "ends here, but must have " + totalSize(header) + " bytes");
    }
    return header;
  }

  private static long totalSize(Header header) {
    return header.size() + header.payloadSize() + Trailer.size(header.payloadSize());
  }

  private void checkNothingFollows() throws FilterFormatException {
    long size = totalSize(header);
    if (present > size) {
      throw new FilterFormatException(
          size, "the filter ends here, but " + (present - size) + " more bytes follow");
    }
  }

  private void readFully(byte[] bytes, int from, int to) throws IOException {
    for (int at = from; at < to; ) {
      int read = in.read(bytes, at, to - at);
      if (read == 0) {
        // Streams should not return without a byte, but some do. This way must wait for one.
        int next = in.read();
        if (next >= 0) {
          bytes[at] = (byte) next;
        }
        read = next < 0 ? -1 : 1;
      }
      if (read < 0) {
        throw new FilterFormatException(offset, "ends here, in the middle of a filter");
      }
      at += read;
      offset += read;
    }
  }

  private Filter readFilter(Opening opening) throws IOException {
    Filter filter =
        opening
            .provider(header)
            .read(header.spec(), header.layout(), this, opening.mode(), opening.limits());
    long payloadEnd = header.size() + header.payloadSize();
    if (offset != payloadEnd) {
      throw malformed("content must end at byte " + payloadEnd + " for this layout, but ends here");
    }
    byte[] found = new byte[(int) Trailer.size(header.payloadSize())];
    readFully(found, 0, found.length);
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
    if (count > MAX_WORDS || HeapLimit.isBelow(count * Long.BYTES)) {
      throw tooLarge(count);
    }
    return count <= affordable() ? readWords((int) count) : readInParts((int) count);
  }

  private static IOException tooLarge(long words) {
    return HeapLimit.tooLow(words * Long.BYTES, "map the file");
  }

  /**
   * Returns how many words may be allocated before more is read. Nothing is allocated on the word
   * of the header alone: what is known to be there may be, and else twice what has been read.
   */
  private long affordable() {
    return present == UNKNOWN
        ? MIN_PART + (2 * (offset - header.size()) - allocated) / Long.BYTES
        : MAX_WORDS;
  }

  // Every part that is read makes room for one of the same size, and all together for the whole.
  // What was read before is kept, and parts of this beside it until it is put together.
  private long[] readInParts(int count) throws IOException {
    long needed = header.payloadSize() / Long.BYTES + count;
    if (HeapLimit.isBelow(needed * Long.BYTES)) {
      // Refused before the parts fill a heap that has no room for the whole: what else runs in this
      // JVM would be the first to go without.
      throw HeapLimit.tooLow(
          needed * Long.BYTES, "open the file itself, as a stream does not say how long it is");
    }
    List<long[]> parts = new ArrayList<>();
    for (int left = count, size; left > 0; left -= size) {
      size = (int) Math.min(left, Math.max(MIN_PART, affordable()));
      parts.add(readWords(size));
    }
    long[] words = allocate(count);
    int at = 0;
    for (long[] part : parts) {
      System.arraycopy(part, 0, words, at, part.length);
      at += part.length;
    }
    return words;
  }

  private long[] allocate(int count) throws IOException {
    try {
      long[] words = new long[count];
      allocated += (long) count * Long.BYTES;
      return words;
    } catch (OutOfMemoryError e) {
      // One failed request for one array leaves the heap as it was.
      throw tooLarge(count);
    }
  }

  private long[] readWords(int count) throws IOException {
    long[] words = allocate(count);
    if (buffer == null) {
      buffer = new byte[(int) Math.min(BUFFER_WORDS * Long.BYTES, header.payloadSize())];
    }
    byte[] bytes = buffer;
    LongBuffer asWords = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    for (int at = 0, step; at < count; at += step) {
      step = Math.min(asWords.capacity(), count - at);
      readFully(bytes, 0, step * Long.BYTES);
      trailer.update(bytes, step * Long.BYTES);
      asWords.get(0, words, at, step);
    }
    return words;
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(offset, reason);
  }
}
