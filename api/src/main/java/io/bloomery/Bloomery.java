package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The front door: filters of keys, made by the providers that are installed.
 *
 * <pre>{@code
 * BloomFilter<String> seen = Bloomery.strings().expect(1_000_000).fpp(0.01).create();
 * seen.put("https://example.org/");            // true: certainly not there before
 * seen.mightContain("https://example.org/");   // true, always
 * seen.mightContain("https://example.com/");   // false: certainly absent (true for 1 in 100)
 * seen.save(Path.of("seen.bloom"));
 * BloomFilter<String> again = Bloomery.strings().open(Path.of("seen.bloom"));
 * }</pre>
 *
 * <p>The static methods look for providers each time they are called, which takes a moment: keep
 * what they return. An instance is a fixed set of providers, for work with hashes, files of unknown
 * origin and plans.
 */
public final class Bloomery {

  private static final Duration MERGE_PATIENCE = Duration.ofMinutes(1);

  private final Catalog catalog;

  private Bloomery(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Finds the providers that are installed: by {@link java.util.ServiceLoader}, with the class
   * loader of this library and then with that of the current thread.
   *
   * @throws IllegalArgumentException if two of them provide the same variant
   * @throws java.util.ServiceConfigurationError if one of them cannot be loaded
   */
  public static Bloomery installed() {
    return new Bloomery(Catalog.load());
  }

  /**
   * Takes these providers and no others.
   *
   * @throws IllegalArgumentException if two of them provide the same variant
   */
  public static Bloomery with(FilterProvider... providers) {
    return new Bloomery(new Catalog(List.of(providers)));
  }

  /** Starts a filter of text, hashed by {@link KeyHasher#utf8()}. */
  public static FilterBuilder<String> strings() {
    return installed().keys(KeyHasher.utf8());
  }

  /** Starts a filter of byte arrays, equal by content, hashed by {@link KeyHasher#bytes()}. */
  public static FilterBuilder<byte[]> byteArrays() {
    return installed().keys(KeyHasher.bytes());
  }

  /** Starts a filter of the bytes that remain in buffers, as {@link KeyHasher#byteBuffers()}. */
  public static FilterBuilder<ByteBuffer> byteBuffers() {
    return installed().keys(KeyHasher.byteBuffers());
  }

  /** Starts a filter of longs, hashed by {@link KeyHasher#longs()}. */
  public static FilterBuilder<Long> longs() {
    return installed().keys(KeyHasher.longs());
  }

  /** Starts a filter of ints, hashed by {@link KeyHasher#ints()}. */
  public static FilterBuilder<Integer> ints() {
    return installed().keys(KeyHasher.ints());
  }

  /** Starts a filter of UUIDs, hashed by {@link KeyHasher#uuids()}. */
  public static FilterBuilder<UUID> uuids() {
    return installed().keys(KeyHasher.uuids());
  }

  /** Starts a filter of anything: {@code Bloomery.of(KeyHasher.utf8().of(User::email))}. */
  public static <K> FilterBuilder<K> of(KeyHasher<? super K> hasher) {
    return installed().keys(hasher);
  }

  /** Starts a filter of the keys that {@code hasher} takes, from these providers. */
  public <K> FilterBuilder<K> keys(KeyHasher<? super K> hasher) {
    return new FilterBuilder<>(catalog, hasher);
  }

  /** Returns the names of the variants, in alphabetical order. */
  public List<String> variants() {
    return catalog.all().stream().map(FilterProvider::variant).toList();
  }

  /** Returns the providers, in alphabetical order of their variants. */
  public Collection<FilterProvider> providers() {
    return catalog.all();
  }

  /**
   * Returns the provider of a variant.
   *
   * @throws IllegalArgumentException if there is none; the message names those there are
   */
  public FilterProvider provider(String variant) {
    return catalog.get(variant);
  }

  /**
   * Opens a saved filter of any variant and kind of key.
   *
   * @throws FilterFormatException if the file is not a filter, or is damaged
   * @throws IOException if the file cannot be read
   */
  public Filter open(Path path, ThreadMode mode) throws IOException {
    return open(path, mode, FilterLimits.HEAP);
  }

  /**
   * Opens a saved filter within limits: for a file of unknown origin.
   *
   * @throws FilterFormatException if the file is not a filter, or is damaged
   * @throws IllegalArgumentException if its content is larger than the limits allow
   * @throws IOException if the file cannot be read
   */
  public Filter open(Path path, ThreadMode mode, FilterLimits limits) throws IOException {
    return FilterFile.open(path, opening(mode, limits));
  }

  private Opening opening(ThreadMode mode, FilterLimits limits) {
    return new Opening(catalog, mode, limits);
  }

  /**
   * Opens a saved filter of any variant and kind of key to change it, and locks its file until the
   * update is closed.
   *
   * @param patience how long to wait while others have it locked; zero not to wait
   * @throws TimeoutException if others had it locked for so long
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   * @throws FilterFormatException if the file is not a filter, or is damaged
   * @throws IllegalArgumentException if its content is larger than the limits allow
   * @throws IOException if it is not a regular file, or cannot be read
   */
  public FilterUpdate<Filter> update(
      Path path, ThreadMode mode, FilterLimits limits, Duration patience)
      throws IOException, TimeoutException {
    return FilterUpdate.open(path, patience, opening(mode, limits), filter -> filter);
  }

  /**
   * Maps a saved filter of any variant and kind of key: it answers from its file, without being
   * loaded. {@link MappedFilter} says what that promises.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is damaged
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedFilter map(Path path) throws IOException {
    return MappedFile.map(path, opening(ThreadMode.SHARED, FilterLimits.HEAP), MappedFile.SEGMENT);
  }

  /**
   * Reads a filter of any variant and kind of key from a stream, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IOException if the stream fails
   */
  public Filter read(InputStream in, ThreadMode mode) throws IOException {
    return read(in, mode, FilterLimits.HEAP);
  }

  /**
   * Reads a filter as {@link #read(InputStream, ThreadMode)}, within limits.
   *
   * @throws IllegalArgumentException if its content is larger than the limits allow
   */
  public Filter read(InputStream in, ThreadMode mode, FilterLimits limits) throws IOException {
    return EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening(mode, limits));
  }

