package io.bloomery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A filter's file in memory that the operating system fills as it is asked for: the payload in
 * segments, and the trailer.
 *
 * <p>No file stays open, and nothing is unmapped by hand: a mapping goes when the garbage collector
 * finds that nobody can ask it any more, so that no query can ever meet one that is gone.
 */
final class MappedFile implements PayloadInput {

  /** How much of a file one buffer maps at most: a buffer counts its bytes by an int. */
  static final int SEGMENT = 1 << 30;

  private static final int CHUNK = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final int segment;
  private final Header header;
  private final ByteBuffer trailer;
  private final ByteBuffer[] payload; // null where not mapped so far
  private long position;

  private MappedFile(Path path, FileChannel channel, int segment) throws IOException {
    this.path = path;
    this.channel = channel;
    this.segment = segment;
    this.header = EnvelopeReader.header(Channels.newInputStream(channel), channel.size());
    long size = header.payloadSize();
    if (Trailer.size(size) > Integer.MAX_VALUE) {
      throw new FilterFormatException(
          Header.PREFIX, "payload must be less than 2^48 bytes to be mapped, but is " + size);
    }
    this.trailer = map(header.size() + size, Trailer.size(size));
    this.payload = new ByteBuffer[segments(size)];
  }

  /**
   * Maps a filter.
   *
   * @param segment how many bytes one buffer maps at most, a power of two and at least 64
   */
  static MappedFilter map(Path path, Opening opening, int segment) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory, not a filter");
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new FileSystemException(
          path.toString(), null, "is not a regular file and cannot be mapped; open it instead");
    }
    try (FileChannel channel = FileChannel.open(path)) {
      MappedFile file = new MappedFile(path, channel, segment);
      Header header = file.header;
      FilterView view = opening.provider(header).map(header.spec(), header.layout(), file);
      Trailer.checkItself(file.trailer, header.size() + header.payloadSize());
      for (int i = 0; i < file.payload.length; i++) {
        file.segment(i);
      }
      return new MappedFilter(file, view);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  private ByteBuffer map(long from, long size) throws IOException {
    return channel.map(FileChannel.MapMode.READ_ONLY, from, size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private int segments(long bytes) {
    return (int) ((bytes + segment - 1) / segment);
  }

  private ByteBuffer segment(int number) throws IOException {
    if (payload[number] == null) {
      long from = (long) number * segment;
      payload[number] = map(header.size() + from, Math.min(segment, header.payloadSize() - from));
    }
    return payload[number];
  }

  @Override
  public long size() {
    return header.payloadSize();
  }

  @Override
  public long[] readLongs(long count) throws IOException {
    check(count);
    long heap = Runtime.getRuntime().maxMemory();
    if (count * Long.BYTES > heap || count > Integer.MAX_VALUE) {
      throw malformed(
          "content needs " + count * Long.BYTES + " bytes, but the heap is limited to " + heap);
    }
    long[] words = new long[(int) count];
    for (int done = 0; done < words.length; ) {
      int from = (int) (position % segment);
      int step = Math.min(words.length - done, (segment - from) / Long.BYTES);
      segment((int) (position / segment)).asLongBuffer().get(from / Long.BYTES, words, done, step);
      done += step;
      position += (long) step * Long.BYTES;
    }
    return words;
  }

  @Override
  public LongBuffer[] mapLongs(long count) throws IOException {
    check(Math.max(count, 1));
    long bytes = count * Long.BYTES;
    LongBuffer[] buffers = new LongBuffer[segments(bytes)];
    for (int i = 0; i < buffers.length; i++) {
      long from = (long) i * segment;
      buffers[i] = part(position + from, Math.min(segment, bytes - from)).asLongBuffer();
    }
    position += bytes;
    return buffers;
  }

  // What begins with the payload, and what is small, costs no mapping of its own.
  private ByteBuffer part(long from, long size) throws IOException {
    int number = (int) (from / segment);
    if (number != (int) ((from + size - 1) / segment)) {
      return map(header.size() + from, size);
    }
    return segment(number).slice((int) (from % segment), (int) size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void check(long count) throws FilterFormatException {
    long left = header.payloadSize() - position;
    if (count < 0 || count > left / Long.BYTES) {
      throw malformed("content must have " + count + " more words, but has " + left + " bytes");
    }
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return new FilterFormatException(header.size() + position, reason);
  }

  Header header() {
    return header;
  }

  Path path() {
    return path;
  }

  /** Reads everything behind the header, compares it with its checksums and returns the damage. */
  List<DamagedRegion> verify() {
    Trailer sums = new Trailer();
    byte[] chunk = new byte[CHUNK];
    for (ByteBuffer part : payload) {
      for (int at = 0; at < part.limit(); at += chunk.length) {
        int step = Math.min(chunk.length, part.limit() - at);
        part.get(at, chunk, 0, step);
        sums.update(chunk, step);
      }
    }
    byte[] found = new byte[trailer.limit()];
    trailer.get(0, found);
    return sums.damage(found, header.size());
  }
}
