package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a guard, from the start of its filling until it is replaced.
 *
 * <p>Later generations have higher numbers. An absence confirmed while a generation served is void
 * once the next one serves, whose keys were read from the source afterwards.
 */
final class Generation<K> {

  /** The number that stands for no generation. */
  static final long NONE = 0;

  private final long number;
  private final BloomFilterView<K> view;
  private final @Nullable FilledFilter<K> filter;
  private final @Nullable FilterView hashes; // null like the filter
  private final @Nullable KeyHasher<? super K> hasher; // null like the filter
  private final long startNanos;
  private final boolean kept;
  private final AbsentKeySample sample = new AbsentKeySample();
  private final Measurement measurement;
  private final FilterBreaker breaker;
  private volatile @Nullable String unusable;

  private Generation(
      long number,
      BloomFilterView<K> view,
      @Nullable FilledFilter<K> filter,
      Optional<Duration> age,
      FilterBreaker breaker) {
    this.number = number;
    this.view = view;
    this.filter = filter;
    this.hashes = filter == null ? null : filter.hashes();
    this.hasher = filter == null ? null : filter.hasher();
    this.startNanos = System.nanoTime() - AnswerLimits.nanos(age.orElse(Duration.ZERO));
    this.kept = age.isPresent();
    this.breaker = breaker;
    this.measurement = new Measurement(view);
  }

  /** Returns a generation to be filled. */
  static <K> Generation<K> of(long number, FilledFilter<K> filter, FilterBreaker breaker) {
    return new Generation<>(number, filter.view(), filter, Optional.empty(), breaker);
  }

  /** Returns a generation that an earlier run filled. */
  static <K> Generation<K> of(long number, FilterStore.Kept<K> kept, FilterBreaker breaker) {
    FilledFilter<K> filter = kept.filter();
    return new Generation<>(number, filter.view(), filter, Optional.of(kept.age()), breaker);
  }

  /** Returns a read-only generation. */
  static <K> Generation<K> of(long number, BloomFilterView<K> view, FilterBreaker breaker) {
    return new Generation<>(number, view, null, Optional.empty(), breaker);
  }

  long number() {
    return number;
  }

  BloomFilterView<K> view() {
    return view;
  }

  long startNanos() {
    return startNanos;
  }

  /** Returns whether an earlier run filled it. */
  boolean wasKept() {
    return kept;
  }

  /**
   * Returns the rate that the filter was created for, or 1, which no rate exceeds, if it is
   * read-only.
   */
  double plannedRate() {
    return filter == null ? 1 : filter.spec().falsePositiveRate();
  }

  Optional<MeasuredRate> rate() {
    return sample.rate();
  }

  AbsentKeySample sample() {
    return sample;
  }

  FilterBreaker breaker() {
    return breaker;
  }

  Measurement measurement() {
    return measurement;
  }

  /**
   * Returns a hash of a key for the sample: that of the filter, or {@code hashCode} for a read-only
   * filter.
   */
  long hash(K key) {
    return hasher == null ? key.hashCode() : hasher.hash(key);
  }

  /**
   * Returns whether a key might be contained.
   *
   * @param hash its {@link #hash}
   * @throws FilterUnavailableException if the filter cannot be queried
   */
  boolean mightContain(K key, long hash) {
    try {
      boolean maybe = hashes == null ? view.mightContain(key) : hashes.mightContain(hash);
      breaker.succeeded();
      return maybe;
    } catch (FilterUnavailableException e) {
      breaker.failed(e);
      throw e;
    }
  }

  /**
   * Returns those keys that might be contained, and samples the others for the measured rate.
   *
   * @throws FilterUnavailableException if the filter cannot be queried
   */
  List<K> select(List<K> keys) {
    List<K> maybe = selected(keys);
    Iterator<K> next = maybe.iterator();
    @Nullable K expected = next.hasNext() ? next.next() : null;
    for (K key : keys) {
      if (key == expected) { // by identity: the selection has the given objects in their order
        expected = next.hasNext() ? next.next() : null;
      } else {
        sample.keptBack(hash(key), true);
      }
    }
    return maybe;
  }

  private List<K> selected(List<K> keys) {
    try {
      List<K> maybe = view.select(keys);
      breaker.succeeded();
      return maybe;
    } catch (FilterUnavailableException e) {
      breaker.failed(e);
      throw e;
    }
  }

  /** Samples a key that a caller did not find in the source, if the filter lets it pass. */
  void notFound(K key) {
    long hash = hash(key);
    try {
      if (breaker.permits() && mightContain(key, hash)) {
        sample.reported(hash);
      }
    } catch (FilterUnavailableException e) {
      // No answer is no false positive.
    }
  }

  /**
   * Adds a key.
   *
   * @return false if the filter lacks this or an earlier key, and this generation is {@linkplain
   *     #unusable unusable}
   */
  boolean put(K key) {
    try {
      if (filled().put(key)) {
        measurement.outdated();
      }
    } catch (FilterFullException e) {
      unusable = "a key found no room: " + e.getMessage();
    } catch (FilterUnavailableException e) {
      unusable = "a key could not be put: " + e.getMessage();
    }
    return unusable == null;
  }

  /**
   * Adds all keys.
   *
   * @throws FilterFullException if the filter has no room for a key
   */
  void putAll(Iterable<? extends K> keys) {
    filled().putAll(keys);
    measurement.outdated();
  }

  /** Removes one put of a key, if the filter can; otherwise the key continues to pass. */
  void remove(K key) {
    try {
      filled().remove(key);
      measurement.outdated();
    } catch (FilterUnavailableException e) {
      // It continues to pass.
    }
  }

  /** Returns whether the filter grows, and so keeps its rate with any number of keys. */
  boolean grows() {
    return measurement.last().map(FilterStats::grows).orElse(false);
  }

  /**
   * Returns the number of distinct keys, {@code read} of which the source had, with repetitions.
   */
  long distinctKeys(long read) {
    OptionalLong estimate =
        measurement.last().map(FilterStats::approximateKeys).orElse(OptionalLong.empty());
    if (estimate.isEmpty()) {
      return read;
    }
    long keys = estimate.getAsLong();
    // In a filter that is far too small it means little; otherwise it tells of repetitions.
    boolean isGood = grows() || keys / 4 < filled().spec().expectedKeys();
    return isGood && keys < read / 10 * 9 ? keys : read;
  }

  /**
   * Returns the reason why keys are missing, so that no key can be reported as absent; empty if
   * none is.
   */
  Optional<String> unusable() {
    return Optional.ofNullable(unusable);
  }

  /** Ends puts; a read-only filter is left open. */
  void close() {
    if (filter != null) {
      filter.close();
    }
  }

  /** Returns the filter, which is not read-only. */
  FilledFilter<K> filled() {
    return Objects.requireNonNull(filter, "read-only");
  }
}
