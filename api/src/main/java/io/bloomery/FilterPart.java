package io.bloomery;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a part of a stream, or of a part of a group of it: their hashes, and beyond a number
 * of these a filter, or each hash once if filters do not merge.
 */
final class FilterPart {

  private static final int BATCH = 512;

  private final Supplier<Filter> creator;
  private final boolean isFirst;
  private final boolean merges;
  private final long limit;
  private final long[] batch = new long[BATCH]; // hashes that are nowhere else yet
  private int size;
  private final List<long[]> log = new ArrayList<>();
  private long logged; // without those of other parts, which take no more memory when merged
  private @Nullable DifferentHashes different;
  private volatile @Nullable Filter filter;

  private FilterPart(Supplier<Filter> creator, boolean isFirst, boolean merges, long limit) {
    this.creator = creator;
    this.isFirst = isFirst;
    this.merges = merges;
    this.limit = limit;
  }

  /** Returns a part that has a filter from the start. */
  static FilterPart first(Supplier<Filter> creator) {
    FilterPart first = new FilterPart(creator, true, false, 0);
    first.make();
    return first;
  }

  /**
   * Returns a part that has hashes.
   *
   * @param merges whether it may have a filter before it is the only part
   * @param limit the number of hashes beyond which it does not keep all of them
   */
  static FilterPart of(Supplier<Filter> creator, boolean merges, long limit) {
    return new FilterPart(creator, false, merges, limit);
  }

  boolean isFirst() {
    return isFirst;
  }

  void put(long hash) {
    if (size == BATCH) {
      flush();
    }
    batch[size++] = hash;
  }

  /** Puts a hash while other threads may do so, too; filters must be shared. */
  void putShared(long hash) {
    Filter made = filter;
    if (made != null) {
      made.put(hash);
    } else {
      synchronized (this) {
        put(hash);
      }
    }
  }

  private void flush() {
    Filter made = filter;
    if (made != null) {
      made.putAll(batch, 0, size);
    } else {
      add(Arrays.copyOf(batch, size));
      logged += size;
      if (logged > limit) {
        outgrow();
      }
    }
    size = 0;
  }

  private void add(long[] hashes) {
    if (filter != null) {
      filter.putAll(hashes, 0, hashes.length);
    } else if (different != null) {
      different.addAll(hashes);
    } else {
      log.add(hashes);
    }
  }

  private void outgrow() {
    if (merges) {
      make();
    } else if (different == null) {
      DifferentHashes each = new DifferentHashes();
      log.forEach(each::addAll);
      log.clear();
      different = each;
    }
  }

  private Filter make() {
    Filter made = creator.get();
    filter = made;
    logged().forEach(this::add);
    log.clear();
    different = null;
    return made;
  }

  private List<long[]> logged() {
    return different == null ? log : List.of(different.toArray());
  }

  /** Takes the keys of another part, which must not be used afterwards; returns one of the two. */
  FilterPart merged(FilterPart other) {
    other.flush();
    if (filter == null && other.filter != null) {
      return other.merged(this);
    }
    if (other.filter != null) {
      ((MergeableFilter) filter()).putAll(other.filter());
    } else {
      other.logged().forEach(this::add);
    }
    return this;
  }

  /** Returns the filter, with all keys. */
  Filter filter() {
    flush();
    Filter all = filter;
    return all == null ? make() : all;
  }
}
