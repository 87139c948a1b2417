package io.bloomery.benchmarks.contender;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A variant of Bloomery with long keys through {@link BloomFilter}, which takes them boxed, as most
 * programs use it.
 */
final class BloomeryBoxedLongs extends LongContender {

  private final Variant variant;
  private BloomFilter<Long> filter;

  BloomeryBoxedLongs(String variant) {
    this.variant = new Variant(variant);
  }

  @Override
  public void create(long keys, double rate) {
    filter = variant.create(Bloomery.longs(), keys, rate);
  }

  @Override
  boolean put(long key) {
    return filter.put(key);
  }

  @Override
  boolean mightContain(long key) {
    return filter.mightContain(key);
  }

  @Override
  int putBatch(long[] keys, int from, int to) {
    return (int) filter.putAll(boxed(keys, from, to));
  }

  @Override
  int select(long[] keys, int from, int to) {
    return filter.select(boxed(keys, from, to)).size();
  }

  private static List<Long> boxed(long[] keys, int from, int to) {
    List<Long> boxed = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      boxed.add(keys[i]);
    }
    return boxed;
  }

  @Override
  public OptionalDouble plannedRate(long keys) {
    return variant.plannedRate(keys);
  }

  @Override
  public long sizeInBits() {
    return Variant.sizeInBits(filter.filter());
  }
}
