package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Opens, maps, merges, verifies and writes filters of hashes in files, streams, channels and
 * buffers, whatever their variant and type of keys: for tools, and for programs that supply hashes
 * of their own. {@link io.bloomery.FilterBuilder} opens filters of keys.
 *
 * <p>Every failure that a file causes is an IOException: {@link FilterFormatException} if the bytes
 * are not a filter or are corrupt, {@link UnexpectedFilterException} if they are a filter that does
 * not meet the options, {@link FilterLockedException} if the file is still locked when the wait
 * ends.
 */
public final class FilterFiles {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final FilterProviders providers;

  /** Creates an instance that uses exactly the given providers. */
  public FilterFiles(FilterProviders providers) {
    this.providers = Objects.requireNonNull(providers, "providers");
  }

  /** Returns an instance that uses the installed providers: {@link FilterProviders#installed}. */
  public static FilterFiles installed() {
    return new FilterFiles(FilterProviders.installed());
  }

  /**
   * Returns the header of a file. The content is not read, and the variant need not be installed.
   *
   * @throws FilterFormatException if the file does not begin with a valid header, or does not have
   *     the length that the header states
   * @throws IOException if the file cannot be read
   */
  public static FilterHeader inspect(Path path) throws IOException {
    return FilterFile.header(path);
  }

  /**
   * Opens a saved filter, thread-safe and with no limit but the heap, as {@link #open(Path,
   * OpenOptions)} does.
   */
  public Filter open(Path path) throws IOException {
    return open(path, OpenOptions.shared());
  }

  /**
   * Opens a saved filter.
   *
   * @throws FilterFormatException if the file is not a filter, or is corrupt
   * @throws UnexpectedFilterException if the filter does not meet the options, its variant is not
   *     installed, or it was built once
   * @throws IOException if the file cannot be read
   */
  public Filter open(Path path, OpenOptions options) throws IOException {
    return (Filter) FilterFile.open(path, opening(options.puttable()));
  }

  /**
   * Opens a saved filter of any variant, also one that was built once, to be queried.
   *
   * @throws FilterFormatException as for {@link #open(Path, OpenOptions)}
   * @throws UnexpectedFilterException if the filter does not meet the options, or its variant is
   *     not installed
   * @throws IOException if the file cannot be read
   */
  public StoredFilter openView(Path path, OpenOptions options) throws IOException {
    return FilterFile.open(path, opening(options));
  }

  private Opening opening(OpenOptions options) {
    return new Opening(providers, options);
  }

  /**
   * Opens a saved filter for an update and locks its file until the update is closed.
   *
   * @param patience the maximum time to wait for the lock; zero not to wait
   * @throws FilterLockedException if the lock was not acquired in that time
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws java.nio.file.AccessDeniedException if its folder is not writable
   * @throws IOException as for {@link #open(Path, OpenOptions)}, or if it is not a regular file
   */
  public FilterUpdate<Filter> update(Path path, Duration patience, OpenOptions options)
      throws IOException {
    return update(path, patience, options, filter -> filter);
  }

  /**
   * Opens a saved filter for an update, wrapped in a type of the caller.
   *
   * @param patience the maximum time to wait for the lock; zero not to wait
   * @param wrap returns the object that {@link FilterUpdate#filter} is to return
   * @throws FilterLockedException if the lock was not acquired in time
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws IOException as for {@link #update(Path, Duration, OpenOptions)}
   */
  public <F> FilterUpdate<F> update(
      Path path, Duration patience, OpenOptions options, Function<? super Filter, F> wrap)
      throws IOException {
    return FilterUpdate.open(path, patience, opening(options.puttable()), wrap);
  }

  /** Maps a saved filter of any type of keys, as {@link #map(Path, OpenOptions)} does. */
  public MappedFilter map(Path path) throws IOException {
    return map(path, OpenOptions.shared());
  }

  /**
   * Maps a saved or live filter, which is queried in its memory-mapped file without being loaded;
   * {@link MappedFilter} has the guarantees.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is corrupt
   * @throws UnexpectedFilterException as for {@link #openView}
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedFilter map(Path path, OpenOptions options) throws IOException {
    return MappedFile.map(path, opening(options), MappedFile.SEGMENT);
  }

  /**
   * Opens a live file for writing; {@link LiveFilter} has the guarantees.
   *
   * @param patience the maximum time to wait for its lock; zero not to wait
   * @throws FilterLockedException if the lock was not acquired in that time; the message has the
   *     process that has the file open
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws java.nio.file.AccessDeniedException if its folder is not writable
   * @throws FilterFormatException if it is not a live filter, or its header is corrupt
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the file cannot be read, written or mapped
   */
  public LiveFilter openLive(Path path, Duration patience, OpenOptions options) throws IOException {
    return LiveFilter.open(path, patience, opening(options), header -> {}, MappedFile.SEGMENT);
  }

