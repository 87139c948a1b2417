package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;

/** A filter that ends with its guard. */
record HeapFilter<K>(BloomFilter<K> filter) implements FilledFilter<K> {

  @Override
  public BloomFilterView<K> view() {
    return filter;
  }

  @Override
  public FilterView hashes() {
    return filter.filter();
  }

  @Override
  public KeyHasher<? super K> hasher() {
    return filter.hasher();
  }

  @Override
  public FilterSpec spec() {
    return filter.spec();
  }

  @Override
  public boolean put(K key) {
    return filter.put(key);
  }

  @Override
  public void putAll(Iterable<? extends K> keys) {
    filter.putAll(keys);
  }

  @Override
  public void remove(K key) {
    if (filter instanceof RemovableBloomFilter<K> removable) {
      removable.remove(key);
    }
  }
}
