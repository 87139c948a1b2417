package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collector;

/**
 * What a filter of keys is to be: say it, then {@link #create}, {@link #open} or collect.
 *
 * <p>Builders do not change: each method returns a new one, so that one may be kept and shared.
 *
 * @param <K> the type of keys
 */
public final class FilterBuilder<K> {

  /** The rate when none is asked for: one in a hundred. */
  public static final double DEFAULT_RATE = 0.01;

  private static final String DEFAULT_VARIANT = "standard";
  private static final String DEFAULT_REMOVABLE_VARIANT = "counting";
  private static final long NOT_SAID = 0;

  private final Catalog catalog;
  private final KeyHasher<? super K> hasher;
  private final FilterProvider provider; // null when not said
  private final long expectedKeys;
  private final double rate;
  private final ThreadMode mode;

  FilterBuilder(Catalog catalog, KeyHasher<? super K> hasher) {
    this(catalog, hasher, null, NOT_SAID, DEFAULT_RATE, ThreadMode.SHARED);
  }

  private FilterBuilder(
      Catalog catalog,
      KeyHasher<? super K> hasher,
      FilterProvider provider,
      long expectedKeys,
      double rate,
      ThreadMode mode) {
    this.catalog = catalog;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
    this.provider = provider;
    this.expectedKeys = expectedKeys;
    this.rate = rate;
    this.mode = mode;
  }

  /** Sets how many different keys will be put: the rate is promised up to that number. */
  public FilterBuilder<K> expect(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expected keys must be at least 1, but was " + keys);
    }
    return new FilterBuilder<>(catalog, hasher, provider, keys, rate, mode);
  }

  /**
   * Sets the false-positive rate, between 0 and 1, exclusive; {@value #DEFAULT_RATE} if not said.
   */
  public FilterBuilder<K> rate(double falsePositiveRate) {
    FilterSpec.checkRate(falsePositiveRate);
    return new FilterBuilder<>(catalog, hasher, provider, expectedKeys, falsePositiveRate, mode);
  }

  /** Sets the kind of filter: one of {@link Bloomery#variants}; {@code "standard"} if not said. */
  public FilterBuilder<K> variant(String name) {
    return variant(catalog.get(name));
  }

  /**
   * Sets the kind of filter by its provider, installed or not: for one that has knobs and was told
   * how to set them. What is opened or read goes by its own bytes and by the providers installed.
   */
  public FilterBuilder<K> variant(FilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    return new FilterBuilder<>(catalog, hasher, provider, expectedKeys, rate, mode);
  }

  /** Promises that one thread at a time will use the filter, which makes puts faster. */
  public FilterBuilder<K> confined() {
    return new FilterBuilder<>(catalog, hasher, provider, expectedKeys, rate, ThreadMode.CONFINED);
  }

  /**
   * Creates an empty filter.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException if no filter of this variant can be as asked; the message says
   *     what could be
   */
  public KeyedFilter<K> create() {
    return KeyedFilter.of(provider(DEFAULT_VARIANT).create(spec(), mode), hasher);
  }

  /**
   * Creates an empty filter whose keys can be removed: variant {@code "counting"} if none was said.
   *
   * @throws IllegalStateException if {@link #expect} was not called
   * @throws IllegalArgumentException as for {@link #create}, or if the variant cannot remove
   */
  public RemovableKeyedFilter<K> createRemovable() {
    return removable(
        KeyedFilter.of(provider(DEFAULT_REMOVABLE_VARIANT).create(spec(), mode), hasher));
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
  public Collector<K, ?, KeyedFilter<K>> toFilter() {
    Collector.Characteristics[] characteristics =
        mode == ThreadMode.SHARED
            ? new Collector.Characteristics[] {
              Collector.Characteristics.CONCURRENT, Collector.Characteristics.UNORDERED
            }
            : new Collector.Characteristics[] {Collector.Characteristics.UNORDERED};
    return Collector.of(
        this::create,
        KeyedFilter::put,
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
   * @throws IllegalArgumentException if it was built for another kind of key
   * @throws IOException if the file cannot be read
   */
  public KeyedFilter<K> open(Path path) throws IOException {
    return KeyedFilter.of(FilterFile.open(path, catalog, mode), hasher);
  }

  /**
   * Opens a filter that was saved and whose keys can be removed.
   *
   * @throws IllegalArgumentException if its keys cannot be removed, or it was built for another
   *     kind of key
   * @throws IOException as for {@link #open}
   */
  public RemovableKeyedFilter<K> openRemovable(Path path) throws IOException {
    return removable(open(path));
  }

  /**
   * Maps a filter that was saved, whatever its variant, expected keys and rate: it answers from its
   * file, without being loaded, and nobody can put into it.
   *
   * @throws FilterFormatException if the file is not a filter, or its header or trailer is damaged
   * @throws IllegalArgumentException if it was built for another kind of key
   * @throws IOException if the file cannot be read or mapped
   */
  public MappedKeyedFilter<K> map(Path path) throws IOException {
    return MappedKeyedFilter.of(MappedFile.map(path, catalog, MappedFile.SEGMENT), hasher);
  }

  /**
   * Reads a filter from a stream, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key
   * @throws IOException if the stream fails
   */
  public KeyedFilter<K> read(InputStream in) throws IOException {
    return KeyedFilter.of(EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, catalog, mode), hasher);
  }

  /**
   * Reads a filter from a channel that blocks, to its last byte and no further.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key
   * @throws IOException if the channel fails, or gives nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public KeyedFilter<K> read(ReadableByteChannel in) throws IOException {
    return KeyedFilter.of(EnvelopeReader.read(in, catalog, mode), hasher);
  }

  /**
   * Reads a filter from the bytes that remain in a buffer, such as {@link ByteBuffer#wrap(byte[])}
   * of an array. Its position is then behind the filter, and stays as it was if this throws.
   *
   * @throws FilterFormatException if the bytes are not a filter, or damaged
   * @throws IllegalArgumentException if it was built for another kind of key
   */
  public KeyedFilter<K> read(ByteBuffer in) throws IOException {
    ByteBuffer ahead = in.duplicate();
    KeyedFilter<K> filter = KeyedFilter.of(EnvelopeReader.read(ahead, catalog, mode), hasher);
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
    return new FilterSpec(expectedKeys, rate, hasher.id());
  }

  private static <K> RemovableKeyedFilter<K> removable(KeyedFilter<K> filter) {
    if (filter instanceof RemovableKeyedFilter<K> removable) {
      return removable;
    }
    throw new IllegalArgumentException(
        "variant must be one that can remove, such as 'counting', but is '"
            + filter.filter().variant()
            + "'");
  }
}
