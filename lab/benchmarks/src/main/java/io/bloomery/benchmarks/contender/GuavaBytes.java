package io.bloomery.benchmarks.contender;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;

/** The filter of Guava with byte arrays. */
final class GuavaBytes extends ObjectContender<byte[]> {

  private BloomFilter<byte[]> filter;
  private long bits;

  @Override
  public void create(long keys, double rate) {
    bits = Textbook.bits(keys, rate);
    filter = BloomFilter.create(Funnels.byteArrayFunnel(), keys, rate);
  }

  @Override
  boolean put(byte[] key) {
    return filter.put(key);
  }

  @Override
  boolean mightContain(byte[] key) {
    return filter.mightContain(key);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }
}
