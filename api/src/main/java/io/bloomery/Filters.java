package io.bloomery;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.LivePart;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The filters of one type of keys: opens, maps, reads and updates saved ones, and begins new ones
 * by {@link #expect}, or by {@link #fpp} if they never change. Settings of the keys, such as a
 * secret or their form, apply to both.
 *
 * <p>Immutable: every setter returns a new instance and leaves this one unchanged; an instance may
 * be kept and shared between threads.
 *
 * @param <K> the type of keys
 */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class Filters<K> {

  private final FilterProviders providers;
  private final KeyHasher<? super K> hasher;
  private final ThreadMode mode;
  private final FilterLimits limits;

  private Filters(
      FilterProviders providers,
      KeyHasher<? super K> hasher,
      ThreadMode mode,
      FilterLimits limits) {
    this.providers = providers;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.mode = mode;
    this.limits = limits;
  }

  static <K> Filters<K> of(FilterProviders providers, KeyHasher<? super K> hasher) {
    return new Filters<>(providers, hasher, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  static <K> Filters<K> of(
      FilterProviders providers,
      KeyHasher<? super K> hasher,
      ThreadMode mode,
      FilterLimits limits) {
    return new Filters<>(providers, hasher, mode, limits);
  }

  private Filters<K> hashedBy(KeyHasher<? super K> other) {
    return new Filters<>(providers, other, mode, limits);
  }

  /**
   * Begins a new filter.
   *
   * @param keys the expected number of distinct keys, at least 1, up to which the false-positive
   *     probability is guaranteed
   * @return a builder with the thread mode and the limit that are set here
   */
  public FilterBuilder<K> expect(long keys) {
    return new FilterBuilder<>(providers, hasher, mode, limits, FilterBuilder.checkedKeys(keys));
  }

  /**
   * Begins a filter of a set that never changes: {@code Bloomery.strings().fpp(0.01).build(keys)}.
   *
   * @param falsePositiveRate the false-positive probability, between 0 and 1, exclusive
   * @return a builder of filters that are built once from all their keys, with the limit set here
   */
  public StaticFilterBuilder<K> fpp(double falsePositiveRate) {
    return new StaticFilterBuilder<>(providers, hasher, limits, falsePositiveRate);
  }

  /**
   * Begins to plan what fits into a number of bytes.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public FilterBudget within(long bytes) {
    return new FilterBudget(providers, FilterLimits.ofBytes(bytes));
  }

  /**
   * Sets a secret that keys are hashed with, as specified by {@link KeyHasher#secret}: a defence
   * against chosen-key attacks. The same secret is required to open the filter again.
   *
   * @param secret 16 to 4,096 random bytes, which are not retained
   * @throws IllegalArgumentException if the secret is too short or too long, or the hasher does not
   *     support one
   */
  public Filters<K> secret(byte[] secret) {
    return hashedBy(hasher.secret(secret));
  }

  /**
   * Sets the form that is applied to each key before it is hashed, as specified by {@link
   * KeyHasher#withForm}: {@code Bloomery.strings().keyForm(KeyForm.IGNORE_CASE)}. The filter
   * records the form, and the same form is required to open it again. A key that is not valid in
   * the form causes an IllegalArgumentException.
   *
   * @throws IllegalArgumentException if the keys are neither text nor bytes, or already have a form
   */
  public Filters<K> keyForm(KeyForm form) {
    return hashedBy(hasher.withForm(form));
  }

  /**
   * Declares that the keys are already in a form, as specified by {@link KeyHasher#readyIn}: they
   * are hashed as they are. The filter records the form as {@link #keyForm} does.
   *
   * @throws IllegalArgumentException if the keys are neither text nor bytes, or already have a form
   */
  public Filters<K> keysReadyIn(KeyForm form) {
    return hashedBy(hasher.readyIn(form));
  }

  /**
   * Restricts filters to one thread at a time, which makes puts faster: {@link
   * ThreadMode#CONFINED}.
   */
  public Filters<K> confined() {
    return new Filters<>(providers, hasher, ThreadMode.CONFINED, limits);
  }

  /**
   * Makes filters thread-safe, which is the default: {@link ThreadMode#SHARED}. For code that is
   * passed filters and cannot rely on their previous settings.
   */
  public Filters<K> shared() {
    return new Filters<>(providers, hasher, ThreadMode.SHARED, limits);
  }

  /**
   * Sets the maximum size of a filter in bytes, whether it is opened, read or created; by default
   * only the heap limits it. The limit is not stored in files: set it wherever files of unknown
   * origin are opened. It also applies to the content of mapped files, although they take no heap.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public Filters<K> maxBytes(long bytes) {
    return new Filters<>(providers, hasher, mode, FilterLimits.ofBytes(bytes));
  }

  /**
   * Opens a saved filter of any variant, number of expected keys and false-positive probability.
   *
   * @throws FilterFormatException if the file is not a filter, or is corrupt
   * @throws UnexpectedFilterException if it holds keys of another hasher or form, its content is
   *     larger than {@link #maxBytes}, or its variant is not installed
   * @throws IOException if the file cannot be read
   */
  public BloomFilter<K> open(Path path) throws IOException {
    return BloomFilter.of(files().open(path, opening()), hasher);
  }

  /**
   * Opens a saved filter of any variant for queries, also one that was built once.
   *
   * @throws FilterFormatException as for {@link #open}
   * @throws UnexpectedFilterException as for {@link #open}
   * @throws IOException as for {@link #open}
   */
  public StoredBloomFilter<K> openView(Path path) throws IOException {
    return StoredBloomFilter.of(files().openView(path, opening()), hasher);
  }

  /**
   * Opens a saved filter whose keys can be removed.
   *
   * @throws UnexpectedFilterException as for {@link #open}, or if its keys cannot be removed
   * @throws IOException as for {@link #open}
   */
  public RemovableBloomFilter<K> openRemovable(Path path) throws IOException {
    return removable(files().open(path, openingRemovable()));
  }

  /**
   * Opens a saved filter for an update and locks its file until the update is closed.
   *
   * @param patience the maximum time to wait for the lock; zero not to wait
   * @throws FilterLockedException if the lock was not acquired in that time
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws IOException as for {@link #open}, or if it is not a regular file
   */
  public FilterUpdate<BloomFilter<K>> update(Path path, Duration patience) throws IOException {
    return files().update(path, patience, opening(), filter -> BloomFilter.of(filter, hasher));
  }

  /**
   * Opens a saved filter whose keys can be removed for an update, as {@link #update} does.
   *
   * @throws IOException as for {@link #update}, or if its keys cannot be removed
   */
  public FilterUpdate<RemovableBloomFilter<K>> updateRemovable(Path path, Duration patience)
      throws IOException {
    return files().update(path, patience, openingRemovable(), this::removable);
  }

  /**
   * Maps a saved or live filter of any variant, number of expected keys and false-positive
   * probability. The filter is queried in its memory-mapped file without being loaded into the
   * heap, and is read-only.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is corrupt
   * @throws UnexpectedFilterException if it holds keys of another hasher or form, its content is
   *     larger than {@link #maxBytes}, or its variant is not installed
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedBloomFilter<K> map(Path path) throws IOException {
    return MappedBloomFilter.of(files().map(path, opening()), hasher);
  }

  /**
   * Opens a filter that lives in its file, as {@link #openLive(Path, Duration)} does, without
   * waiting for its lock.
   */
  public LiveBloomFilter<K> openLive(Path path) throws IOException {
    return openLive(path, Duration.ZERO);
  }

  /**
   * Opens a filter that lives in its file, whose keys may be put and queried, whatever its variant,
   * number of expected keys and false-positive probability. {@link FilterBuilder#openOrCreate}
   * makes one.
   *
   * @param patience the maximum time to wait for the lock; zero not to wait
   * @throws FilterLockedException if the lock was not acquired in that time; the message has the
   *     process that has the file open
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws FilterFormatException if it is not a live filter, or its header is corrupt
   * @throws UnexpectedFilterException as for {@link #map}
   * @throws IOException if the file cannot be read, written or mapped
   */
  public LiveBloomFilter<K> openLive(Path path, Duration patience) throws IOException {
    return LiveBloomFilter.of(files().openLive(path, patience, opening()), hasher);
  }

  /**
   * Maps a filter in a part of a live file, as {@link FilterFiles#mapPart} does.
   *
   * @throws UnexpectedFilterException as for {@link #map}
   * @throws IOException as for {@link FilterFiles#mapPart}
   */
  public LivePart mapPart(Path path, FileChannel channel, long from, long length, boolean wasOpen)
      throws IOException {
    return files().mapPart(path, channel, from, length, wasOpen, opening());
  }

  /** Returns what hashes the keys. */
  public KeyHasher<? super K> hasher() {
    return hasher;
  }

  /**
   * Opens a sharded filter and loads all its shards; {@link #maxBytes} limits their total.
   *
   * @throws java.nio.file.NoSuchFileException if a shard is missing; the message names it
   * @throws FilterFormatException if the folder's manifest or a shard is corrupt
   * @throws UnexpectedFilterException if a file is not the shard that the manifest names, or the
   *     filter holds keys of another hasher or form, is too large, or its variant is not installed
   * @throws IOException if a file cannot be read
   */
  public ShardedBloomFilter<K> openShards(Path folder) throws IOException {
    return ShardedBloomFilter.of(shardedFiles().open(folder, opening()), hasher);
  }

  /**
   * Maps a sharded filter, which is queried in its memory-mapped files and need not fit in the
   * heap.
   *
   * @throws IOException as for {@link #openShards}, or if a file cannot be mapped
   */
  public ShardedBloomFilter<K> mapShards(Path folder) throws IOException {
    return ShardedBloomFilter.of(shardedFiles().map(folder, opening()), hasher);
  }

  /**
   * Reads a filter from a stream, and no byte after its end.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException if it holds keys of another hasher or form, its content is
   *     larger than {@link #maxBytes}, or its variant is not installed
   * @throws IOException if the stream fails
   */
  public BloomFilter<K> read(InputStream in) throws IOException {
    return BloomFilter.of(files().read(in, opening()), hasher);
  }

  /**
   * Reads a filter that consists of exactly the next {@code length} bytes of a stream, as {@link
   * FilterFiles#read(InputStream, long, io.bloomery.file.OpenOptions)} does.
   *
   * @param length the number of bytes of the filter
   * @throws FilterFormatException if the bytes are not a filter of this length, or are corrupt
   * @throws UnexpectedFilterException as for {@link #read(InputStream)}
   * @throws IOException if the stream fails
   */
  public BloomFilter<K> read(InputStream in, long length) throws IOException {
    return BloomFilter.of(files().read(in, length, opening()), hasher);
  }

  /**
   * Reads a filter from the remaining bytes of a buffer, such as {@link ByteBuffer#wrap(byte[])} of
   * an array. The buffer's position is advanced to the end of the filter, or left unchanged if this
   * method throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException if it holds keys of another hasher or form, its content is
   *     larger than {@link #maxBytes}, or its variant is not installed
   */
  public BloomFilter<K> read(ByteBuffer in) throws IOException {
    return BloomFilter.of(files().read(in, opening()), hasher);
  }

  private FilterFiles files() {
    return new FilterFiles(providers);
  }

  private ShardedFilterFiles shardedFiles() {
    return new ShardedFilterFiles(providers);
  }

  private OpenOptions opening() {
    return OpenOptions.of(mode).within(limits).keys(hasher);
  }

  private OpenOptions openingRemovable() {
    return opening().removable();
  }

  private RemovableBloomFilter<K> removable(Filter filter) {
    return (RemovableBloomFilter<K>) BloomFilter.<K>of(filter, hasher);
  }
}
