package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A builder of Bloom filters of keys: say what the filter is to be, then {@link #create}, {@link
 * #open} or collect.
 *
 * <p>Builders do not change: each method returns a new one, so that one may be kept and shared.
 *
 * @param <K> the type of keys
 */
public final class FilterBuilder<K> {

  /** The false-positive rate when none is asked for: one in a hundred. */
  public static final double DEFAULT_FPP = 0.01;

  /** The variant of {@link #create} when none is asked for. */
  public static final String DEFAULT_VARIANT = "standard";

  /** The variant of {@link #createRemovable} when none is asked for. */
  public static final String DEFAULT_REMOVABLE_VARIANT = "counting";

  private static final long NOT_SAID = 0;

  private final Catalog catalog;
  private KeyHasher<? super K> hasher;
  private @Nullable FilterProvider provider; // null when not said
  private long expectedKeys = NOT_SAID;
  private double fpp = DEFAULT_FPP;
  private ThreadMode mode = ThreadMode.SHARED;
  private FilterLimits limits = FilterLimits.HEAP;
  private SortedMap<String, String> attributes = new TreeMap<>();

  FilterBuilder(Catalog catalog, KeyHasher<? super K> hasher) {
    this.catalog = catalog;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
  }

  private FilterBuilder<K> copy() {
    FilterBuilder<K> copy = new FilterBuilder<>(catalog, hasher);
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
    FilterSpec.checkRate(falsePositiveRate);
    FilterBuilder<K> copy = copy();
    copy.fpp = falsePositiveRate;
    return copy;
  }

  /**
   * Sets the kind of filter: one of {@link Bloomery#variants}; {@value #DEFAULT_VARIANT} if not
   * said.
   */
  public FilterBuilder<K> variant(String name) {
    return variant(catalog.get(name));
  }

  /**
   * Sets the kind of filter by its provider, installed or not: for one that has parameters and was
   * told how to set them. What is opened or read goes by its own bytes and by the providers
   * installed.
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
   * Sets how many bytes the filter may take, whether it is created, opened or read; no limit but
   * the heap if not said. A filter that grows throws {@link FilterFullException} at the limit. It
   * is not stored: set it where files of unknown origin are opened. A file to be mapped must not be
   * larger either, although it takes no heap.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public FilterBuilder<K> maxBytes(long bytes) {
    FilterBuilder<K> copy = copy();
    copy.limits = new FilterLimits(bytes);
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
   * @param secret at least 16 random bytes, which are not kept
   * @throws IllegalArgumentException if it is too short, or the hasher cannot take one
   */
  public FilterBuilder<K> secret(byte[] secret) {
    FilterBuilder<K> copy = copy();
    copy.hasher = hasher.secret(secret);
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

  /** Plans a filter without creating it: its size, probes and rates. */
  public FilterPlan plan() {
    return provider(DEFAULT_VARIANT).plan(spec());
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
   * @throws IllegalArgumentException if it was built for another kind of key, or its content is
   *     larger than {@link #maxBytes} allows
   * @throws IOException if the file cannot be read
   */
  public BloomFilter<K> open(Path path) throws IOException {
    return BloomFilter.of(FilterFile.open(path, opening()), hasher);
  }

  /**
   * Opens a filter that was saved and whose keys can be removed.
   *
   * @throws IllegalArgumentException if its keys cannot be removed, or it was built for another
   *     kind of key
   * @throws IOException as for {@link #open}
   */
  public RemovableBloomFilter<K> openRemovable(Path path) throws IOException {
    return removable(FilterFile.open(path, openingRemovable()));
  }

  /**
   * Opens a saved filter to change it, and locks its file until the update is closed.
   *
   * @param patience how long to wait while others have it locked; zero not to wait
   * @throws TimeoutException if others had it locked for so long
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   * @throws IllegalArgumentException as for {@link #open}
   * @throws IOException as for {@link #open}, or if it is not a regular file
   */
  public FilterUpdate<BloomFilter<K>> update(Path path, Duration patience)
      throws IOException, TimeoutException {
    return FilterUpdate.open(path, patience, opening(), filter -> BloomFilter.of(filter, hasher));
  }

  /**
   * Opens a saved filter whose keys can be removed, as {@link #update} does.
   *
   * @throws IllegalArgumentException as for {@link #openRemovable}
   */
  public FilterUpdate<RemovableBloomFilter<K>> updateRemovable(Path path, Duration patience)
      throws IOException, TimeoutException {
    return FilterUpdate.open(path, patience, openingRemovable(), this::removable);
  }

  /**
   * Maps a filter that was saved, whatever its variant, expected keys and rate: it answers from its
   * memory-mapped file, without being loaded, and nobody can put into it.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is damaged
   * @throws IllegalArgumentException if it was built for another kind of key, or its content is
   *     larger than {@link #maxBytes} allows
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedBloomFilter<K> map(Path path) throws IOException {
    return MappedBloomFilter.of(MappedFile.map(path, opening(), MappedFile.SEGMENT), hasher);
  }

  /**
   * Reads a filter from a stream, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key, or its content is
   *     larger than {@link #maxBytes} allows
   * @throws IOException if the stream fails
   */
  public BloomFilter<K> read(InputStream in) throws IOException {
    return BloomFilter.of(EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening()), hasher);
  }

  /**
   * Reads a filter from a channel that blocks, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key, or its content is
   *     larger than {@link #maxBytes} allows
   * @throws IOException if the channel fails, or gives nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public BloomFilter<K> read(ReadableByteChannel in) throws IOException {
    return BloomFilter.of(EnvelopeReader.read(in, opening()), hasher);
  }

  /**
   * Reads a filter from the bytes that remain in a buffer, such as {@link ByteBuffer#wrap(byte[])}
   * of an array. Its position is then behind the filter, and stays as it was if this throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key, or its content is
   *     larger than {@link #maxBytes} allows
   */
  public BloomFilter<K> read(ByteBuffer in) throws IOException {
    ByteBuffer ahead = in.duplicate();
    BloomFilter<K> filter = BloomFilter.of(EnvelopeReader.read(ahead, opening()), hasher);
    in.position(ahead.position());
    return filter;
  }

  private FilterProvider provider(String otherwise) {
    return provider == null ? catalog.get(otherwise) : provider;
  }

  private FilterSpec spec() {
    if (expectedKeys == NOT_SAID) {
      throw new IllegalStateException(
          "a filter needs to know how many keys to expect: say expect(1_000_000)");
    }
    return new FilterSpec(expectedKeys, fpp, hasher.id(), attributes);
  }

  private Opening opening() {
    return new Opening(
        catalog, mode, limits, (spec, provider) -> BloomFilter.checkHasher(spec, hasher));
  }

  private Opening openingRemovable() {
    return new Opening(
        catalog,
        mode,
        limits,
        (spec, provider) -> {
          BloomFilter.checkHasher(spec, hasher);
          checkRemovable(provider);
        });
  }

  private RemovableBloomFilter<K> removable(Filter filter) {
    return (RemovableBloomFilter<K>) BloomFilter.<K>of(filter, hasher);
  }

  private static void checkRemovable(FilterProvider provider) {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw new IllegalArgumentException(
          "variant must be one that can remove, such as '"
              + DEFAULT_REMOVABLE_VARIANT
              + "', but is '"
              + provider.variant()
              + "'");
    }
  }
}
