package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.MergeableFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Filters of hashes in files, streams, channels and buffers, of any variant and any kind of keys:
 * for tools, and for programs that bring hashes of their own. {@link io.bloomery.FilterBuilder}
 * opens filters of keys.
 *
 * <p>Whatever a file causes is an IOException: {@link FilterFormatException} if the bytes are not a
 * filter or damaged, {@link UnexpectedFilterException} if they are another filter than the one
 * asked for, {@link FilterLockedException} if others do not let go of it in time.
 */
public final class FilterFiles {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final FilterProviders providers;

  /** Reads filters by these providers and no others. */
  public FilterFiles(FilterProviders providers) {
    this.providers = Objects.requireNonNull(providers, "providers");
  }

  /** Reads filters by the providers that are installed: {@link FilterProviders#installed}. */
  public static FilterFiles installed() {
    return new FilterFiles(FilterProviders.installed());
  }

  /**
   * Returns what a file's header says of its filter. The content is not looked at, and its variant
   * need not be installed.
   *
   * @throws FilterFormatException if the file does not begin as a filter, or is not as long as its
   *     header says
   * @throws IOException if the file cannot be read
   */
  public static FilterHeader inspect(Path path) throws IOException {
    return FilterFile.header(path);
  }

  /** Opens a saved filter for any number of threads. Errors are as for the other method. */
  public Filter open(Path path) throws IOException {
    return open(path, OpenOptions.shared());
  }

  /**
   * Opens a saved filter.
   *
   * @throws FilterFormatException if the file is not a filter, or is damaged
   * @throws UnexpectedFilterException if the filter is not as asked, or its variant not installed
   * @throws IOException if the file cannot be read
   */
  public Filter open(Path path, OpenOptions options) throws IOException {
    return FilterFile.open(path, opening(options));
  }

  private Opening opening(OpenOptions options) {
    return new Opening(providers, options);
  }

  /**
   * Opens a saved filter to change it, and locks its file until the update is closed.
   *
   * @param patience how long to wait while others have it locked; zero not to wait
   * @throws FilterLockedException if others had it locked for so long
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   * @throws IOException as for {@link #open(Path, OpenOptions)}, or if it is not a regular file
   */
  public FilterUpdate<Filter> update(Path path, Duration patience, OpenOptions options)
      throws IOException {
    return update(path, patience, options, filter -> filter);
  }

  /**
   * Opens a saved filter to change it in the way that a caller wants to see it.
   *
   * @param wrap makes of the filter what {@link FilterUpdate#filter} returns
   * @throws IOException as for the other method
   */
  public <F> FilterUpdate<F> update(
      Path path, Duration patience, OpenOptions options, Function<? super Filter, F> wrap)
      throws IOException {
    return FilterUpdate.open(path, patience, opening(options), wrap);
  }

  /** Maps a saved filter of any keys. Errors are as for the other method. */
  public MappedFilter map(Path path) throws IOException {
    return map(path, OpenOptions.shared());
  }

  /**
   * Maps a saved filter: it answers from its file, without being loaded. {@link MappedFilter} says
   * what that promises.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is damaged
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedFilter map(Path path, OpenOptions options) throws IOException {
    return MappedFile.map(path, opening(options), MappedFile.SEGMENT);
  }

  /** Reads a filter from a stream for any number of threads. Errors are as for the other method. */
  public Filter read(InputStream in) throws IOException {
    return read(in, OpenOptions.shared());
  }

