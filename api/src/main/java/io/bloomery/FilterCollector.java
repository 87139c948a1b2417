package io.bloomery;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collector;

/**
 * The ways in which the threads of a stream fill one filter. Which of them is fastest depends on
 * its size and on the price of a merge:
 * decisions.md#threads-of-a-stream-fill-filters-apart-where-merges-are-cheap
 *
 * @param <K> the type of keys
 */
final class FilterCollector<K> {

  /** The size of the largest filter of counts that only one thread at a time puts into: 1 MiB. */
  private static final long SMALL_BITS = 1L << 23;

  // A parallel stream is split into this many parts for each processor.
  private static final int PARTS = 4;

  private static final int SHARE_OF_HEAP = 8;

  // Where merges are cheap, only parts of few keys have no filter.
  private static final int SHARE_OF_FILTER = 8;

  // As much as the hashes of all keys that most filters are planned for.
  private static final int TIMES_FILTER = 8;

  private final Class<? extends Filter> type;
  private final ThreadMode mode;
  private final long bits;
  private final Function<ThreadMode, Filter> creator;
  private final KeyHasher<? super K> hasher;
  private final boolean isApart; // whether no two threads put into one part at the same time
  private final AtomicBoolean hasFirst = new AtomicBoolean();

  /**
   * Creates the collector of a filter.
   *
   * @param type the type of its variant
   * @param mode the mode that it has in the end
   * @param bits the size that it is planned to have
   * @param creator creates an empty one, in any mode
   */
  FilterCollector(
      Class<? extends Filter> type,
      ThreadMode mode,
      long bits,
      Function<ThreadMode, Filter> creator,
      KeyHasher<? super K> hasher) {
    this.type = type;
    this.mode = mode;
    this.bits = bits;
    this.creator = creator;
    this.hasher = hasher;
    this.isApart =
        mode == ThreadMode.CONFINED
            || (isUnion() && fitInHeap(bits))
            || (isOfCounts() && bits <= SMALL_BITS);
  }

  /** Returns whether a merge is bitwise or, which takes no time beside the puts. */
  private boolean isUnion() {
    return merges() && !isOfCounts();
  }

  private boolean merges() {
    return MergeableFilter.class.isAssignableFrom(type);
  }

  private boolean isOfCounts() {
    return RemovableFilter.class.isAssignableFrom(type);
  }

  /** Returns whether filters for all parts of a stream take a small share of the heap. */
  private static boolean fitInHeap(long bits) {
    Runtime jvm = Runtime.getRuntime();
    long parts = (long) PARTS * jvm.availableProcessors();
    return bits / Byte.SIZE <= jvm.maxMemory() / SHARE_OF_HEAP / parts;
  }

  /** Returns the collector. */
  Collector<K, ?, BloomFilter<K>> collector() {
    return isApart
        ? Collector.of(
            this::part,
            (part, key) -> part.put(hash(key)),
            FilterPart::merged,
            this::finished,
            Collector.Characteristics.UNORDERED)
        : Collector.of(
            this::part,
            (part, key) -> part.putShared(hash(key)),
            FilterPart::merged,
            this::finished,
            Collector.Characteristics.CONCURRENT,
            Collector.Characteristics.UNORDERED);
  }

  private long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Returns the next part of a stream. The first has a filter: it is the only one of a stream that
   * is neither parallel nor grouped, or that all threads put into. Of others nobody knows which
   * belong to one group and will be merged.
   */
  private FilterPart part() {
    if (!hasFirst.getAndSet(true)) {
      return FilterPart.first(this::create);
    }
    return FilterPart.of(this::create, merges(), mostHashes());
  }

  private long mostHashes() {
    long asMuch = bits / Long.SIZE; // as the filter
    if (!merges()) {
      // Counts need every hash. To others, one that comes again is nothing new.
      return isOfCounts() ? Long.MAX_VALUE : TIMES_FILTER * asMuch;
    }
    return isApart && isUnion() ? asMuch / SHARE_OF_FILTER : asMuch;
  }

  private Filter create() {
    return creator.apply(isApart && isUnion() ? ThreadMode.CONFINED : mode);
  }

  private BloomFilter<K> finished(FilterPart all) {
    Filter filled = all.filter();
    if (all.isFirst()) {
      hasFirst.set(false); // for the next stream
    }
    if (isApart && isUnion() && mode == ThreadMode.SHARED) {
      Filter whole = creator.apply(mode);
      ((MergeableFilter) whole).putAll(filled);
      filled = whole;
    }
    return BloomFilter.of(filled, hasher);
  }
}
