package io.bloomery;

import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several filters that are queried together: a bank says which of them might contain a key, and
 * computes its hash once for all that have one hasher, such as those opened by one {@link Filters}.
 * They may differ in variant, size and rate, and each may be in memory, mapped or in shards: the
 * filters of days, of tenants, or of the tables of a store.
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

  private final List<Hashed<K>> filters;

  private FilterBank(List<Hashed<K>> filters) {
    this.filters = filters;
  }

  /**
   * Returns a bank of the filters of a list, which is copied.
   *
   * @param filters at least one, each a {@link BloomFilter}, {@link MappedBloomFilter}, {@link
   *     ShardedBloomFilter} or {@link StoredBloomFilter}
   * @throws IllegalArgumentException if there is none, or one is of another class; the message has
   *     its index
   */
  public static <K> FilterBank<K> of(List<? extends BloomFilterView<K>> filters) {
    List<Hashed<K>> hashed = new ArrayList<>();
    for (BloomFilterView<K> view : List.<BloomFilterView<K>>copyOf(filters)) {
      hashed.add(Hashed.of(view, hashed.size()));
    }
    if (hashed.isEmpty()) {
      throw new IllegalArgumentException("a bank must have at least one filter, but has none");
    }
    return new FilterBank<>(hashed);
  }

  // Hash ids do not tell hashers apart: one that folds keys has that of one for folded keys.
  private record Hashed<K>(FilterView filter, KeyHasher<? super K> hasher) {

    static <K> Hashed<K> of(BloomFilterView<K> view, int index) {
      if (view instanceof BloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.hasher());
      }
      if (view instanceof MappedBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.hasher());
      }
      if (view instanceof ShardedBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.hasher());
      }
      if (view instanceof StoredBloomFilter<K> in) {
        return new Hashed<>(in.filter(), in.hasher());
      }
      throw new IllegalArgumentException(
          "filters must be asked by a hash, as those of Bloomery are, but filter "
              + index
              + " is of "
              + view.getClass()
              + "; ask it alone");
    }

    boolean mightContain(long hash, int index) {
      try {
        return filter.mightContain(hash);
      } catch (FilterUnavailableException e) {
        throw unavailable(index, e);
      }
    }

    int select(long[] hashes, int count, int[] hits, int index) {
      try {
        return filter.select(hashes, 0, count, hits);
      } catch (FilterUnavailableException e) {
        throw unavailable(index, e);
      }
    }

    private static FilterUnavailableException unavailable(int i, FilterUnavailableException e) {
      return new FilterUnavailableException("filter " + i + " cannot answer: " + e.getMessage(), e);
    }
  }

  /** Returns the number of filters. */
  public int size() {
    return filters.size();
  }

  /**
   * Returns the indices of the filters that might contain the key; the others certainly do not.
   *
   * @throws NullPointerException if the key is null
   * @throws FilterUnavailableException if a filter cannot answer; the message has its index
   */
  public BitSet mightContain(K key) {
    BitSet found = new BitSet(filters.size());
    Hashing<K> hashing = new Hashing<>(key);
    for (int i = 0; i < filters.size(); i++) {
      if (hashing.isFoundBy(filters.get(i), i)) {
        found.set(i);
      }
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
    Hashing<K> hashing = new Hashing<>(key);
    for (int i = 0; i < filters.size(); i++) {
      if (hashing.isFoundBy(filters.get(i), i)) {
        return i;
      }
    }
    return -1;
  }

  /** A key, and its hash by the hasher of the filter that was asked last. */
  private static final class Hashing<K> {

    private final K key;
    private @Nullable KeyHasher<? super K> hasher; // null before the first filter
    private long hash;

    Hashing(K key) {
      this.key = Objects.requireNonNull(key, "key must not be null");
    }

    boolean isFoundBy(Hashed<K> filter, int index) {
      if (filter.hasher != hasher) {
        hasher = filter.hasher;
        hash = filter.hasher.hash(key);
      }
      return filter.mightContain(hash, index);
    }
  }

  /**
   * Returns for each key, in iteration order, what {@link #mightContain(Object)} does; meant for
   * batches, which filters larger than the processor's caches answer faster.
   *
   * @throws NullPointerException if a key is null; the message has its index
   * @throws FilterUnavailableException if a filter cannot answer; the message has its index
   */
  public List<BitSet> mightContainEach(Collection<? extends K> keys) {
    List<K> all = new ArrayList<>(Objects.requireNonNull(keys, "keys must not be null"));
    List<BitSet> found = new ArrayList<>(all.size());
    for (K key : all) {
      HashBatches.checked(key, found.size(), "leave it out");
      found.add(new BitSet(filters.size()));
    }
    int size = Math.min(BATCH, all.size());
    long[] hashes = new long[size];
    int[] hits = new int[size];
    for (int from = 0; from < all.size(); from += size) {
      int count = Math.min(size, all.size() - from);
      @Nullable KeyHasher<? super K> hasher = null;
      for (int i = 0; i < filters.size(); i++) {
        Hashed<K> each = filters.get(i);
        if (each.hasher != hasher) {
          hasher = each.hasher;
          for (int k = 0; k < count; k++) {
            hashes[k] = each.hasher.hash(all.get(from + k));
          }
        }
        int selected = each.select(hashes, count, hits, i);
        for (int hit = 0; hit < selected; hit++) {
          found.get(from + hits[hit]).set(i);
        }
      }
    }
    return found;
  }

  /** Returns the number of filters. */
  @Override
  public String toString() {
    return "a bank of " + filters.size() + " filters";
  }
}
