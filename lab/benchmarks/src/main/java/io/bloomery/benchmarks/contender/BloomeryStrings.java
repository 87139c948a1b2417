package io.bloomery.benchmarks.contender;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import java.util.OptionalDouble;

/** A variant of Bloomery with keys that are Strings. */
final class BloomeryStrings extends StringContender {

  private static final KeyHasher<CharSequence> HASHER = KeyHasher.strings();

  private final Variant variant;
  private final HashBatch batch = new HashBatch();
  private BloomFilter<String> filter;
  private Filter hashes;

  BloomeryStrings(String variant) {
    this.variant = new Variant(variant);
  }

  @Override
  public void create(long keys, double rate) {
    filter = variant.create(Bloomery.strings(), keys, rate);
    hashes = filter.filter();
  }

  @Override
  boolean put(String key) {
    return filter.put(key);
  }

  @Override
  boolean mightContain(String key) {
    return filter.mightContain(key);
  }

  @Override
  int putBatch(String[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      changed += batch.putAll(hashes, hash(keys, i, to));
    }
    return changed;
  }

  @Override
  int select(String[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      found += batch.select(hashes, hash(keys, i, to));
    }
    return found;
  }

  private int hash(String[] keys, int from, int to) {
    int size = Math.min(HashBatch.SIZE, to - from);
    long[] hashed = batch.hashes();
    for (int i = 0; i < size; i++) {
      hashed[i] = HASHER.hash(keys[from + i]);
    }
    return size;
  }

  @Override
  public OptionalDouble plannedRate(long keys) {
    return variant.plannedRate(keys);
  }

  @Override
  public long sizeInBits() {
    return Variant.sizeInBits(hashes);
  }
}
