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
import java.util.function.Function;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A builder of Bloom filters of keys: say what the filter is to be, then {@link #create}, {@link
 * #open} or collect.
 *
 * <p>Builders do not change: each method returns a new one, so that one may be kept and shared, and
 * a call whose result is dropped does nothing. {@link #expect}, {@link #fpp}, {@link #variant} and
 * {@link #attribute} are for filters that are made: a filter that is opened, mapped, read or
 * updated is what its file says, and an {@link IllegalStateException} says so if one of them was
 * called.
 *
 * @param <K> the type of keys
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation: whoever lacks it is not told, and needs nothing
public final class FilterBuilder<K> {

  /** The false-positive rate when none is asked for: one in a hundred. */
  public static final double DEFAULT_FPP = 0.01;

  /** The variant of {@link #create} when none is asked for. */
  public static final String DEFAULT_VARIANT = "standard";

  /** The variant of {@link #createRemovable} when none is asked for. */
  public static final String DEFAULT_REMOVABLE_VARIANT = "counting";

  private static final long NOT_SAID = 0;

  private final FilterProviders providers;
  private KeyHasher<? super K> hasher;
  private @Nullable FilterProvider provider; // null when not said
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

  /** Sets how many different keys will be put: the rate is promised up to that number. */
  public FilterBuilder<K> expect(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expected keys must be at least 1, but was " + keys);
    }
    FilterBuilder<K> copy = copy();
    copy.expectedKeys = keys;
    return copy;
  }

  /**
   * Sets the false-positive probability, between 0 and 1, exclusive; {@value #DEFAULT_FPP} if not
   * said. It is the share of keys never put that the filter takes for present all the same.
   */
  public FilterBuilder<K> fpp(double falsePositiveRate) {
    Sizing.checkRate(falsePositiveRate);
    FilterBuilder<K> copy = copy();
    copy.fpp = falsePositiveRate;
    return copy;
  }

  /**
   * Sets the kind of filter: one of {@link FilterProviders#variants}; {@value #DEFAULT_VARIANT} if
   * not said.
   */
  public FilterBuilder<K> variant(String name) {
    return variant(providers.get(name));
  }

  /**
   * Sets the kind of filter by its provider, installed or not: for one that has parameters and was
   * told how to set them.
   */
  public FilterBuilder<K> variant(FilterProvider provider) {
    FilterBuilder<K> copy = copy();
    copy.provider = Objects.requireNonNull(provider, "provider");
    return copy;
  }

  /** Promises that one thread at a time will use the filter, which makes puts faster. */
  public FilterBuilder<K> confined() {
    FilterBuilder<K> copy = copy();
    copy.mode = ThreadMode.CONFINED;
    return copy;
  }

  /**
   * Says that any number of threads will use the filter, as when nothing is said: for those who are
   * handed a builder and must not rely on what was said before.
   */
  public FilterBuilder<K> shared() {
    FilterBuilder<K> copy = copy();
    copy.mode = ThreadMode.SHARED;
    return copy;
  }

  /**
   * Sets how many bytes the filter may take, whether it is created, opened or read; no limit but
   * the heap if not said. A filter that grows throws {@link FilterFullException} at the limit. It
   * is not stored: set it where files of unknown origin are opened. A file to be mapped must not be
   * larger either, although it takes no heap.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public FilterBuilder<K> maxBytes(long bytes) {
    FilterBuilder<K> copy = copy();
    copy.limits = FilterLimits.ofBytes(bytes);
    return copy;
  }

  /**
   * Adds a short text that is kept with the filter, in its file too, as one of {@link
   * FilterSpec#attributes}: who made it, from what, until when it serves.
   *
   * @param name 1 to 32 printable ASCII characters that do not begin with {@code bloomery.}
   * @param text without control characters; all names and texts together have at most 1024 bytes
   * @throws IllegalArgumentException if they are not so, or are more than 16
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
   * Hashes keys with a secret, as {@link KeyHasher#secret} says: for keys chosen by somebody who
   * wants the filter to fail. The same secret is needed to open the filter again.
   *
   * @param secret 16 to 4,096 random bytes, which are not kept
   * @throws IllegalArgumentException if it is too short or too long, or the hasher cannot take one
   */
  public FilterBuilder<K> secret(byte[] secret) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.secret(secret);
    return copy;
  }

  /**
   * Applies a form to each key before it is hashed, as {@link KeyHasher#withForm} says: {@code
   * Bloomery.strings().keyForm(KeyForm.IGNORE_CASE)}. The filter records it, and the same form is
   * needed to open it again. A key that is not written in the form is refused with an
   * IllegalArgumentException.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or have a form already
   */
  public FilterBuilder<K> keyForm(KeyForm form) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.withForm(form);
    return copy;
  }

  /**
   * Says that a form has been applied to keys already, as {@link KeyHasher#readyIn} says: nothing
   * is done to them. The filter records the form, as if it had been applied here.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or have a form already
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
   * @throws IllegalArgumentException if no filter of this variant can be as asked; the message says
   *     what could be
   */
  public BloomFilter<K> create() {
    return BloomFilter.of(provider(DEFAULT_VARIANT).create(spec(), mode, limits), hasher);
  }

  /**
   * Creates an empty filter whose keys can be removed: variant {@value #DEFAULT_REMOVABLE_VARIANT}
   * if none was said.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException as for {@link #create}, or if the variant cannot remove
   */
  public RemovableBloomFilter<K> createRemovable() {
    FilterProvider removable = provider(DEFAULT_REMOVABLE_VARIANT);
    checkRemovable(removable);
    return (RemovableBloomFilter<K>)
        BloomFilter.<K>of(removable.create(spec(), mode, limits), hasher);
  }

  /**
   * Plans a filter without creating it: the smallest that keeps the rate, its size and its probes.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if no filter of this variant can be as asked, or it needs more
   *     than {@link #maxBytes}; the message says what could be
   */
  public FilterPlan plan() {
    return Budget.within(provider(DEFAULT_VARIANT), spec(), limits.maxBytes());
  }

  /**
   * Plans the filter with the lowest false-positive probability that the expected keys have within
   * {@link #maxBytes}: a rate for a size.
   *
   * @throws IllegalStateException if {@link #expect} or {@link #maxBytes} was not called, or {@link
   *     #fpp} was
   * @throws IllegalArgumentException if the keys do not fit at any rate
   */
  public FilterPlan planLowestFpp() {
    checkSaid("planLowestFpp", "expect(1_000_000)", expectedKeys != NOT_SAID);
    checkSaid("planLowestFpp", "maxBytes(1 << 20)", !limits.equals(FilterLimits.HEAP));
    checkNotSaid("planLowestFpp", "fpp", fpp != NOT_SAID);
    return Budget.lowestRate(provider(DEFAULT_VARIANT), expectedKeys, limits.maxBytes());
  }

  /**
   * Plans the filter for as many keys as keep the rate within {@link #maxBytes}: keys for a size.
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
   * Returns a collector into a new filter. A parallel stream fills the one filter from all its
   * threads; if {@linkplain #confined confined}, it fills one each and merges them, which throws
   * IllegalArgumentException if the variant does not merge.
   */
  public Collector<K, ?, BloomFilter<K>> toFilter() {
    Collector.Characteristics[] characteristics =
        mode == ThreadMode.SHARED
            ? new Collector.Characteristics[] {
              Collector.Characteristics.CONCURRENT, Collector.Characteristics.UNORDERED
            }
            : new Collector.Characteristics[] {Collector.Characteristics.UNORDERED};
    return Collector.of(
        this::create,
        BloomFilter::put,
        (one, other) -> {
          one.putAll(other);
          return one;
        },
        Function.identity(),
        characteristics);
  }

  /**
   * Opens a filter that was saved, whatever its variant, expected keys and rate.
   *
   * @throws FilterFormatException if the file is not a filter, or is damaged
   * @throws UnexpectedFilterException if it was built for other keys, its content is larger than
   *     {@link #maxBytes} allows, or its variant is not installed
   * @throws IOException if the file cannot be read
   */
  public BloomFilter<K> open(Path path) throws IOException {
    return BloomFilter.of(files().open(path, opening()), hasher);
  }

  /**
   * Opens a filter that was saved and whose keys can be removed.
   *
   * @throws UnexpectedFilterException as for {@link #open}, or if its keys cannot be removed
   * @throws IOException as for {@link #open}
   */
  public RemovableBloomFilter<K> openRemovable(Path path) throws IOException {
    return removable(files().open(path, openingRemovable()));
  }

  /**
   * Opens a saved filter to change it, and locks its file until the update is closed.
   *
   * @param patience how long to wait while others have it locked; zero not to wait
   * @throws FilterLockedException if others had it locked for so long
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   * @throws IOException as for {@link #open}, or if it is not a regular file
   */
  public FilterUpdate<BloomFilter<K>> update(Path path, Duration patience) throws IOException {
    return files().update(path, patience, opening(), filter -> BloomFilter.of(filter, hasher));
  }

  /**
   * Opens a saved filter whose keys can be removed, as {@link #update} does.
   *
   * @throws IOException as for {@link #update}, or if its keys cannot be removed
   */
  public FilterUpdate<RemovableBloomFilter<K>> updateRemovable(Path path, Duration patience)
      throws IOException {
    return files().update(path, patience, openingRemovable(), this::removable);
  }

  /**
   * Maps a filter that was saved, whatever its variant, expected keys and rate: it answers from its
   * memory-mapped file, without being loaded, and nobody can put into it.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is damaged
   * @throws UnexpectedFilterException if it was built for other keys, its content is larger than
   *     {@link #maxBytes} allows, or its variant is not installed
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedBloomFilter<K> map(Path path) throws IOException {
    return MappedBloomFilter.of(files().map(path, opening()), hasher);
  }

  /**
   * Starts to write a filter in shards: a folder with a file for each, which together answer as one
   * filter of {@link #expect} keys at the rate of {@link #fpp}. For filters that are larger than a
   * table or the heap, and for builds in many places.
   *
   * @param shards from 1 to {@value Sharding#MAX_SHARDS}
   * @param folder where they are to be; made with the first shard if it is not there
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if there cannot be so many, or a shard cannot be as asked
   */
  public ShardWriter<K> shards(int shards, Path folder) {
    FilterProvider planned = provider(DEFAULT_VARIANT);
    Sharding sharding = Sharding.of(spec(), shards);
    planned.plan(sharding.spec(0));
    return new ShardWriter<>(planned, sharding, hasher, limits, folder);
  }

  /**
   * Opens a filter in shards, with all of them in memory; {@link #maxBytes} is for all together.
   *
   * @throws java.nio.file.NoSuchFileException if a shard is lost; the message names it
   * @throws FilterFormatException if the folder's manifest or a shard is damaged
   * @throws UnexpectedFilterException if a file is not the shard that the manifest names, or the
   *     filter was built for other keys, is too large, or its variant is not installed
   * @throws IOException if a file cannot be read
   */
  public ShardedBloomFilter<K> openShards(Path folder) throws IOException {
    return ShardedBloomFilter.of(shardedFiles().open(folder, opening()), hasher);
  }

  /**
   * Maps a filter in shards: it answers from its memory-mapped files, without being loaded, and
   * need not fit in the heap.
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
   * Reads a filter from a stream, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException if it was built for other keys, its content is larger than
   *     {@link #maxBytes} allows, or its variant is not installed
   * @throws IOException if the stream fails
   */
  public BloomFilter<K> read(InputStream in) throws IOException {
    return BloomFilter.of(files().read(in, opening()), hasher);
  }

  /**
   * Reads a filter that is exactly the next bytes of a stream, as {@link
   * FilterFiles#read(InputStream, long, io.bloomery.file.OpenOptions)} does.
   *
   * @param length how many bytes it has, which must be there
   * @throws FilterFormatException if the bytes are not a filter of this length, or damaged
   * @throws UnexpectedFilterException as for {@link #read(InputStream)}
   * @throws IOException if the stream fails
   */
  public BloomFilter<K> read(InputStream in, long length) throws IOException {
    return BloomFilter.of(files().read(in, length, opening()), hasher);
  }

  /**
   * Reads a filter from a channel that blocks, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException if it was built for other keys, its content is larger than
   *     {@link #maxBytes} allows, or its variant is not installed
   * @throws IOException if the channel fails, or gives nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public BloomFilter<K> read(ReadableByteChannel in) throws IOException {
    return BloomFilter.of(files().read(in, opening()), hasher);
  }

  /**
   * Reads a filter from the bytes that remain in a buffer, such as {@link ByteBuffer#wrap(byte[])}
   * of an array. Its position is then behind the filter, and stays as it was if this throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws UnexpectedFilterException if it was built for other keys, its content is larger than
   *     {@link #maxBytes} allows, or its variant is not installed
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

  /** Returns all that a filter remembers: what users say, and the form of keys. */
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

  /** Returns how to open filters, if nothing was asked for that only their makers can say. */
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
