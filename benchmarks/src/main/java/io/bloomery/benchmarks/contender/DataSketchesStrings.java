package io.bloomery.benchmarks.contender;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** DataSketches' filter with Strings. */
final class DataSketchesStrings extends ObjectContender<String> {

  // The other factory method draws one.
  private static final long SEED = 9001;

  private BloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilterBuilder.createByAccuracy(keys, rate, SEED);
  }

  @Override
  boolean put(String key) {
    return !filter.queryAndUpdate(key);
  }

  @Override
  boolean mightContain(String key) {
    return filter.query(key);
  }

  @Override
  public long sizeInBits() {
    return filter.getCapacity();
  }
}
