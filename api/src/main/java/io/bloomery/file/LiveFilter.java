package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterBits;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.LiveFile;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A filter whose table is its memory-mapped file: what is put into it is in the file at once, seen
 * by every process that {@linkplain FilterFiles#map maps} it. It takes no heap, and opening it
 * takes the same time for every size.
 *
 * <p>Puts survive the end of the process, however it ends, and those that returned before {@link
 * #force} a loss of power as well. Bits are only ever set, so that neither can damage the filter.
 * One process at a time has a file open for writing, by the lock of {@link FilterUpdate}; it keeps
 * it while its JVM shuts down. Until {@link #close}, the file says that it is open: its checksums
 * are not made yet, and what reads it as a whole refuses it. A file whose writer ended without
 * closing it is opened again like any other, which logs a warning.
 *
 * <p>It keeps the promises of a {@link Filter} of the thread mode with which it was opened; a
 * confined one puts up to twice as fast. After {@link #close} every call throws
 * FilterUnavailableException.
 *
 * <p>The lock is that of the file's name: while the file is open, it must keep its name, and not be
 * opened by another one (a hard link). Opening it by another name is refused in the same JVM, and
 * on Linux if its writer is another process of the same user and container. Its old name stays
 * locked if it was moved or removed.
 *
 * <p>All space is taken when the file is made. No other program may truncate or write to it: {@link
 * #force} and {@link #close} say if it was truncated, but a single query of what is gone may have
 * answered that a key is absent, as {@link MappedFilter} says. A save to its name is refused while
 * it is open.
 */
public final class LiveFilter implements StoredFilter, AutoCloseable {
  // decisions.md#a-live-filter-is-a-file-of-its-own-kind-not-an-envelope-that-is-written-to

  private final LiveFile live;
  private final LivePart part;

  private LiveFilter(LiveFile live, LivePart part) {
    this.live = live;
    this.part = part;
  }

  /**
   * Opens a live file for writing.
   *
   * @param check what the header must satisfy besides the options
   * @param segment the maximum number of bytes that one buffer maps: a power of two, at least 64
   */
  static LiveFilter open(
      Path path, Duration patience, Opening opening, HeaderCheck check, int segment)
      throws IOException {
    FilterFile.checkNoDirectory(path);
    LiveFile live = lock(path, patience);
    boolean isOpen = false;
    try {
      LiveFilter filter =
          MappingFaults.write(
              path, () -> live.run(channel -> of(live, channel, opening, check, segment)));
      live.open();
      isOpen = true;
      return filter;
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    } finally {
      if (!isOpen) {
        live.close();
      }
    }
  }

  private static LiveFile lock(Path path, Duration patience) throws IOException {
    try {
      return LiveFile.lock(path, patience);
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    } catch (LiveControl.Malformed e) {
      throw (e.flaw() == LiveControl.Flaw.NOT_LIVE ? notLive(path, e) : LiveEnvelope.malformed(e))
          .in(path);
    }
  }

  /** Returns the reason why a file is no live one: it may be a filter of another kind. */
  private static FilterFormatException notLive(Path path, LiveControl.Malformed e)
      throws IOException {
    try (FileInput in = FileInput.of(path)) {
      EnvelopeReader.header(in, in.length());
      return new FilterFormatException(
          FilterFormatException.Reason.OTHER_KIND,
          0,
          "not a live filter, but a saved one, which is not changed in place: open it by update, or"
              + " make a live one by openOrCreate, under another name");
    } catch (FilterFormatException other) {
      return other.reason() == FilterFormatException.Reason.OTHER_KIND
          ? other
          : LiveEnvelope.malformed(e);
    }
  }

  private static LiveFilter of(
      LiveFile live, FileChannel channel, Opening opening, HeaderCheck check, int segment)
      throws IOException {
    boolean isOpen = live.control().state().isOpen();
    LivePart part =
        LivePart.of(MappedFile.writable(live.path(), channel, segment), isOpen, opening, check);
    if (isOpen) {
      System.getLogger("io.bloomery.file")
          .log(
              Level.WARNING,
              "{0} was not closed by its last writer, process {1}: no key is lost that it put, or"
                  + " forced if the power was lost; its checksums are made when it is closed now",
              live.path(),
              Long.toString(live.control().state().process()));
    }
    return new LiveFilter(live, part);
  }

  /**
   * Opens a live file, or makes it if there is none.
   *
   * @throws UnexpectedFilterException if it was made for another variant, number of keys or rate
   */
  static LiveFilter openOrCreate(
      Path path,
      Duration patience,
      Opening opening,
      FilterProvider provider,
      FilterSpec spec,
      int segment)
      throws IOException {
    try {
      return LiveFile.openOrCreate(
          path,
          patience,
          () -> open(path, patience, opening, header -> check(header, provider, spec), segment),
          () -> {
            FilterHeader header = LivePart.header(provider, spec, opening.options().limits());
            return out -> writeEmpty(header, out);
          });
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    }
  }

  private static void check(FilterHeader header, FilterProvider provider, FilterSpec spec)
      throws UnexpectedFilterException {
    check(Reason.VARIANT, "variant", provider.variant(), header.variant());
    FilterSpec found = header.spec();
    check(Reason.PARAMETERS, "expected keys", spec.expectedKeys(), found.expectedKeys());
    check(
        Reason.PARAMETERS,
        "false-positive rate",
        spec.falsePositiveRate(),
        found.falsePositiveRate());
  }

  private static void check(Reason reason, String what, Object asked, Object found)
      throws UnexpectedFilterException {
    if (!asked.equals(found)) {
      throw new UnexpectedFilterException(
          reason,
          what
              + " must be "
              + asked
              + ", but the file was made for "
              + found
              + "; open what is there by openLive, or name another file");
    }
  }

  private static void writeEmpty(FilterHeader header, OutputStream out) throws IOException {
    out.write(LiveControl.ofNew(LiveControl.FILTER, header.serializedSize()));
    LivePart.writeEmpty(header, out);
  }

  /**
   * Adds a hash, as {@link Filter#put} does. Before a MiB is changed for the first time, it is
   * compared with its checksum, so that none hides damage.
   *
   * @return true if the hash was certainly absent before this call
   * @throws FilterUnavailableException if this filter is closed, or a MiB is damaged; other bits of
   *     the hash may be set then
   */
  public boolean put(long hash) {
    return part.put(hash);
  }

  /**
   * Adds {@code hashes[from]} to {@code hashes[to - 1]} in order, as {@link Filter#putAll} does.
   *
   * @return the number of hashes that were certainly absent before
   * @throws FilterUnavailableException if this filter is closed; some hashes may have been added
   */
  public int putAll(long[] hashes, int from, int to) {
    return part.putAll(hashes, from, to);
  }

  @Override
  public boolean mightContain(long hash) {
    return part.mightContain(hash);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return part.select(hashes, from, to, hits);
  }

  @Override
  public FilterStats stats() {
    return part.stats();
  }

  @Override
  public FilterDescription description() {
    return part.description();
  }

  @Override
  public Optional<FilterBits> overlapBits() {
    return part.overlapBits();
  }

  @Override
  public FilterSpec spec() {
    return part.spec();
  }

  @Override
  public String variant() {
    return part.variant();
  }

  @Override
  public FilterLayout layout() {
    return part.layout();
  }

  @Override
  public long payloadSize() {
    return part.payloadSize();
  }

  /** Returns the file, with links resolved. */
  public Path path() {
    return live.path();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    part.writePayload(out);
  }

  /**
   * Forces every put that has returned to the disk, so that a loss of power does not lose it.
   *
   * @throws FilterUnavailableException if this filter is closed
   * @throws java.nio.file.FileSystemException if another file has the name of this one now
   * @throws IOException if the disk fails; what was put may be lost with the power
   */
  public synchronized void force() throws IOException {
    part.checkOpen();
    forceFile();
  }

  private void forceFile() throws IOException {
    part.force();
    live.checkMine();
  }

  /**
   * Seals the file: ends puts, makes the checksums of what has changed, and releases the lock.
   * Closing again has no effect.
   *
   * @throws java.nio.file.FileSystemException if another file has the name of this one now
   * @throws IOException if the disk fails; the lock is released, and the file stays marked as open
   */
  @Override
  public synchronized void close() throws IOException {
    if (!part.end()) {
      return;
    }
    try {
      forceFile();
      live.run(
          channel -> {
            part.seal(channel);
            channel.force(true);
            return true;
          });
      live.seal();
    } finally {
      part.close();
      live.close();
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec() + ", live in " + path();
  }
}
