package io.bloomery.benchmarks.contender;

import io.bloomery.BloomFilter;
import io.bloomery.Filters;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import java.util.OptionalDouble;

/** A variant of Bloomery with keys that are objects. */
abstract class BloomeryObjects<K> extends ObjectContender<K> {

  private final Variant variant;
  private final KeyHasher<? super K> hasher;
  private final HashBatch batch = new HashBatch();
  private BloomFilter<K> filter;
  private Filter hashes;

  BloomeryObjects(String variant, KeyHasher<? super K> hasher) {
    this.variant = new Variant(variant);
    this.hasher = hasher;
  }

  abstract Filters<K> filters();

  @Override
  public final void create(long keys, double rate) {
    filter = variant.create(filters(), keys, rate);
    hashes = filter.filter();
  }

  @Override
  final boolean put(K key) {
    return filter.put(key);
  }

  @Override
  final boolean mightContain(K key) {
    return filter.mightContain(key);
  }

  @Override
  final int putBatch(K[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      changed += batch.putAll(hashes, hash(keys, i, to));
    }
    return changed;
  }

  @Override
  final int select(K[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      found += batch.select(hashes, hash(keys, i, to));
    }
    return found;
  }

  private int hash(K[] keys, int from, int to) {
    int size = Math.min(HashBatch.SIZE, to - from);
    long[] hashed = batch.hashes();
    for (int i = 0; i < size; i++) {
      hashed[i] = hasher.hash(keys[from + i]);
    }
    return size;
  }

  @Override
  public final OptionalDouble plannedRate(long keys) {
    return variant.plannedRate(keys);
  }

  @Override
  public final long sizeInBits() {
    return Variant.sizeInBits(hashes);
  }
}