  /**
   * Opens a live file for writing, or makes an empty one if there is none, as several processes may
   * at the same time. All its blocks are written, so that a disk that is full later loses nothing.
   *
   * @param patience the maximum time to wait for its lock; zero not to wait
   * @param provider that of the filter's variant
   * @throws IllegalArgumentException if the variant has no live filters, or no filter satisfies the
   *     spec
   * @throws UnexpectedFilterException as for {@link #openLive}, or if the file was made for another
   *     variant, number of keys or rate
   * @throws IOException as for {@link #openLive}, or if it cannot be made; nothing is left of it
   */
  public LiveFilter openOrCreateLive(
      Path path, Duration patience, FilterProvider provider, FilterSpec spec, OpenOptions options)
      throws IOException {
    return LiveFilter.openOrCreate(
        path, patience, opening(options), provider, spec, MappedFile.SEGMENT);
  }

  /**
   * Maps a filter in a part of a file, to be written to, for a kind of live file that consists of
   * several.
   *
   * @param path the file, for messages
   * @param channel the file, to read and to write, which need not stay open
   * @param from the offset of the filter, a multiple of 64
   * @param length the number of its bytes
   * @param wasOpen whether the last writer ended without sealing it, so that its checksums are not
   *     compared
   * @throws FilterFormatException if there is no filter of this length, or its header is corrupt
   * @throws UnexpectedFilterException as for {@link #openLive}
   * @throws IOException if the file cannot be mapped
   */
  public LivePart mapPart(
      Path path, FileChannel channel, long from, long length, boolean wasOpen, OpenOptions options)
      throws IOException {
    MappedFile file = MappedFile.part(path, channel, MappedFile.SEGMENT, from, from + length);
    return LivePart.of(file, wasOpen, opening(options), header -> {});
  }

  /**
   * Reads a filter from a stream, thread-safe and with no limit but the heap, as {@link
   * #read(InputStream, OpenOptions)} does.
   */
  public Filter read(InputStream in) throws IOException {
    return read(in, OpenOptions.shared());
  }

