package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterBits;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.file.LiveFile;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A filter whose table is a part of a mapped file that is open for writing, for kinds of live files
 * that consist of several: {@link FilterFiles#mapPart} maps it. Whoever does has the lock of the
 * file and keeps its state; {@link LiveFilter} is such a file of one filter.
 *
 * <p>It keeps the promises of a {@link Filter} of the thread mode with which it was opened.
 */
public final class LivePart implements StoredFilter {

  private static final int CHUNK = 1 << 16;

  private final MappedFile file;
  private final MappedFilter mapped;
  private final LivePayload payload;
  private final boolean wasOpen;
  private volatile @Nullable LivePuts puts; // null when ended

  private LivePart(
      MappedFile file, MappedFilter mapped, LivePayload payload, LivePuts puts, boolean wasOpen) {
    this.file = file;
    this.mapped = mapped;
    this.payload = payload;
    this.puts = puts;
    this.wasOpen = wasOpen;
  }

  /**
   * Opens a mapped filter for puts.
   *
   * @param wasOpen whether its last writer ended without sealing it
   * @param check what the header must satisfy besides the options
   */
  static LivePart of(MappedFile file, boolean wasOpen, Opening opening, HeaderCheck check)
      throws IOException {
    FilterHeader header = file.header();
    VariantProvider provider = opening.provider(header);
    check.check(header);
    if (!(provider instanceof FilterProvider putting)) {
      throw new UnexpectedFilterException(
          Reason.VARIANT, MissingAbility.living(provider.variant()));
    }
    MappedFilter mapped = file.mapped(provider, wasOpen);
    LivePayload payload =
        new LivePayload(
            file.writable(), mib -> checkUndamaged(file, mib), opening.options().mode());
    if (wasOpen) {
      payload.touchAll();
    }
    try {
      LivePuts puts = putting.livePuts(header.spec(), header.layout(), payload);
      return new LivePart(file, mapped, payload, puts, wasOpen);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(HeaderFormat.PREFIX, e);
    }
  }

  /**
   * Returns the header of an empty filter that can live in its file.
   *
   * @throws IllegalArgumentException if the variant has none, or no filter satisfies the spec
   */
  public static FilterHeader header(FilterProvider provider, FilterSpec spec, FilterLimits limits) {
    FilterLayout layout =
        provider
            .liveLayout(spec)
            .orElseThrow(
                () -> new IllegalArgumentException(MissingAbility.living(provider.variant())));
    long size = provider.plan(spec).sizeInBits() / Byte.SIZE;
    limits.check(size);
    return FilterHeader.of(provider.variant(), spec, layout, size);
  }

  /**
   * Writes an empty filter, without having it in the heap.
   *
   * @param header what {@link #header} returned
   * @throws IOException if the stream fails
   */
  public static void writeEmpty(FilterHeader header, OutputStream out) throws IOException {
    out.write(HeaderFormat.encode(header));
    Trailer trailer = new Trailer();
    byte[] zeros = new byte[CHUNK];
    for (long left = header.payloadSize(); left > 0; ) {
      int step = (int) Math.min(left, zeros.length);
      out.write(zeros, 0, step);
      trailer.update(zeros, step);
      left -= step;
    }
    out.write(trailer.encode());
  }

  /**
   * Adds a hash, as {@link Filter#put} does.
   *
   * @return true if the hash was certainly absent before this call
   * @throws FilterUnavailableException if puts have ended, or a MiB that it changes for the first
   *     time does not match its checksum; other bits of the hash may be set then
   */
  public boolean put(long hash) {
    LivePuts opened = opened();
    try {
      return opened.put(hash);
    } catch (InternalError e) {
      throw failed(e);
    }
  }

  /**
   * Adds {@code hashes[from]} to {@code hashes[to - 1]} in order, as {@link Filter#putAll} does.
   *
   * @return the number of hashes that were certainly absent before
   * @throws FilterUnavailableException if puts have ended; some hashes may have been added
   */
  public int putAll(long[] hashes, int from, int to) {
    LivePuts opened = opened();
    try {
      try {
        return opened.putAll(hashes, from, to);
      } finally {
        MappingFaults.raise();
      }
    } catch (InternalError e) {
      throw failed(e);
    }
  }

  private FilterUnavailableException failed(InternalError e) {
    payload.fail();
    return mapped.truncated(e);
  }

  private LivePuts opened() {
    LivePuts opened = puts;
    if (opened == null) {
      throw new FilterUnavailableException(LiveFile.closed(file.path().toString()));
    }
    return opened;
  }

  /**
   * Checks that puts have not ended.
   *
   * @throws FilterUnavailableException if they have
   */
  void checkOpen() {
    opened();
  }

  @Override
  public boolean mightContain(long hash) {
    return mapped.mightContain(hash);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return mapped.select(hashes, from, to, hits);
  }

  @Override
  public FilterStats stats() {
    return mapped.stats();
  }

  @Override
  public FilterDescription description() {
    return mapped.description();
  }

  @Override
  public Optional<FilterBits> overlapBits() {
    return mapped.overlapBits();
  }

  @Override
  public FilterSpec spec() {
    return mapped.spec();
  }

  @Override
  public String variant() {
    return mapped.variant();
  }

  @Override
  public FilterLayout layout() {
    return mapped.layout();
  }

  @Override
  public long payloadSize() {
    return mapped.payloadSize();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    opened();
    out.begin(payloadSize());
    byte[] bytes = new byte[CHUNK];
    long[] words = new long[CHUNK / Long.BYTES];
    for (long at = 0; at < payloadSize(); at += CHUNK) {
      int size = (int) Math.min(CHUNK, payloadSize() - at);
      read(file, at, bytes, size);
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
      out.writeLongs(words, 0, size / Long.BYTES);
    }
  }

  private static void read(MappedFile file, long from, byte[] into, int size) throws IOException {
    MappingFaults.read(
        file.path(),
        () -> {
          file.read(from, into, size);
          return true;
        });
  }

  /**
   * Removes all keys. No other thread may put any meanwhile, and what queries answer is of no use.
   *
   * @throws FilterUnavailableException if puts have ended
   */
  public void clear() {
    opened();
    try {
      payload.clear();
    } catch (InternalError e) {
      throw failed(e);
    }
  }

  /** Returns the file, as it was named when it was mapped. */
  public Path path() {
    return file.path();
  }

  /**
   * Forces every change that was made before this call to the disk.
   *
   * @throws IOException if the disk fails
   */
  public void force() throws IOException {
    file.force();
  }

  /**
   * Ends puts: those in progress have ended when this returns, and all later ones throw.
   *
   * @return false if they had ended before
   */
  public synchronized boolean end() {
    if (puts == null) {
      return false;
    }
    puts = null;
    payload.end();
    return true;
  }

  /**
   * Makes the checksums of what has changed, once puts have ended, and writes them to the file.
   *
   * @param channel the file, which the caller forces to the disk
   * @throws IOException if the disk fails
   */
  public void seal(FileChannel channel) throws IOException {
    byte[] trailer = file.trailer();
    if (wasOpen) {
      Arrays.fill(trailer, (byte) 0); // of no use: its writer may have ended while it wrote it
    }
    Trailer.renew(trailer, payloadSize(), this::changedSum);
    ByteBuffer out = ByteBuffer.wrap(trailer);
    while (out.hasRemaining()) {
      channel.write(out, file.trailerAt() + out.position());
    }
  }

  private OptionalInt changedSum(int mib) throws IOException {
    return payload.isTouched(mib) ? OptionalInt.of(sum(file, mib)) : OptionalInt.empty();
  }

  private static int sum(MappedFile file, int mib) throws IOException {
    long from = (long) mib * Trailer.CHUNK;
    byte[] bytes = new byte[(int) Math.min(Trailer.CHUNK, file.header().payloadSize() - from)];
    read(file, from, bytes, bytes.length);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  private static void checkUndamaged(MappedFile file, int mib) {
    boolean isDamaged;
    try {
      isDamaged = sum(file, mib) != Trailer.sum(file.trailer(), mib);
    } catch (IOException e) {
      throw new FilterUnavailableException(
          file.path() + " must be readable where it is changed, but is not: " + e.getMessage(), e);
    }
    if (isDamaged) {
      throw new FilterUnavailableException(
          file.path()
              + " must not be damaged where it is changed, but MiB "
              + mib
              + " of its content does not match its checksum; the key was not put: restore the file"
              + " from a copy, or make it again");
    }
  }

  /** Releases the file: every later query throws. */
  public void close() {
    mapped.close();
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec() + ", live in " + file.path();
  }
}
