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
    return apart ? inParts() : concurrently();
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
        (one, other) -> {
          throw new IllegalStateException("all threads must have one filter, but have several");
        },
        Collector.Characteristics.CONCURRENT,
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.IDENTITY_FINISH);
  }

  private Collector<K, ?, BloomFilter<K>> inParts() {
    return Collector.of(
        this::part, Part::put, Part::merged, this::finished, Collector.Characteristics.UNORDERED);
  }

  private Part<K> part() {
    if (isUnion()) {
      return new Part<>(hasher, creator.apply(ThreadMode.CONFINED));
    }
    // A sequential stream has this part only, and no hash is kept.
    return new Part<>(hasher, hasFilter.getAndSet(true) ? null : creator.apply(mode));
  }

  private BloomFilter<K> finished(Part<K> all) {
    Filter filled = all.filter();
    if (filled == null || (isUnion() && mode == ThreadMode.SHARED)) {
      Filter whole = creator.apply(mode);
      all.addTo(whole);
      filled = whole;
    }
    return BloomFilter.of(filled, hasher);
  }

  /** The keys of one thread: in a filter that no other thread has, or as hashes. */
  private static final class Part<K> {

    private static final int BATCH = 512;

    private final KeyHasher<? super K> hasher;
    private final @Nullable Filter filter;
    private final List<long[]> full = new ArrayList<>();
    private long[] hashes = new long[BATCH];
    private int size;

    Part(KeyHasher<? super K> hasher, @Nullable Filter filter) {
      this.hasher = hasher;
      this.filter = filter;
    }

    void put(K key) {
      add(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
    }

    private void add(long hash) {
      if (size == BATCH) {
        if (filter == null) {
          full.add(hashes);
          hashes = new long[BATCH];
        } else {
          filter.putAll(hashes, 0, BATCH);
        }
        size = 0;
      }
      hashes[size++] = hash;
    }

    Part<K> merged(Part<K> other) {
      if (filter != null) {
        other.addTo(filter);
        return this;
      }
      if (other.filter != null) {
        addTo(other.filter);
        return other;
      }
      full.addAll(other.full);
      for (int i = 0; i < other.size; i++) {
        add(other.hashes[i]);
      }
      return this;
    }

    /** Returns the filter, with all keys, or null if there is none. */
    @Nullable Filter filter() {
      if (filter != null) {
        filter.putAll(hashes, 0, size);
        size = 0;
      }
      return filter;
    }

    void addTo(Filter whole) {
      if (filter != null) {
        ((MergeableFilter) whole).putAll(Objects.requireNonNull(filter()));
      }
      for (long[] batch : full) {
        whole.putAll(batch, 0, BATCH);
      }
      whole.putAll(hashes, 0, size);
    }
  }
}
