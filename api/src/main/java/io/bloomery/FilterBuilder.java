package io.bloomery;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.LivePart;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.Attributes;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.Sizing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * An immutable builder of new Bloom filters for a number of keys, begun by {@link Filters#expect}:
 * set the parameters, then call {@link #create} or {@link #toFilter}.
 *
 * <p>Every setter returns a new builder and leaves this one unchanged; a builder may be kept and
 * shared between threads.
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

  private final FilterProviders providers;
  private final KeyHasher<? super K> hasher;
  private @Nullable VariantProvider provider; // null if not set
  private long expectedKeys;
  private double fpp = DEFAULT_FPP;
  private ThreadMode mode;
  private FilterLimits limits;
  private SortedMap<String, String> attributes = new TreeMap<>();

  FilterBuilder(
      FilterProviders providers,
      KeyHasher<? super K> hasher,
      ThreadMode mode,
      FilterLimits limits,
      long expectedKeys) {
    this.providers = providers;
    this.hasher = hasher;
    this.mode = mode;
    this.limits = limits;
    this.expectedKeys = expectedKeys;
  }

  private FilterBuilder<K> copy() {
    FilterBuilder<K> copy = new FilterBuilder<>(providers, hasher, mode, limits, expectedKeys);
    copy.provider = provider;
    copy.fpp = fpp;
    copy.attributes = attributes;
    return copy;
  }

  static long checkedKeys(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("expected keys must be at least 1, but was " + keys);
    }
    return keys;
  }

  /** Sets another expected number of distinct keys, as {@link Filters#expect} does. */
  public FilterBuilder<K> expect(long keys) {
    FilterBuilder<K> copy = copy();
    copy.expectedKeys = checkedKeys(keys);
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
    return variant(providers.variant(name));
  }

  /**
   * Sets the variant by its provider, which need not be installed: for providers that have
   * parameters of their own.
   */
  public FilterBuilder<K> variant(VariantProvider provider) {
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
   * Sets the maximum size of the filter in bytes; by default only the heap limits it. A filter that
   * grows throws {@link FilterFullException} at the limit.
   *
   * @param bytes at least 1, as {@link Filter#payloadSize} counts them
   */
  public FilterBuilder<K> maxBytes(long bytes) {
    FilterBuilder<K> copy = copy();
    copy.limits = FilterLimits.ofBytes(bytes);
    return copy;
  }

  /**
   * Makes the filter one that can be {@linkplain BloomFilter#shrunk shrunk} and {@linkplain
   * BloomFilter#folded folded} by a large power of two, for when the number of keys is a guess: it
   * takes up to 0.5 % more bits, which for tables of less than some hundred words leave no power of
   * two. Variants {@code standard} and {@code partitioned} fold, and {@code blocked} at rates below
   * 0.01. Without this, a filter folds by whatever divides its size.
   *
   * @throws IllegalArgumentException if there are 16 attributes already, one of which this is
   */
  public FilterBuilder<K> foldable() {
    FilterBuilder<K> copy = copy();
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(FilterSpec.FOLDABLE, "true");
    copy.attributes = Attributes.checked(more);
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
    FilterBuilder<K> copy = copy();
    copy.attributes = with(attributes, name, text);
    return copy;
  }

  static SortedMap<String, String> with(
      SortedMap<String, String> attributes, String name, String text) {
    Attributes.checkNotOurs(name);
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(name, text);
    return Attributes.checked(more);
  }

  /**
   * Creates an empty filter.
   *
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters; the
   *     message names parameters that can be satisfied; or if its filters are built once
   */
  public BloomFilter<K> create() {
    return BloomFilter.of(provider(DEFAULT_VARIANT).create(spec(), mode, limits), hasher);
  }

  /**
   * Creates an empty filter whose keys can be removed. The default variant is {@value
   * #DEFAULT_REMOVABLE_VARIANT}.
   *
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
   * Opens a filter that lives in its file, or creates it, as {@link #openOrCreate(Path, Duration)}
   * does, without waiting for its lock.
   */
  public LiveBloomFilter<K> openOrCreate(Path path) throws IOException {
    return openOrCreate(path, Duration.ZERO);
  }

  /**
   * Opens a filter that lives in its file, or creates an empty one if there is no file, as several
   * processes may at the same time. It takes no heap.
   *
   * @param patience the maximum time to wait for the lock of the file; zero not to wait
   * @throws IllegalArgumentException as for {@link #create}, or if the variant does not live in its
   *     file
   * @throws UnexpectedFilterException if the file holds keys of another hasher or form, or was made
   *     for another variant, number of expected keys or false-positive probability; the message has
   *     which
   * @throws FilterLockedException if the lock was not acquired in that time; the message has the
   *     process that has the file open, or says that the file was moved or removed while it is open
   * @throws IOException as for {@link Filters#openLive(Path, Duration)}, or if the file cannot be
   *     made
   */
  public LiveBloomFilter<K> openOrCreate(Path path, Duration patience) throws IOException {
    OpenOptions options = OpenOptions.of(mode).within(limits).keys(hasher);
    return LiveBloomFilter.of(
        new FilterFiles(providers)
            .openOrCreateLive(path, patience, provider(DEFAULT_VARIANT), spec(), options),
        hasher);
  }

  /**
   * Returns the header of an empty filter that can live in a part of its file.
   *
   * @throws IllegalArgumentException as for {@link #openOrCreate(Path, Duration)}
   */
  public FilterHeader liveHeader() {
    return LivePart.header(provider(DEFAULT_VARIANT), spec(), limits);
  }

  /** Returns the filters of the same keys, thread mode and limit, to open saved ones. */
  public Filters<K> filters() {
    return Filters.of(providers, hasher, mode, limits);
  }

  /**
   * Plans a filter without creating it: the size and the number of hash functions of the smallest
   * filter that satisfies the parameters.
   *
   * @throws IllegalArgumentException if no filter of this variant satisfies the parameters, or it
   *     needs more than {@link #maxBytes}; the message names parameters that can be satisfied
   */
  public FilterPlan plan() {
    VariantProvider planned = provider == null ? providers.variant(DEFAULT_VARIANT) : provider;
    checkFolds(planned);
    return Budget.within(planned, spec(), limits.maxBytes());
  }

  /**
   * Returns a collector that puts the elements of a stream, or of each group of a stream, into a
   * new filter. A parallel stream is put into four filters for each processor, which are then
   * merged. If the variant does not merge by bitwise or, the threads hash the elements, and one
   * thread puts the hashes. A {@linkplain #shared shared} filter is instead filled by all threads
   * at the same time if these filters would take more than an eighth of the heap, if it has counts
   * and more than 1 MiB, or if it grows, unless elements are grouped by a collector that is not
   * concurrent.
   *
   * <p>Every part of a stream or group except the first keeps hashes of 8 bytes for each element,
   * and gets a filter when these take as much as the planned filter. If the variant does not merge,
   * the part gets none before the end: once its hashes take eight times the planned filter, it
   * keeps 16 to 32 bytes for each distinct element.
   *
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
   * Returns a writer of a sharded filter: a folder with one file per shard, which together are
   * queried as one filter of the expected keys with the false-positive probability {@link #fpp}.
   * For filters that are larger than a single table or the heap, and for distributed builds.
   *
   * @param shards from 1 to {@value Sharding#MAX_SHARDS}
   * @param folder the folder of the shards; created with the first shard if absent
   * @throws IllegalArgumentException if the number of shards is out of range, no filter satisfies
   *     the parameters of a shard, or shards are to be {@link #foldable}
   */
  public ShardWriter<K> shards(int shards, Path folder) {
    if (spec().isFoldable()) {
      throw new IllegalArgumentException("shards do not fold; leave out foldable()");
    }
    FilterProvider planned = provider(DEFAULT_VARIANT);
    Sharding sharding = Sharding.of(spec(), shards);
    planned.plan(sharding.spec(0));
    return new ShardWriter<>(planned, sharding, hasher, limits, folder);
  }

  private FilterProvider provider(String otherwise) {
    VariantProvider chosen = provider == null ? providers.get(otherwise) : provider;
    if (chosen instanceof FilterProvider creating) {
      checkFolds(chosen);
      return creating;
    }
    throw new IllegalArgumentException(MissingAbility.creating(chosen.variant()));
  }

  private FilterSpec spec() {
    return FilterSpec.of(expectedKeys, fpp, hasher.id())
        .withAttributes(recorded(attributes, hasher));
  }

  /** Returns all attributes of the filter: those of the user and the form of the keys. */
  static SortedMap<String, String> recorded(
      SortedMap<String, String> attributes, KeyHasher<?> hasher) {
    KeyForm form = hasher.keyForm();
    if (form == KeyForm.PLAIN) {
      return attributes;
    }
    SortedMap<String, String> all = new TreeMap<>(attributes);
    all.put(KeyForm.ATTRIBUTE, form.toString());
    return all;
  }

  /** Refuses a variant that does not fold, if one that does is asked for. */
  private void checkFolds(VariantProvider chosen) {
    FilterSpec spec = spec();
    if (spec.isFoldable()) {
      chosen
          .plan(spec)
          .folding()
          .refusal(1)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(
                    "a foldable filter must be of a variant that folds, such as '"
                        + DEFAULT_VARIANT
                        + "': "
                        + reason);
              });
    }
  }

  private static void checkRemovable(FilterProvider provider) {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw new IllegalArgumentException(MissingAbility.removing(provider.variant()));
    }
  }
}
