package io.bloomery;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.filter.DistinctHashes;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.Sizing;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable builder of filters of sets that never change, begun by {@link Filters#fpp}: they are
 * built once from all their keys, and are smaller than filters that accept puts.
 *
 * <p>Equal sets of keys give equal bytes, whatever their order and however often each comes. Every
 * setter returns a new builder and leaves this one unchanged.
 *
 * @param <K> the type of keys
 */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class StaticFilterBuilder<K> {

  /** The default variant. */
  public static final String DEFAULT_VARIANT = "fuse";

  private final FilterProviders providers;
  private final KeyHasher<? super K> hasher;
  private final FilterLimits limits;
  private final double fpp;
  private final @Nullable StaticFilterProvider provider; // null if not set
  private final SortedMap<String, String> attributes;
  private final long bytes;
  private final @Nullable Path folder; // null if hashes must be on the heap

  StaticFilterBuilder(
      FilterProviders providers, KeyHasher<? super K> hasher, FilterLimits limits, double fpp) {
    this(providers, hasher, limits, fpp, null, new TreeMap<>(), Long.MAX_VALUE, null);
  }

  private StaticFilterBuilder(
      FilterProviders providers,
      KeyHasher<? super K> hasher,
      FilterLimits limits,
      double fpp,
      @Nullable StaticFilterProvider provider,
      SortedMap<String, String> attributes,
      long bytes,
      @Nullable Path folder) {
    Sizing.checkRate(fpp);
    this.providers = providers;
    this.hasher = hasher;
    this.limits = limits;
    this.fpp = fpp;
    this.provider = provider;
    this.attributes = attributes;
    this.bytes = bytes;
    this.folder = folder;
  }

  /**
   * Sets the variant, one whose filters are built once. The default is {@value #DEFAULT_VARIANT}.
   *
   * @throws IllegalArgumentException if there is none of this name, or its filters accept puts
   */
  public StaticFilterBuilder<K> variant(String name) {
    return variant(named(name));
  }

  /** Sets the variant of the filter by its provider, which need not be installed. */
  public StaticFilterBuilder<K> variant(StaticFilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    return new StaticFilterBuilder<>(
        providers, hasher, limits, fpp, provider, attributes, bytes, folder);
  }

  /**
   * Adds an attribute, as {@link FilterBuilder#attribute} does.
   *
   * @throws IllegalArgumentException as for {@link FilterBuilder#attribute}
   */
  public StaticFilterBuilder<K> attribute(String name, String text) {
    return new StaticFilterBuilder<>(
        providers,
        hasher,
        limits,
        fpp,
        provider,
        FilterBuilder.with(attributes, name, text),
        bytes,
        folder);
  }

  /**
   * Sets how many bytes of heap a build may take beside the filter. The default is what the heap
   * has. {@code fuse} needs 23 bytes for each of up to 2^24 keys, from a million on, and 188 MB for
   * more, plus a 32nd of a byte for each.
   *
   * <p>Hashes that have no room go to a temporary file, which {@link DistinctHashes} describes.
   *
   * @param bytes at least 1
   * @param folder an existing folder of the default file system
   * @throws IllegalArgumentException if {@code bytes} is less than 1, or {@code folder} is no
   *     folder
   */
  public StaticFilterBuilder<K> buildWithin(long bytes, Path folder) {
    DistinctHashes.check(bytes, folder);
    return new StaticFilterBuilder<>(
        providers, hasher, limits, fpp, provider, attributes, bytes, folder);
  }

  /**
   * Plans the filter of a number of distinct keys without building it.
   *
   * @param keys at least 1
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters, or it
   *     needs more than {@link Filters#maxBytes}; the message names parameters that can be
   *     satisfied
   */
  public FilterPlan plan(long keys) {
    return Budget.within(provider(), spec(keys), limits.maxBytes());
  }

  /**
   * Builds the filter of keys, which are read once. Their hashes take up to 24 bytes of heap for
   * each distinct key, unless {@link #buildWithin} bounds that, and then the variant takes its own:
   * {@code fuse} 23 for each of a million or more, and at most 374 MB.
   *
   * @throws NullPointerException if a key is null; the message has its index
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters, it
   *     needs more than {@link Filters#maxBytes}, or building it needs more than the heap, or than
   *     {@link #buildWithin} allows; the message has what it needs
   * @throws UncheckedIOException if the temporary file of {@link #buildWithin} cannot be written or
   *     read; it is then deleted
   */
  public StoredBloomFilter<K> build(Iterable<? extends K> keys) {
    try (DistinctHashes hashes = noHashes()) {
      long unused =
          new HashBatches<K>(keys, hasher, "in no filter")
              .sum(
                  (batch, count) -> {
                    hashes.add(batch, 0, count);
                    return count;
                  });
      return build(hashes);
    }
  }

  /**
   * Builds the filter of the keys of a stream, as {@link #build(Iterable)} does; the threads of a
   * parallel stream hash them.
   *
   * @throws NullPointerException if a key is null
   * @throws IllegalArgumentException as for {@link #build(Iterable)}
   * @throws UncheckedIOException as for {@link #build(Iterable)}
   */
  public StoredBloomFilter<K> build(Stream<? extends K> keys) {
    try (DistinctHashes hashes = noHashes()) {
      hashes.addAll(
          keys.mapToLong(key -> hasher.hash(Objects.requireNonNull(key, "keys must not be null"))));
      return build(hashes);
    }
  }

  private DistinctHashes noHashes() {
    return folder == null ? DistinctHashes.onHeap() : DistinctHashes.within(bytes, folder);
  }

  private StoredBloomFilter<K> build(DistinctHashes hashes) {
    FilterSpec spec = spec(Math.max(1, hashes.count()));
    return StoredBloomFilter.of(hashes.build(provider(), spec, limits), hasher);
  }

  private StaticFilterProvider provider() {
    return provider == null ? named(DEFAULT_VARIANT) : provider;
  }

  private StaticFilterProvider named(String name) {
    if (providers.variant(name) instanceof StaticFilterProvider building) {
      return building;
    }
    throw new IllegalArgumentException(MissingAbility.building(name));
  }

  private FilterSpec spec(long keys) {
    return FilterSpec.of(keys, fpp, hasher.id())
        .withAttributes(FilterBuilder.recorded(attributes, hasher));
  }
}
