package io.bloomery.benchmarks.contender;

import org.apache.spark.util.sketch.BloomFilter;

/** The filter of Spark with Strings. */
final class SparkStrings extends StringContender {

  private BloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilter.create(keys, rate);
  }

  @Override
  boolean put(String key) {
    return filter.putString(key);
  }

  @Override
  boolean mightContain(String key) {
    return filter.mightContainString(key);
  }

  @Override
  public long sizeInBits() {
    return filter.bitSize();
  }
}
