package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A memory-mapped file of a filter: its payload in segments, and its trailer.
 *
 * <p>The file is not kept open and never unmapped explicitly: a mapping is released when the
 * garbage collector finds it unreachable, so that no query can access a mapping that has been
 * released.
 */
final class MappedFile {

  /** The maximum number of bytes that one buffer maps; buffers are indexed by an int. */
  static final int SEGMENT = 1 << 30;

  private static final int CHUNK = 1 << 16;

  private static final long WHOLE = -1;

  private final Path path;
  private final FileChannel channel;
  private final int segment;
  private final MapMode mode;
  private final @Nullable ByteBuffer control; // null unless it is a live file
  private final long start; // of the filter
  private final FilterHeader header;
  private final ByteBuffer trailer;
  private final int trailerChecksum;
  private final @Nullable ByteBuffer[] payload; // null where not mapped yet
  private final @Nullable MappedByteBuffer[] writable; // the same, if writable

  private MappedFile(Path path, FileChannel channel, int segment, MapMode mode) throws IOException {
    this(path, channel, segment, mode, WHOLE, channel.size());
  }

  /**
   * Maps a filter.
   *
   * @param from the offset of the filter, or {@link #WHOLE} if the file has nothing else
   * @param end the offset of its end
   */
  private MappedFile(Path path, FileChannel channel, int segment, MapMode mode, long from, long end)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.segment = segment;
    this.mode = mode;
    this.control = from == WHOLE ? control() : null;
    this.start = from != WHOLE ? from : control == null ? 0 : LiveControl.SIZE;
    Optional<LiveControl> live = liveControl();
    FilterHeader read =
        EnvelopeReader.header(Channels.newInputStream(channel.position(start)), end - start);
    this.header = live.isEmpty() ? read : read.live(live.get());
    long size = header.payloadSize();
    if (Trailer.size(size) > Integer.MAX_VALUE) {
      throw new FilterFormatException(
          Reason.INVALID,
          HeaderFormat.PREFIX,
          "payload must be less than 2^48 bytes to be mapped, but is " + size);
    }
    this.trailer = map(MapMode.READ_ONLY, start + header.headerSize() + size, Trailer.size(size));
    this.trailerChecksum = trailer.getInt(trailer.limit() - Integer.BYTES);
    this.payload = new ByteBuffer[segments(size)];
    this.writable = new MappedByteBuffer[payload.length];
  }

  /** Maps the control of a live file; returns null if the file is none. */
  private @Nullable ByteBuffer control() throws IOException {
    ByteBuffer first = ByteBuffer.allocate(Long.BYTES);
    channel.read(first, 0);
    if (!LiveControl.begins(first.array())) {
      return null;
    }
    return map(MapMode.READ_ONLY, 0, Math.min(channel.size(), LiveControl.SIZE));
  }

  /** Returns the control as it stands; empty if this is no live file. */
  private Optional<LiveControl> liveControl() throws FilterFormatException {
    return control == null ? Optional.empty() : Optional.of(LiveEnvelope.decode(control));
  }

  /**
   * Maps a filter.
   *
   * @param segment the maximum number of bytes that one buffer maps: a power of two, at least 64
   */
  static MappedFilter map(Path path, Opening opening, int segment) throws IOException {
    FilterFile.checkNoDirectory(path);
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new FileSystemException(
          path.toString(), null, "is not a regular file and cannot be mapped; open it instead");
    }
    try {
      return MappingFaults.read(path, () -> mapRegular(path, opening, segment));
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    }
  }

  private static MappedFilter mapRegular(Path path, Opening opening, int segment)
      throws IOException {
    try (FileChannel channel = FileInput.channel(path)) {
      MappedFile file = new MappedFile(path, channel, segment, MapMode.READ_ONLY);
      VariantProvider provider = opening.provider(file.header);
      return file.mapped(provider);
    }
  }

  /** Maps a live file, to be written to. */
  static MappedFile writable(Path path, FileChannel channel, int segment) throws IOException {
    return new MappedFile(path, channel, segment, MapMode.READ_WRITE);
  }

  /** Maps a filter in a part of a file, to be written to. */
  static MappedFile part(Path path, FileChannel channel, int segment, long from, long end)
      throws IOException {
    return new MappedFile(path, channel, segment, MapMode.READ_WRITE, from, end);
  }

  /** Maps all of the file, while it is open, to be queried. */
  private MappedFilter mapped(VariantProvider provider) throws IOException {
    return mapped(provider, header.live().map(LiveState::isOpen).orElse(false));
  }

  /**
   * Maps all of the file, while it is open, to be queried.
   *
   * @param isOpen whether it is open for writing: its trailer is not made yet
   */
  MappedFilter mapped(VariantProvider provider, boolean isOpen) throws IOException {
    FilterView view = view(provider);
    if (!isOpen) {
      checkTrailer();
    }
    mapRest();
    return new MappedFilter(this, provider, view);
  }

  private void checkTrailer() throws FilterFormatException {
    Trailer.checkItself(
        ByteBuffer.wrap(trailer()).order(ByteOrder.LITTLE_ENDIAN),
        header.payloadSize(),
        header.headerSize() + header.payloadSize());
  }

  /** Returns whether it is mapped to be written to. */
  boolean isWritten() {
    return mode == MapMode.READ_WRITE;
  }

  /** Returns all of the content, to be written to, which was mapped so. */
  ByteBuffer[] writable() {
    return writable.clone();
  }

  /** Forces what was written to the disk. */
  void force() throws IOException {
    try {
      for (MappedByteBuffer mapped : writable) {
        mapped.force();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private FilterView view(VariantProvider provider) throws IOException {
    try {
      return Opening.returned(
          provider, "map", provider.map(header.spec(), header.layout(), content()));
    } catch (OutOfMemoryError e) { // by a variant that reads its content into arrays
      throw tooLarge(header.payloadSize());
    }
  }

  private IOException tooLarge(long bytes) {
    return ContentTooLargeException.of(bytes)
        .in(path)
        .or("use a variant that answers from its mapping");
  }

  private void mapRest() throws IOException {
    for (int i = 0; i < payload.length; i++) {
      segment(i);
    }
  }

  /**
   * Maps bytes.
   *
   * @param from the offset of the first one in the file
   */
  private MappedByteBuffer map(MapMode mode, long from, long size) throws IOException {
    try {
      MappedByteBuffer mapped = channel.map(mode, from, size);
      mapped.order(ByteOrder.LITTLE_ENDIAN);
      return mapped;
    } catch (UnsupportedOperationException e) {
      FileSystemException none =
          new FileSystemException(
              path.toString(),
              null,
              "must be on a file system that maps files, but is not; open it instead");
      none.initCause(e);
      throw none;
    }
  }

  private int segments(long bytes) {
    return (int) ((bytes + segment - 1) / segment);
  }

  private ByteBuffer segment(int number) throws IOException {
    if (payload[number] == null) {
      long from = (long) number * segment;
      MappedByteBuffer mapped =
          map(
              mode,
              start + header.headerSize() + from,
              Math.min(segment, header.payloadSize() - from));
      writable[number] = mapped;
      payload[number] = mapped.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
    return payload[number];
  }

  /**
   * Returns the content, to be read from its start; it is mapped on demand while the file is open.
   */
  Content content() {
    return new Content();
  }

  /** A reader of the content, with a position. */
  final class Content implements PayloadInput {

    private long position;

    @Override
    public long size() {
      return header.payloadSize();
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      check(count);
      if (HeapLimit.isBelow(count * Long.BYTES) || count > Integer.MAX_VALUE) {
        throw tooLarge(count * Long.BYTES);
      }
      long[] words = new long[(int) count];
      for (int done = 0; done < words.length; ) {
        int from = (int) (position % segment);
        int step = Math.min(words.length - done, (segment - from) / Long.BYTES);
        segment((int) (position / segment))
            .asLongBuffer()
            .get(from / Long.BYTES, words, done, step);
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

    private void check(long count) throws FilterFormatException {
      long left = header.payloadSize() - position;
      if (count < 0 || count > left / Long.BYTES) {
        throw malformed("content must have " + count + " more words, but has " + left + " bytes");
      }
    }

    private void checkEnd() throws FilterFormatException {
      if (position != header.payloadSize()) {
        throw malformed("content must end here for this layout, but goes on");
      }
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, header.headerSize() + position, reason);
    }
  }

  // Content within one segment needs no mapping of its own.
  private ByteBuffer part(long from, long size) throws IOException {
    int number = (int) (from / segment);
    if (number == (int) ((from + size - 1) / segment)) {
      return segment(number)
          .slice((int) (from % segment), (int) size)
          .order(ByteOrder.LITTLE_ENDIAN);
    }
    return channel.isOpen()
        ? map(MapMode.READ_ONLY, start + header.headerSize() + from, size)
        : copy(from, (int) size);
  }

  /**
   * Copies content that spans two segments: nothing can be mapped during verification, when the
   * file is closed.
   */
  private ByteBuffer copy(long from, int size) throws IOException {
    byte[] copy = new byte[size];
    read(from, copy, size);
    return ByteBuffer.wrap(copy).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a part of the content. */
  void read(long from, byte[] into, int size) throws IOException {
    for (int done = 0, step; done < size; done += step) {
      int at = (int) ((from + done) % segment);
      step = Math.min(size - done, segment - at);
      segment((int) ((from + done) / segment)).get(at, into, done, step);
    }
  }

  FilterHeader header() {
    return header;
  }

  /** Copies the trailer: where a checksum reads a page that is gone, the JVM crashes. */
  byte[] trailer() {
    byte[] bytes = new byte[trailer.limit()];
    trailer.get(0, bytes);
    return bytes;
  }

  /** Returns the offset of the trailer in the file. */
  long trailerAt() {
    return start + header.headerSize() + header.payloadSize();
  }

  Path path() {
    return path;
  }

  /** Returns the entry of this file in a manifest. */
  ShardEntry entry() {
    return new ShardEntry(header.serializedSize(), HeaderFormat.checksum(header), trailerChecksum);
  }

  /** Maps a file for verification, without reading its content. */
  static MappedFile open(Path path) throws IOException {
    return MappingFaults.read(
        path,
        () -> {
          try (FileChannel channel = FileInput.channel(path)) {
            MappedFile file = new MappedFile(path, channel, SEGMENT, MapMode.READ_ONLY);
            file.mapRest();
            return file;
          }
        });
  }

  /**
   * Reads everything after the header and compares it with its checksums; if they match, checks
   * that the content is valid for its variant. Of a live file that is open only the latter.
   */
  VerificationResult verify(VariantProvider provider) throws IOException {
    while (true) {
      Optional<LiveControl> live = liveControl();
      boolean isOpen = live.isPresent() && live.get().state().isOpen();
      List<DamagedRegion> damage = isOpen ? wrongContent(provider) : damage(provider);
      if (damage.isEmpty() && isOpen) {
        return VerificationResult.open(LiveState.of(live.get()));
      }
      if (damage.isEmpty() || live.equals(liveControl())) {
        return VerificationResult.of(damage);
      }
      // It was opened or closed meanwhile.
    }
  }

  private List<DamagedRegion> damage(VariantProvider provider) throws IOException {
    Trailer sums = new Trailer();
    byte[] chunk = new byte[CHUNK];
    for (ByteBuffer part : payload) {
      for (int at = 0; at < part.limit(); at += chunk.length) {
        int step = Math.min(chunk.length, part.limit() - at);
        part.get(at, chunk, 0, step);
        sums.update(chunk, step);
      }
    }
    List<DamagedRegion> damage = sums.damage(trailer(), header.headerSize());
    return damage.isEmpty() ? wrongContent(provider) : DamagedRegion.behind(start, damage);
  }

  /** Checks that the provider accepts the content; returns the damaged region if it does not. */
  List<DamagedRegion> wrongContent(VariantProvider provider) throws IOException {
    try {
      Content content = content();
      provider.check(header.spec(), header.layout(), content);
      content.checkEnd();
      return List.of();
    } catch (OutOfMemoryError e) {
      throw tooLarge(header.payloadSize());
    } catch (FilterFormatException e) {
      long end = header.headerSize() + header.payloadSize();
      // An error found at the end of the content may have its cause anywhere in it.
      long from = e.offset() < end ? e.offset() : header.headerSize();
      return List.of(
          new DamagedRegion(
              start + from,
              start + Math.max(end, from + 1),
              "content that no '" + header.variant() + "' filter has: " + e.detail()));
    }
  }
}
