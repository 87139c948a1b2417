package io.bloomery.benchmarks.contender;

import org.apache.spark.util.sketch.BloomFilter;

/** The filter of Spark with byte arrays. */
final class SparkBytes extends ObjectContender<byte[]> {

  private BloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilter.create(keys, rate);
  }

  @Override
  boolean put(byte[] key) {
    return filter.putBinary(key);
  }

  @Override
  boolean mightContain(byte[] key) {
    return filter.mightContainBinary(key);
  }

  @Override
  public long sizeInBits() {
    return filter.bitSize();
  }
}