  /**
   * Reads a filter of any variant and kind of key from a channel that blocks, to its last byte and
   * no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IOException if the channel fails, or gives nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public Filter read(ReadableByteChannel in, ThreadMode mode) throws IOException {
    return read(in, mode, FilterLimits.HEAP);
  }

  /**
   * Reads a filter as {@link #read(ReadableByteChannel, ThreadMode)}, within limits.
   *
   * @throws IllegalArgumentException if its content is larger than the limits allow
   */
  public Filter read(ReadableByteChannel in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return EnvelopeReader.read(in, opening(mode, limits));
  }

  /**
   * Reads a filter of any variant and kind of key from the bytes that remain in a buffer, whose
   * position is then behind the filter, and stays as it was if this throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   */
  public Filter read(ByteBuffer in, ThreadMode mode) throws IOException {
    return read(in, mode, FilterLimits.HEAP);
  }

  /**
   * Reads a filter as {@link #read(ByteBuffer, ThreadMode)}, within limits.
   *
   * @throws IllegalArgumentException if its content is larger than the limits allow
   */
  public Filter read(ByteBuffer in, ThreadMode mode, FilterLimits limits) throws IOException {
    return EnvelopeReader.read(in, opening(mode, limits));
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
   * @throws IllegalArgumentException if two of them cannot be merged, or their variant does not
   *     merge; the message names both files and the reason, and nothing is written
   * @throws FilterFormatException if one of them is not a filter, or is damaged; nothing is changed
   * @throws IOException if one cannot be read, or the target cannot be written, or is a source that
   *     others have locked for a minute; it is then what it was
   */
  public void merge(Path target, List<Path> sources) throws IOException {
    try {
      merge(target, sources, MERGE_PATIENCE);
    } catch (TimeoutException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Merges saved filters as {@link #merge(Path, List)}.
   *
   * @param patience how long to wait while others have the target locked, if it is a source as
   *     well; zero not to wait
   * @throws TimeoutException if others had it locked for so long
   */
  public void merge(Path target, List<Path> sources, Duration patience)
      throws IOException, TimeoutException {
    FileMerge.merge(target, sources, patience, catalog);
  }

  /**
   * Finds the smallest filter that keeps a rate: bits for a rate.
   *
   * @throws IllegalArgumentException if the variant cannot keep it; the message says what it could
   */
  public FilterPlan plan(String variant, FilterSpec spec) {
    return catalog.get(variant).plan(spec);
  }

  /**
   * Finds the smallest filter that keeps a rate, if it needs no more than so many bits a key.
   *
   * @throws IllegalArgumentException if it needs more, or if the variant cannot keep the rate; the
   *     message says what it needs, and the rate that so many bits give
   */
  public FilterPlan plan(String variant, FilterSpec spec, double maxBitsPerKey) {
    return Budget.within(catalog.get(variant), spec, maxBitsPerKey);
  }

  /**
   * Finds the lowest rate that a filter for so many keys keeps within a size: a rate for bits.
   *
   * @throws IllegalArgumentException if the keys do not fit at any rate
   */
  public FilterPlan planLowestRate(String variant, long expectedKeys, long sizeInBits) {
    return Budget.lowestRate(catalog.get(variant), expectedKeys, sizeInBits);
  }

  /**
   * Finds the largest number of keys for which a filter keeps a rate within a size: keys for a
   * size.
   *
   * @throws IllegalArgumentException if not even one key fits
   */
  public FilterPlan planMaxKeys(String variant, double falsePositiveRate, long sizeInBits) {
    FilterSpec.checkRate(falsePositiveRate);
    return Budget.maxKeys(catalog.get(variant), falsePositiveRate, sizeInBits);
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

  /**
   * Compares a saved filter with its checksums, without the memory for it, and, if its variant is
   * installed, with what filters of this variant may hold: a file without damage is one that {@link
   * #open} takes.
   *
   * @return the damaged regions in ascending order, each as small as checksums tell: a MiB of the
   *     content, or several in a row, the header, the trailer, what is missing at the end, or what
   *     follows it; none if the file is as it was written
   * @throws FilterFormatException if the file does not begin as a filter of this format's version
   * @throws IOException if the file cannot be read
   */
  public static List<DamagedRegion> verify(Path path) throws IOException {
    return Verification.of(path);
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
