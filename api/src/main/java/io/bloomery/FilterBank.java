package io.bloomery;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Several filters of one hasher that are queried together: a bank says which of them might contain
 * a key, and computes its hash once. They may differ in variant, size and rate, and each may be in
 * memory, mapped or in shards: the filters of days, of tenants, or of the tables of a store.
 *
 * <p>Filters are identified by their index, from 0 on, in the order in which they were given. The
 * probability that any of them reports a key that is in none is at most the sum of their rates: for
 * 0.01 with a hundred filters, each needs a rate of 0.0001.
 *
 * <p>It has no state of its own: it is as thread-safe as its filters, what is put into one of them
 * is seen by the next query, and mapped ones are closed by whoever opened them.
 *
 * @param <K> the type of keys
 */
public final class FilterBank<K> {

  private static final int BATCH = 512;

  private final KeyHasher<? super K> hasher;
  private final FilterView[] filters;

  private FilterBank(KeyHasher<? super K> hasher, FilterView[] filters) {
    this.hasher = hasher;
    this.filters = filters;
  }

  /**
   * Returns a bank of the filters of a list, which is copied.
   *
   * @param filters at least one, each a {@link BloomFilter}, {@link MappedBloomFilter}, {@link
   *     ShardedBloomFilter} or {@link StoredBloomFilter}
   * @throws IllegalArgumentException if there is none, one is of another class, or their hashers or
   *     key forms differ; the message has its index
   */
  public static <K> FilterBank<K> of(List<? extends BloomFilterView<K>> filters) {
    List<BloomFilterView<K>> views = List.copyOf(filters);
    if (views.isEmpty()) {
      throw new IllegalArgumentException("a bank must have at least one filter, but has none");
    }
    List<Hashed<K>> hashed = new ArrayList<>();
    for (BloomFilterView<K> view : views) {
      hashed.add(Hashed.of(view, hashed.size()));
    }
    KeyHasher<? super K> hasher = hashed.get(0).hasher;
    for (int i = 1; i < hashed.size(); i++) {
      try {
        BloomFilter.checkHasher(hashed.get(i).spec, hasher);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "all filters must be of the hasher of the first, but filter "
                + i
                + " is not: "
                + e.getMessage(),
            e);
      }
    }
    return new FilterBank<>(hasher, hashed.stream().map(Hashed::filter).toArray(FilterView[]::new));
  }

  private record Hashed<K>(FilterView filter, FilterSpec spec, KeyHasher<? super K> hasher) {

    static <K> Hashed<K> of(BloomFilterView<K> view, int index) {
      if (view instanceof BloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.spec(), in.hasher());
      }
      if (view instanceof MappedBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.spec(), in.hasher());
      }
      if (view instanceof ShardedBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.spec(), in.hasher());
      }
      if (view instanceof StoredBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.spec(), in.hasher());
      }
      throw new IllegalArgumentException(
          "filters must be asked by a hash, as those of Bloomery are, but filter "
              + index
              + " is of "
              + view.getClass()
              + "; ask it alone");
    }
  }

  /** Returns the number of filters. */
  public int size() {
    return filters.length;
  }

  /**
   * Returns the indices of the filters that might contain the key; the others certainly do not.
   *
   * @throws NullPointerException if the key is null
   * @throws FilterUnavailableException if a filter cannot answer; the message has its index
   */
  public BitSet mightContain(K key) {
    long hash = hash(key);
    BitSet found = new BitSet(filters.length);
    int i = 0;
    try {
      for (; i < filters.length; i++) {
        if (filters[i].mightContain(hash)) {
          found.set(i);
        }
      }
    } catch (FilterUnavailableException e) {
      throw unavailable(i, e);
    }
    return found;
  }

  /**
   * Returns the index of the first filter that might contain the key, or -1 if certainly none does;
   * later filters are not queried.
   *
   * @throws NullPointerException if the key is null
   * @throws FilterUnavailableException if a filter that is queried cannot answer; the message has
   *     its index
   */
  public int indexOf(K key) {
    long hash = hash(key);
    int i = 0;
    try {
      for (; i < filters.length; i++) {
        if (filters[i].mightContain(hash)) {
          return i;
        }
      }
    } catch (FilterUnavailableException e) {
      throw unavailable(i, e);
    }
    return -1;
  }

  /**
   * Returns for each key, in iteration order, what {@link #mightContain(Object)} does; meant for
   * batches, which filters larger than the processor's caches answer faster.
   *
   * @throws NullPointerException if a key is null; the message has its index
   * @throws FilterUnavailableException if a filter cannot answer; the message has its index
   */
  public List<BitSet> mightContainEach(Collection<? extends K> keys) {
    List<BitSet> found =
        new ArrayList<>(Objects.requireNonNull(keys, "keys must not be null").size());
    int[] hits = new int[BATCH];
    long unused =
        new HashBatches<K>(keys, hasher, "in no answer")
            .sum(
                (hashes, count) -> {
                  int first = found.size();
                  for (int i = 0; i < count; i++) {
                    found.add(new BitSet(filters.length));
                  }
                  for (int filter = 0; filter < filters.length; filter++) {
                    int selected = select(filter, hashes, count, hits);
                    for (int i = 0; i < selected; i++) {
                      found.get(first + hits[i]).set(filter);
                    }
                  }
                  return count;
                });
    return found;
  }

  private int select(int filter, long[] hashes, int count, int[] hits) {
    try {
      return filters[filter].select(hashes, 0, count, hits);
    } catch (FilterUnavailableException e) {
      throw unavailable(filter, e);
    }
  }

  private long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  private static FilterUnavailableException unavailable(int i, FilterUnavailableException e) {
    return new FilterUnavailableException("filter " + i + " cannot answer: " + e.getMessage(), e);
  }

  /** Returns the number of filters, and the hasher's id. */
  @Override
  public String toString() {
    return filters.length + " filters, hashed by " + hasher.id();
  }
}