  /**
   * Reads a filter from a stream, and no byte behind it.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the stream fails
   */
  public Filter read(InputStream in, OpenOptions options) throws IOException {
    return (Filter) EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening(options.puttable()));
  }

  /**
   * Reads a filter of any variant from a stream, and no byte behind it, as {@link #openView} does
   * from a file.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException as for {@link #openView}
   * @throws IOException if the stream fails
   */
  public StoredFilter readView(InputStream in, OpenOptions options) throws IOException {
    return EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening(options));
  }

  /**
   * Reads a filter of any variant from the remaining bytes of a buffer, whose position is advanced
   * as by {@link #read(ByteBuffer, OpenOptions)}.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException as for {@link #openView}
   * @throws IOException if its content does not fit in memory
   */
  public StoredFilter readView(ByteBuffer in, OpenOptions options) throws IOException {
    return EnvelopeReader.read(in, opening(options));
  }

  /**
   * Reads a filter that consists of exactly the next {@code length} bytes of a stream, for example
   * one of several in a file. Memory for its content is allocated at once and to size, where {@link
   * #read(InputStream, OpenOptions)}, which does not know how many bytes are available, needs up to
   * twice as much.
   *
   * @param length the number of bytes of the filter
   * @throws FilterFormatException if the bytes are not a filter of this length, or are corrupt
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the stream fails
   */
  public Filter read(InputStream in, long length, OpenOptions options) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException(
          "length must not be negative, but was "
              + length
              + "; leave it out where it is not known");
    }
    return (Filter) EnvelopeReader.read(in, length, opening(options.puttable()));
  }

  /**
   * Reads a filter from the remaining bytes of a buffer. The buffer's position is advanced to the
   * end of the filter, or left unchanged if this method throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if its content does not fit in memory
   */
  public Filter read(ByteBuffer in, OpenOptions options) throws IOException {
    return (Filter) EnvelopeReader.read(in, opening(options.puttable()));
  }

  /**
   * Merges saved filters as {@link #merge(Path, List, Duration)} does, and waits up to a minute for
   * the lock of the target.
   */
  public void merge(Path target, List<Path> sources) throws IOException {
    merge(target, sources, PATIENCE);
  }

  /**
   * Merges saved filters into one file, as {@link MergeableFilter#putAll} does in memory: the
   * expected keys and the rate are those of the first. The target is saved as {@link #save} does
   * and may be one of the sources: it is then locked, as by {@link #update}. A source named twice
   * is merged twice.
   *
   * <p>Files of a variant whose provider merges by {@link FilterProvider#unionBits}, such as {@code
   * standard}, {@code partitioned} and {@code blocked}, are read side by side, with one part of
   * each in memory at a time, whatever their number. Filters of other variants that support merging
   * are opened, two at a time.
   *
   * @param patience the maximum time to wait for the lock of the target, if it is also a source;
   *     zero not to wait
   * @throws UnexpectedFilterException if two filters cannot be merged, or their variant does not
   *     support merging; the message names both files and the reason, and nothing is written
   * @throws FilterFormatException if a source is not a filter, or is corrupt; nothing is written
   * @throws FilterLockedException if the lock was not acquired in that time
   * @throws IOException if a source cannot be read, or the target cannot be written; its previous
   *     content is kept
   */
  public void merge(Path target, List<Path> sources, Duration patience) throws IOException {
    FileMerge.merge(target, sources, patience, providers);
  }

  /**
   * Merges saved filters into a new file, as {@link #merge(Path, List, Duration)} does, and saves
   * it as {@link #saveNew} does.
   *
   * @throws UnexpectedFilterException as for {@link #merge(Path, List, Duration)}
   * @throws FilterFormatException as for {@link #merge(Path, List, Duration)}
   * @throws java.nio.file.FileAlreadyExistsException if a file has the name of the target when the
   *     content is complete; it is unchanged
   * @throws IOException if a source cannot be read, or the target cannot be written
   */
  public void mergeNew(Path target, List<Path> sources) throws IOException {
    FileMerge.mergeNew(target, sources, providers);
  }

  /**
   * Verifies the checksums of a saved filter without loading it and, if a provider of its variant
   * is available, that its content is valid for the variant. {@link #openView} accepts every file
   * that {@linkplain VerificationResult#isSound is sound}.
   *
   * @return the damaged regions, none if the file is intact, and the reason if the content was not
   *     checked
   * @throws FilterFormatException if the file does not begin as a filter of this version of the
   *     format
   * @throws IOException if the file cannot be read
   */
  public VerificationResult verify(Path path) throws IOException {
    return Verification.of(path, providers);
  }

  /**
   * Saves a filter to a file atomically: after any failure, the file either has its previous
   * content or is complete. That holds for a loss of power as well: once this method has returned,
   * content and name are on the disk, unless the system cannot force folders to it, as Windows
   * cannot; there the previous content may come back.
   *
   * <p>The content is written to a hidden file in the same folder, {@code
   * .NAME.PROCESS-RANDOM.bloomery.tmp}, which is then renamed; a checksum stands for a NAME that is
   * long or not ASCII. Of several concurrent saves under one name, one wins; use {@link #update} to
   * serialise them. A process that is killed leaves its hidden file behind, which the next save in
   * the folder by another process deletes once it is a minute old and its writer's lock is
   * released. When the JVM shuts down, a save has five seconds to finish before its hidden file is
   * deleted. An interrupt does not abort it. While the file is renamed, the lock of {@link
   * FilterUpdate} is held, so that no update overwrites it unknowingly.
   *
   * <p>A symbolic link is followed: its target is saved, whether or not it exists, unless the link
   * belongs to another user in a folder such as {@code /tmp}. A new file gets the default
   * permissions of the process; an existing file keeps its permissions, also while it is written
   * (its owner may write to the hidden file), and its owner and group as far as the system allows.
   * Hard links to the same file keep the old content, as do processes that have it open or mapped.
   *
   * <p>The file system must lock files and rename them atomically, as those of disks do; a path in
   * a zip file or a run-time image is refused.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it belongs to a finished folder of shards,
   *     as {@link #update} and {@link #merge} throw, too
   * @throws IOException if the file cannot be written, or is neither a regular file nor absent; its
   *     previous content is kept
   */
  public static void save(StoredFilter filter, Path path) throws IOException {
    FilterFile.save(filter, path);
  }

  /**
   * Saves a filter as {@link #save} does, but replaces no file: of several that save under one name
   * at the same time, one succeeds.
   *
   * @throws java.nio.file.FileAlreadyExistsException if a file has that name when the content is
   *     complete; it is unchanged
   * @throws IOException as for {@link #save}
   */
  public static void saveNew(StoredFilter filter, Path path) throws IOException {
    FilterFile.saveNew(filter, path);
  }

  /** Writes a filter to a stream, which is left open and may contain further data. */
  public static void write(StoredFilter filter, OutputStream out) throws IOException {
    EnvelopeWriter.write(filter, out);
  }

  /** Returns the number of bytes that {@link #save} or {@code write} would write now. */
  public static long serializedSize(StoredFilter filter) {
    return EnvelopeWriter.size(filter);
  }
}
