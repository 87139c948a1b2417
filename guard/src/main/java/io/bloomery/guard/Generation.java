package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterUnavailableException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One filter of a guard, from its filling until the next takes its place.
 *
 * <p>Later generations have higher numbers. An absence that the source confirmed while one served
 * is no answer any more when the next does, whose keys were read from the source afterwards.
 */
final class Generation<K> {

  /** The number while there is none. */
  static final long NONE = 0;

  private final long number;
  private final BloomFilterView<K> view;
  private final @Nullable BloomFilter<K> filter;
  private final long startNanos = System.nanoTime();
  private final AbsentKeySample sample = new AbsentKeySample();
  private final Measurement measurement;
  private volatile @Nullable String unusable;

  private Generation(long number, BloomFilterView<K> view, @Nullable BloomFilter<K> filter) {
    this.number = number;
    this.view = view;
    this.filter = filter;
    this.measurement = new Measurement(view);
  }

  /** Begins a generation that is filled. */
  static <K> Generation<K> of(long number, BloomFilter<K> filter) {
    return new Generation<>(number, filter, filter);
  }

  /** Begins a generation that is only queried. */
  static <K> Generation<K> of(long number, BloomFilterView<K> view) {
    return new Generation<>(number, view, null);
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

  /** Returns the rate that the filter was made for; 1, which nothing exceeds, if only queried. */
  double plannedRate() {
    return filter == null ? 1 : filter.spec().falsePositiveRate();
  }

  MeasuredRate rate() {
    return sample.rate();
  }

  Measurement measurement() {
    return measurement;
  }

  /** Returns a hash of a key: that of the filter, where it tells. */
  long hash(K key) {
    return filter == null ? key.hashCode() : filter.hasher().hash(key);
  }

  /**
   * Returns whether a key may be there, and counts it among the different ones that are not.
   *
   * @throws FilterUnavailableException if there is no answer
   */
  boolean mightContain(K key, long hash) {
    boolean maybe = filter == null ? view.mightContain(key) : filter.filter().mightContain(hash);
    if (!maybe) {
      sample.keptBack(hash);
    }
    return maybe;
  }

  /**
   * Returns those keys that may be there, and counts the others among those that are not.
   *
   * @throws FilterUnavailableException if there is no answer
   */
  List<K> select(List<K> keys) {
    List<K> maybe = view.select(keys);
    Iterator<K> next = maybe.iterator();
    @Nullable K expected = next.hasNext() ? next.next() : null;
    for (K key : keys) {
      if (key == expected) { // the very objects, in their order
        expected = next.hasNext() ? next.next() : null;
      } else {
        sample.keptBack(hash(key));
      }
    }
    return maybe;
  }

  /** Counts a key that the source does not have, and that this let through if it could answer. */
  void countAbsent(K key) {
    long hash = hash(key);
    try {
      if (mightContain(key, hash)) {
        sample.letThrough(hash);
      }
    } catch (FilterUnavailableException e) {
      // It said nothing, so nothing of it was wrong.
    }
  }

  /** Adds a key; if there is no room for it, this is not usable any more. */
  void put(K key) {
    try {
      if (filled().put(key)) {
        measurement.outdated();
      }
    } catch (FilterFullException | FilterUnavailableException e) {
      unusable = "a key found no room: " + e.getMessage();
    }
  }

  /**
   * Adds all keys.
   *
   * @throws FilterFullException if there is no room for one
   */
  void putAll(Iterable<? extends K> keys) {
    filled().putAll(keys);
    measurement.outdated();
  }

  /** Takes back one put of a key. */
  void remove(K key) {
    ((RemovableBloomFilter<K>) filled()).remove(key);
    measurement.outdated();
  }

  /** Returns why keys are missing here, so that this can call no key absent, if that is so. */
  Optional<String> unusable() {
    return Optional.ofNullable(unusable);
  }

  private BloomFilter<K> filled() {
    return Objects.requireNonNull(filter, "read-only");
  }
}
