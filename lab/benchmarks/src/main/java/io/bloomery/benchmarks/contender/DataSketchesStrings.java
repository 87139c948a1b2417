package io.bloomery.benchmarks.contender;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** The filter of DataSketches with Strings. */
final class DataSketchesStrings extends StringContender {

  private BloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilterBuilder.createByAccuracy(keys, rate, DataSketchesLongs.SEED);
  }

  @Override
  boolean put(String key) {
    return !filter.queryAndUpdate(key);
  }

  // update() does not query the previous state, and so has less work.
  @Override
  int putBatch(String[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      filter.update(keys[i]);
    }
    return 0;
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
