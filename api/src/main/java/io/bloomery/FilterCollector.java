package io.bloomery;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

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

  private final Class<? extends Filter> type;
  private final ThreadMode mode;
  private final Function<ThreadMode, Filter> creator;
  private final KeyHasher<? super K> hasher;
  private final AtomicBoolean hasFilter = new AtomicBoolean();

  /**
   * Creates the collector of a filter.
   *
   * @param type the type of its variant
   * @param mode the mode that it has in the end
   * @param creator creates an empty one, in any mode
   */
  FilterCollector(
      Class<? extends Filter> type,
      ThreadMode mode,
      Function<ThreadMode, Filter> creator,
      KeyHasher<? super K> hasher) {
    this.type = type;
    this.mode = mode;
    this.creator = creator;
    this.hasher = hasher;
  }

  /** Returns a collector into a filter that is planned to have a size. */
  Collector<K, ?, BloomFilter<K>> ofBits(long bits) {
    boolean apart =
        mode == ThreadMode.CONFINED
            || (isUnion() && fitInHeap(bits))
            || (isOfCounts() && bits <= SMALL_BITS);
    return apart ? inParts(bits) : concurrently();
  }

  /** Returns whether a merge is bitwise or, which takes no time beside the puts. */
  private boolean isUnion() {
    return MergeableFilter.class.isAssignableFrom(type) && !isOfCounts();
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

  private Collector<K, ?, BloomFilter<K>> concurrently() {
    return Collector.of(
        () -> BloomFilter.<K>of(creator.apply(mode), hasher),
        BloomFilter::put,
        // Of a stream that is grouped, which has a filter for each part of a group.
        (one, other) -> {
          one.putAll(other);
          return one;
        },
        Collector.Characteristics.CONCURRENT,
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.IDENTITY_FINISH);
  }

  private Collector<K, ?, BloomFilter<K>> inParts(long bits) {
    // Hashes of keys that come again and again would need more than the filter itself.
    long hashes = MergeableFilter.class.isAssignableFrom(type) ? bits / Long.SIZE : Long.MAX_VALUE;
    return Collector.of(
        () -> part(hashes),
        Part::put,
        Part::merged,
        this::finished,
        Collector.Characteristics.UNORDERED);
  }

  private Part<K> part(long hashes) {
    if (isUnion()) {
      return new Part<>(hasher, () -> creator.apply(ThreadMode.CONFINED), 0);
    }
    // A sequential stream has this part only, and no hash is kept.
    boolean isFirst = !hasFilter.getAndSet(true);
    return new Part<>(hasher, () -> creator.apply(mode), isFirst ? 0 : hashes);
  }

  private BloomFilter<K> finished(Part<K> all) {
    Filter filled = all.filter();
    if (isUnion() && mode == ThreadMode.SHARED) {
      Filter whole = creator.apply(mode);
      ((MergeableFilter) whole).putAll(filled);
      filled = whole;
    }
    return BloomFilter.of(filled, hasher);
  }

  /** The keys of one thread: hashes up to a number, and beyond it a filter of its own. */
  private static final class Part<K> {

    private static final int BATCH = 512;

    private final KeyHasher<? super K> hasher;
    private final Supplier<Filter> creator;
    private final long most;
    private final List<long[]> full = new ArrayList<>();
    private long[] hashes = new long[BATCH];
    private int size;
    private @Nullable Filter filter;

    /**
     * Creates a part without keys.
     *
     * @param most the number of hashes that are kept; if 0, it has a filter from the start
     */
    Part(KeyHasher<? super K> hasher, Supplier<Filter> creator, long most) {
      this.hasher = hasher;
      this.creator = creator;
      this.most = most;
      this.filter = most == 0 ? creator.get() : null;
    }

    void put(K key) {
      add(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
    }

    private void add(long hash) {
      if (size == BATCH) {
        if (filter != null) {
          filter.putAll(hashes, 0, BATCH);
        } else {
          keep();
        }
        size = 0;
      }
      hashes[size++] = hash;
    }

    private void keep() {
      full.add(hashes);
      hashes = new long[BATCH];
      if ((long) full.size() * BATCH > most) {
        size = 0;
        filter();
      }
    }

    Part<K> merged(Part<K> other) {
      if (filter == null && other.filter != null) {
        return other.merged(this);
      }
      if (other.filter != null) {
        ((MergeableFilter) filter()).putAll(other.filter());
        return this;
      }
      if (filter != null) {
        other.addTo(filter);
        return this;
      }
      full.addAll(other.full);
      for (int i = 0; i < other.size; i++) {
        add(other.hashes[i]);
      }
      return this;
    }

    /** Returns the filter, with all keys. */
    Filter filter() {
      Filter all = filter == null ? creator.get() : filter;
      addTo(all);
      full.clear();
      size = 0;
      filter = all;
      return all;
    }

    private void addTo(Filter all) {
      for (long[] batch : full) {
        all.putAll(batch, 0, BATCH);
      }
      all.putAll(hashes, 0, size);
    }
  }
}