  /**
   * Reads a filter from a stream, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the stream fails
   */
  public Filter read(InputStream in, OpenOptions options) throws IOException {
    return EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening(options));
  }

  /**
   * Reads a filter that is exactly the next bytes of a stream: one of several in a file. Memory for
   * its content is asked for at once, and no more than that, where {@link #read(InputStream,
   * OpenOptions)}, which does not know how many bytes are there, needs up to twice as much.
   *
   * @param length how many bytes it has, which must be there
   * @throws FilterFormatException if the bytes are not a filter of this length, or damaged
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
    return EnvelopeReader.read(in, length, opening(options));
  }

  /**
   * Reads a filter from a channel that blocks, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if the channel fails, or gives nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public Filter read(ReadableByteChannel in, OpenOptions options) throws IOException {
    return EnvelopeReader.read(in, opening(options));
  }

  /**
   * Reads a filter from the bytes that remain in a buffer, whose position is then behind the
   * filter, and stays as it was if this throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException as for {@link #open(Path, OpenOptions)}
   * @throws IOException if its content does not fit in memory
   */
  public Filter read(ByteBuffer in, OpenOptions options) throws IOException {
    return EnvelopeReader.read(in, opening(options));
  }

  /** Merges saved filters as the other method, and waits up to a minute for the target. */
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
   * standard}, {@code partitioned} and {@code split-block}, are read side by side, with a part of
   * each in memory, however many they are. Filters of other variants that merge are opened, two at
   * a time.
   *
   * @param patience how long to wait while others have the target locked, if it is a source as
   *     well; zero not to wait
   * @throws UnexpectedFilterException if two of them cannot be merged, or their variant does not
   *     merge; the message names both files and the reason, and nothing is written
   * @throws FilterFormatException if one of them is not a filter, or is damaged; nothing is changed
   * @throws FilterLockedException if others had the target locked for so long
   * @throws IOException if one cannot be read, or the target cannot be written; it is then what it
   *     was
   */
  public void merge(Path target, List<Path> sources, Duration patience) throws IOException {
    FileMerge.merge(target, sources, patience, providers);
  }

  /**
   * Compares a saved filter with its checksums, without the memory for it, and, if a provider of
   * its variant is there, with what filters of this variant may hold: a file that {@linkplain
   * VerificationResult#isSound is sound} is one that {@link #open} takes.
   *
   * @return the damaged regions, none if the file is as it was written, and why the content was not
   *     checked, if it was not
   * @throws FilterFormatException if the file does not begin as a filter of this format's version
   * @throws IOException if the file cannot be read
   */
  public VerificationResult verify(Path path) throws IOException {
    return Verification.of(path, providers);
  }

  /**
   * Saves a filter as a file, atomically: whatever happens, the file is either what it was or
   * complete.
   *
   * <p>What is being written is a hidden file in the same folder, {@code
   * .NAME.PROCESS-RANDOM.bloomery.tmp}. Of several that save under one name at the same time, one
   * wins; {@link #update} lets them take turns. One that is killed leaves its hidden file, which
   * the next save in the folder by another process removes once it is a minute old and its writer's
   * lock is gone. When the JVM is told to end, a save gets five seconds to finish, and its hidden
   * file is then removed. An interrupt does not break it off.
   *
   * <p>A link stays a link: what it leads to is saved, whether that is there or not, unless the
   * link is another user's in a folder such as {@code /tmp}. A new file gets the permissions that
   * the process gives new files; one that was there keeps its own, also while it is written, and
   * owner and group as far as the system lets us. Other names of the same file (hard links) keep
   * the old content, as do those who have it open or mapped.
   *
   * @throws IOException if the file cannot be written, or is neither a regular file nor absent; it
   *     is then what it was
   */
  public static void save(Filter filter, Path path) throws IOException {
    FilterFile.save(filter, path);
  }

  /** Writes a filter to a stream, which stays open and may go on with anything else. */
  public static void write(Filter filter, OutputStream out) throws IOException {
    EnvelopeWriter.write(filter, out);
  }

  /**
   * Writes a filter to a channel that blocks, which stays open and may go on with anything else.
   *
   * @throws IOException if the channel fails, or takes nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public static void write(Filter filter, WritableByteChannel out) throws IOException {
    EnvelopeWriter.write(filter, new ChannelOutput(out));
  }

  /** Returns how many bytes {@link #save} and writing would write now. */
  public static long serializedSize(Filter filter) {
    return EnvelopeWriter.size(filter);
  }
}
