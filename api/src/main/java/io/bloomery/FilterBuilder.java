package io.bloomery;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * An immutable builder of Bloom filters, which also opens saved ones: set the parameters, then call
 * {@link #create}, {@link #open} or {@link #toFilter}.
 *
 * <p>Every setter returns a new builder and leaves this one unchanged; a builder may be kept and
 * shared between threads. {@link #expect}, {@link #fpp}, {@link #variant} and {@link #attribute}
 * apply to new filters only. A filter that is opened, mapped, read or updated takes these from its
 * file, and those methods throw {@link IllegalStateException} if one of the four was set.
 *
 * @param <K> the type of keys
 */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class FilterBuilder<K> {

  /** The default false-positive probability: one in a hundred. */
  public static final double DEFAULT_FPP = 0.01;

  /** The default variant of {@link #create}. */
  public static final String DEFAULT_VARIANT = "standard";

  /** The default variant of {@link #createRemovable}. */
  public static final String DEFAULT_REMOVABLE_VARIANT = "counting";

  private static final long NOT_SAID = 0;

  private final FilterProviders providers;
  private KeyHasher<? super K> hasher;
  private @Nullable FilterProvider provider; // null if not set
  private long expectedKeys = NOT_SAID;
  private double fpp = NOT_SAID;
  private ThreadMode mode = ThreadMode.SHARED;
  private FilterLimits limits = FilterLimits.HEAP;
  private SortedMap<String, String> attributes = new TreeMap<>();

  FilterBuilder(FilterProviders providers, KeyHasher<? super K> hasher) {
    this.providers = providers;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
  }

  private FilterBuilder<K> copy() {
    FilterBuilder<K> copy = new FilterBuilder<>(providers, hasher);
    copy.provider = provider;
    copy.expectedKeys = expectedKeys;
    copy.fpp = fpp;
    copy.mode = mode;
    copy.limits = limits;
    copy.attributes = attributes;
    return copy;
  }

  /**
   * Sets the expected number of distinct keys, up to which the false-positive probability is
   * guaranteed.
   */
  public FilterBuilder<K> expect(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expected keys must be at least 1, but was " + keys);
    }
    FilterBuilder<K> copy = copy();
    copy.expectedKeys = keys;
    return copy;
  }

  /**
   * Sets the false-positive probability, between 0 and 1, exclusive: the share of keys never put
   * for which a query returns true. The default is {@value #DEFAULT_FPP}.
   */
  public FilterBuilder<K> fpp(double falsePositiveRate) {
    Sizing.checkRate(falsePositiveRate);
    FilterBuilder<K> copy = copy();
    copy.fpp = falsePositiveRate;
    return copy;
  }

  /**
   * Sets the variant of the filter, one of {@link FilterProviders#variants}. The default is {@value
   * #DEFAULT_VARIANT}.
   */
  public FilterBuilder<K> variant(String name) {
    return variant(providers.get(name));
  }

  /**
   * Sets the variant by its provider, which need not be installed: for providers that have
   * parameters of their own.
   */
  public FilterBuilder<K> variant(FilterProvider provider) {
    FilterBuilder<K> copy = copy();
    copy.provider = Objects.requireNonNull(provider, "provider");
    return copy;
  }

  /**
   * Restricts the filter to one thread at a time, which makes puts faster: {@link
   * ThreadMode#CONFINED}.
   */
  public FilterBuilder<K> confined() {
    FilterBuilder<K> copy = copy();
    copy.mode = ThreadMode.CONFINED;
    return copy;
  }

  /**
   * Makes the filter thread-safe, which is the default: {@link ThreadMode#SHARED}. For code that is
   * passed a builder and cannot rely on its previous settings.
   */
  public FilterBuilder<K> shared() {
    FilterBuilder<K> copy = copy();
    copy.mode = ThreadMode.SHARED;
    return copy;
  }

  /**
   * Sets the maximum size of the filter in bytes, whether it is created, opened or read; by default
   * only the heap limits it. A filter that grows throws {@link FilterFullException} at the limit.
   * The limit is not stored in files: set it again wherever files of unknown origin are opened. It
   * also applies to the content of mapped files, although they take no heap.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public FilterBuilder<K> maxBytes(long bytes) {
    FilterBuilder<K> copy = copy();
    copy.limits = FilterLimits.ofBytes(bytes);
    return copy;
  }

  /**
   * Adds an attribute: a short text that is stored with the filter and in its file, as one of
   * {@link FilterSpec#attributes}; for example the origin of the keys or an expiry date.
   *
   * @param name 1 to 32 printable ASCII characters that do not begin with {@code bloomery.}
   * @param text without control characters; all names and texts together have at most 1024 bytes
   * @throws IllegalArgumentException if the name or text is out of these ranges, or there are more
   *     than 16 attributes
   */
  public FilterBuilder<K> attribute(String name, String text) {
    Attributes.checkNotOurs(name);
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(name, text);
    FilterBuilder<K> copy = copy();
    copy.attributes = Attributes.checked(more);
    return copy;
  }

  /**
   * Sets a secret that keys are hashed with, as specified by {@link KeyHasher#secret}: a defence
   * against chosen-key attacks. The same secret is required to open the filter again.
   *
   * @param secret 16 to 4,096 random bytes, which are not retained
   * @throws IllegalArgumentException if the secret is too short or too long, or the hasher does not
   *     support one
   */
  public FilterBuilder<K> secret(byte[] secret) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.secret(secret);
    return copy;
  }

  /**
   * Sets the form that is applied to each key before it is hashed, as specified by {@link
   * KeyHasher#withForm}: {@code Bloomery.strings().keyForm(KeyForm.IGNORE_CASE)}. The filter
   * records the form, and the same form is required to open it again. A key that is not valid in
   * the form causes an IllegalArgumentException.
   *
   * @throws IllegalArgumentException if the keys are neither text nor bytes, or already have a form
   */
  public FilterBuilder<K> keyForm(KeyForm form) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.withForm(form);
    return copy;
  }

  /**
   * Declares that the keys are already in a form, as specified by {@link KeyHasher#readyIn}: they
   * are hashed as they are. The filter records the form as {@link #keyForm} does.
   *
   * @throws IllegalArgumentException if the keys are neither text nor bytes, or already have a form
   */
  public FilterBuilder<K> keysReadyIn(KeyForm form) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.readyIn(form);
    return copy;
  }

  /**
   * Creates an empty filter.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters; the
   *     message names parameters that can be satisfied
   */
  public BloomFilter<K> create() {
    return BloomFilter.of(provider(DEFAULT_VARIANT).create(spec(), mode, limits), hasher);
  }

  /**
   * Creates an empty filter whose keys can be removed. The default variant is {@value
   * #DEFAULT_REMOVABLE_VARIANT}.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException as for {@link #create}, or if the variant does not support
   *     removal
   */
  public RemovableBloomFilter<K> createRemovable() {
    FilterProvider removable = provider(DEFAULT_REMOVABLE_VARIANT);
    checkRemovable(removable);
    return (RemovableBloomFilter<K>)
        BloomFilter.<K>of(removable.create(spec(), mode, limits), hasher);
  }

  /**
   * Plans a filter without creating it: the size and the number of hash functions of the smallest
   * filter that satisfies the parameters.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters, or it
   *     needs more than {@link #maxBytes}; the message names parameters that can be satisfied
   */
  public FilterPlan plan() {
    return Budget.within(provider(DEFAULT_VARIANT), spec(), limits.maxBytes());
  }

  /**
   * Plans the filter with the lowest false-positive probability for the expected keys within {@link
   * #maxBytes}.
   *
   * @throws IllegalStateException if {@link #expect} or {@link #maxBytes} was not called, or {@link
   *     #fpp} was
   * @throws IllegalArgumentException if the keys do not fit at any false-positive probability
   */
  public FilterPlan planLowestFpp() {
    checkSaid("planLowestFpp", "expect(1_000_000)", expectedKeys != NOT_SAID);
    checkSaid("planLowestFpp", "maxBytes(1 << 20)", !limits.equals(FilterLimits.HEAP));
    checkNotSaid("planLowestFpp", "fpp", fpp != NOT_SAID);
    return Budget.lowestRate(provider(DEFAULT_VARIANT), expectedKeys, limits.maxBytes());
  }

  /**
   * Plans the filter for the largest number of keys at the requested false-positive probability
   * within {@link #maxBytes}.
   *
   * @throws IllegalStateException if {@link #maxBytes} was not called, or {@link #expect} was
   * @throws IllegalArgumentException if not even one key fits
   */
  public FilterPlan planMaxKeys() {
    checkSaid("planMaxKeys", "maxBytes(1 << 20)", !limits.equals(FilterLimits.HEAP));
    checkNotSaid("planMaxKeys", "expect", expectedKeys != NOT_SAID);
    return Budget.maxKeys(provider(DEFAULT_VARIANT), rate(), limits.maxBytes());
  }

  private static void checkSaid(String call, String needed, boolean isSaid) {
    if (!isSaid) {
      throw new IllegalStateException(
          call + " must be told what to plan for, but is not: say " + needed + " before it");
    }
  }

  private static void checkNotSaid(String call, String refused, boolean isSaid) {
    if (isSaid) {
      throw new IllegalStateException(
          call + " finds what " + refused + " sets, but it was set; leave out " + refused);
    }
  }

  /**
   * Returns a collector that puts the elements of a stream, or of each group of a stream, into a
   * new filter. The threads of a parallel stream put into filters of their own, four for each
   * processor, which are merged. If the variant does not merge by bitwise or, they hash the
   * elements, and one thread puts the hashes. If the filter is {@linkplain #shared shared} and
   * filters for all threads would take more than an eighth of the heap, or it has counts and more
   * than 1 MiB, or it grows, they put into the filter itself at the same time, unless they group
   * elements by a collector that is not concurrent.
   *
   * <p>All parts of a stream and of its groups but the first keep hashes before they have a filter,
   * of 8 bytes for each element, while these take less than the planned filter. If the variant does
   * not merge, they have none before the end: from eight times the planned filter on, they keep 16
   * to 32 bytes for each different element.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException as for {@link #create}
   */
  public Collector<K, ?, BloomFilter<K>> toFilter() {
    FilterProvider collecting = provider(DEFAULT_VARIANT);
    FilterSpec spec = spec();
    return new FilterCollector<K>(
            collecting.filterType(),
            mode,
            collecting.plan(spec).sizeInBits(),
            each -> collecting.create(spec, each, limits),
            hasher)
        .collector();
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
   * Maps a saved filter of any variant, number of expected keys and false-positive probability. The
   * filter is queried in its memory-mapped file without being loaded into the heap, and is
   * read-only.
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
   * Returns a writer of a sharded filter: a folder with one file per shard, which together are
   * queried as one filter of {@link #expect} keys with the false-positive probability {@link #fpp}.
   * For filters that are larger than a single table or the heap, and for distributed builds.
   *
   * @param shards from 1 to {@value Sharding#MAX_SHARDS}
   * @param folder the folder of the shards; created with the first shard if absent
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if the number of shards is out of range, or no filter
   *     satisfies the parameters of a shard
   */
  public ShardWriter<K> shards(int shards, Path folder) {
    FilterProvider planned = provider(DEFAULT_VARIANT);
    Sharding sharding = Sharding.of(spec(), shards);
    planned.plan(sharding.spec(0));
    return new ShardWriter<>(planned, sharding, hasher, limits, folder);
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

  private ShardedFilterFiles shardedFiles() {
    return new ShardedFilterFiles(providers);
  }

  /**
   * Reads a filter from a stream, and no byte behind it.
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
   * Reads a filter from a blocking channel, and no byte behind it.
   *
   * @throws FilterFormatException if the bytes are not a filter, or are corrupt
   * @throws UnexpectedFilterException if it holds keys of another hasher or form, its content is
   *     larger than {@link #maxBytes}, or its variant is not installed
   * @throws IOException if the channel fails, or delivers no byte in a thousand consecutive calls
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public BloomFilter<K> read(ReadableByteChannel in) throws IOException {
    return BloomFilter.of(files().read(in, opening()), hasher);
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

  private double rate() {
    return fpp == NOT_SAID ? DEFAULT_FPP : fpp;
  }

  private FilterProvider provider(String otherwise) {
    return provider == null ? providers.get(otherwise) : provider;
  }

  private FilterSpec spec() {
    if (expectedKeys == NOT_SAID) {
      throw new IllegalStateException(
          "a filter needs to know how many keys to expect: say expect(1_000_000)");
    }
    return FilterSpec.of(expectedKeys, rate(), hasher.id()).withAttributes(recorded());
  }

  /** Returns all attributes of the filter: those of the user and the form of the keys. */
  private SortedMap<String, String> recorded() {
    KeyForm form = hasher.keyForm();
    if (form == KeyForm.PLAIN) {
      return attributes;
    }
    SortedMap<String, String> all = new TreeMap<>(attributes);
    all.put(KeyForm.ATTRIBUTE, form.toString());
    return all;
  }

  private FilterFiles files() {
    return new FilterFiles(providers);
  }

  /**
   * Returns the options for opening a filter, after checking that no parameter of new filters was
   * set.
   */
  private OpenOptions opening() {
    checkNotMaking("expect", expectedKeys != NOT_SAID);
    checkNotMaking("fpp", fpp != NOT_SAID);
    checkNotMaking("variant", provider != null);
    checkNotMaking("attribute", !attributes.isEmpty());
    return OpenOptions.of(mode).within(limits).keys(hasher);
  }

  private static void checkNotMaking(String call, boolean isSaid) {
    if (isSaid) {
      throw new IllegalStateException(
          "a filter that is opened, mapped, read or updated is what its file says, so that "
              + call
              + " must not be set for it, but was; leave out "
              + call
              + ", or create a filter");
    }
  }

  private OpenOptions openingRemovable() {
    return opening().removable();
  }

  private RemovableBloomFilter<K> removable(Filter filter) {
    return (RemovableBloomFilter<K>) BloomFilter.<K>of(filter, hasher);
  }

  private static void checkRemovable(FilterProvider provider) {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw new IllegalArgumentException(MissingAbility.removing(provider.variant()));
    }
  }
}
